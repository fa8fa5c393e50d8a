"""Where in a JSON text something stands that is named by its path. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from workbench.harness.space.schema.values import shorten

Step = str | int
Path = tuple[Step, ...]
"""The keys and indices that lead to a value; a key over `SHOWN_KEY` characters as its shortened form."""

SHOWN_KEY = 100
"""What messages shorten a key to."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_PLACE = re.compile(r"line (\d{1,9}), column (\d{1,9})")
_STEP = re.compile(r'\.([A-Za-z_$][A-Za-z0-9_$-]*)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]')


def place_in(message: str) -> tuple[int, int] | None:
    """Line and column as a message of the strict parser says them: the last ones, as what it quotes comes before."""
    found = _PLACE.findall(message)
    return (int(found[-1][0]), int(found[-1][1])) if found else None


def without_place(message: str) -> str:
    """A message without the place that it says, for where that is said apart."""
    found = list(_PLACE.finditer(message))
    if not found:
        return message
    before = message[: found[-1].start()].removesuffix(" at ").removesuffix(",")
    return before + message[found[-1].end() :]


def split_path(message: str) -> tuple[Path, str]:
    """A message such as `$.a["b c"][0]: must be …` as path and words; no path where it begins with none."""
    if not message.startswith("$"):
        return (), message
    steps: list[Step] = []
    at = 1
    while (match := _STEP.match(message, at)) is not None:
        at = match.end()
        word, index, quoted = match.groups()
        if index is not None:
            steps.append(int(index))
        else:
            steps.append(word if word is not None else _unquoted(quoted))
    if not message.startswith(": ", at):
        return (), message
    return tuple(steps), message[at + 2 :]


def locate(text: str, paths: Iterable[Path]) -> list[tuple[int, int]]:
    """Line and column, from 1, of each path: of the key, in a list of the value.

    Of a path that the text does not have it is the longest part that it has; without any of it the beginning.
    """
    wanted = [tuple(shorten(step, SHOWN_KEY) if isinstance(step, str) else step for step in path) for path in paths]
    prefixes = {path[:length] for path in wanted for length in range(1, len(path) + 1)}
    found: dict[Path, int] = {}
    deepest = max(map(len, prefixes), default=0)
    # Of each open object or list: the step of its present member; None for a key that is still to come.
    stack: list[Step | None] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in "}]":
            if stack:
                stack.pop()
        elif token == ",":
            if stack:
                last = stack[-1]
                stack[-1] = last + 1 if isinstance(last, int) else None
        elif token != ":":
            if stack and stack[-1] is None and token.startswith('"'):
                stack[-1] = shorten(_unquoted(token), SHOWN_KEY)
                _note(found, prefixes, stack, deepest, match.start())
                continue
            if stack and isinstance(stack[-1], int):
                _note(found, prefixes, stack, deepest, match.start())
            if token in "{[":
                stack.append(None if token == "{" else 0)
    return [_place(text, _best(found, path)) for path in wanted]


def _note(found: dict[Path, int], prefixes: set[Path], stack: list[Step | None], deepest: int, start: int) -> None:
    if len(stack) <= deepest:
        path = tuple(step for step in stack if step is not None)
        if path in prefixes:
            # Of a key that stands twice the parser refuses the second.
            found.setdefault(path, start)


def _best(found: dict[Path, int], path: Path) -> int:
    return next((found[path[:length]] for length in range(len(path), 0, -1) if path[:length] in found), 0)


def _place(text: str, position: int) -> tuple[int, int]:
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token

"""The syntax of globs: from the text of one to what it matches, as a regular expression and as rules for ripgrep."""

from __future__ import annotations

import re
from itertools import product

from msgspec import Struct

from workbench.harness.errors import HarnessError

_MOST_RULES = 64
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")


class Part(Struct, frozen=True):
    """A glob or a piece of one: as a regular expression, and as globs for ripgrep that match at least as much.

    `rules` is None where they would be too many. `exact` says that they match nothing else. `wide` counts what may
    match in many ways.
    """

    regex: str
    rules: tuple[str, ...] | None
    exact: bool = True
    wide: int = 0


def parsed(body: str, any_case: bool) -> Part:
    """The parts of a glob. With `any_case`, its rules take letters in either case; the expression is left as it is.

    Raises:
        HarnessError: `bad_input` for one that is no glob.
    """
    parts, end = _sequence(body, 0, any_case, nested=False)
    assert end == len(body)
    return parts


def _sequence(body: str, at: int, any_case: bool, *, nested: bool) -> tuple[Part, int]:
    """The parts from here to the end, or to the `,` or `}` that ends one of several choices."""
    parts: list[Part] = []
    while at < len(body) and not (nested and body[at] in ",}"):
        part, at = _one(body, at, any_case)
        parts.append(part)
    return _joined(parts), at


def _joined(parts: list[Part]) -> Part:
    rules: tuple[str, ...] | None = tuple([""])
    for part in parts:
        if rules is not None:
            rules = _followed(rules, part.rules)
    exact = all(part.exact for part in parts)
    return Part("".join(part.regex for part in parts), rules, exact, sum(part.wide for part in parts))


def _followed(rules: tuple[str, ...], others: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if others is None or len(rules) * len(others) > _MOST_RULES:
        return None
    return tuple(before + after for before, after in product(rules, others))


def _one(body: str, at: int, any_case: bool) -> tuple[Part, int]:
    character = body[at]
    if character == "*":
        return _stars(body, at)
    if character == "?":
        # To ripgrep it is one byte, and a letter may have several.
        return Part("[^/]", ("*",), False), at + 1
    if character == "[":
        return _class(body, at)
    if character == "{":
        return _choices(body, at, any_case)
    if character == "\\":
        if at + 1 == len(body):
            raise HarnessError("bad_input", "The glob ends in a backslash. Write two for a backslash in a name.")
        return _literal(body[at + 1], any_case), at + 2
    return _literal(character, any_case), at + 1


def _stars(body: str, at: int) -> tuple[Part, int]:
    end = at
    while end < len(body) and body[end] == "*":
        end += 1
    starts = at == 0 or body[at - 1] in "/{,"
    if end - at == 1 or not starts or (end < len(body) and body[end] not in "/,}"):
        return Part("[^/]*", ("*",), wide=1), end
    if end < len(body) and body[end] == "/":
        return Part("(?:.*/)?", ("**/",), wide=1), end + 1
    return Part(".+", ("**",), wide=1), end


def _class(body: str, at: int) -> tuple[Part, int]:
    start = at + 1
    negated = body[start : start + 1] in ("!", "^")
    start += negated
    end = body.find("]", start + 1)
    if end < 0:
        raise HarnessError("bad_input", "The glob has a [ without its ]. Write \\[ for a bracket in a name.")
    inside = body[start:end]
    pieces: list[str] = []
    place = 0
    while place < len(inside):
        first = inside[place]
        if place + 2 < len(inside) and inside[place + 1] == "-":
            last = inside[place + 2]
            if first > last:
                raise HarnessError("bad_input", f"The glob has the range {first}-{last}, which is empty.")
            pieces.append(f"{_escaped(first)}-{_escaped(last)}")
            place += 3
        else:
            pieces.append(_escaped(first))
            place += 1
    if negated:
        return Part(f"[^/{''.join(pieces)}]", ("*",), False), end + 1
    return Part(f"[{''.join(pieces)}]", ("*",), False), end + 1


def _choices(body: str, at: int, any_case: bool) -> tuple[Part, int]:
    found: list[Part] = []
    place = at
    while True:
        part, place = _sequence(body, place + 1, any_case, nested=True)
        found.append(part)
        if place == len(body):
            raise HarnessError("bad_input", "The glob has a { without its }. Write \\{ for a brace in a name.")
        if body[place] == "}":
            break
    rules: list[str] | None = []
    for part in found:
        rules = None if rules is None or part.rules is None else [*rules, *part.rules]
    if rules is not None and len(rules) > _MOST_RULES:
        rules = None
    joined = "|".join(part.regex for part in found)
    exact = all(part.exact for part in found)
    wide = sum(part.wide for part in found)
    return Part(f"(?:{joined})", None if rules is None else tuple(rules), exact, wide), place + 1


def _literal(character: str, any_case: bool) -> Part:
    if character == "/":
        return Part("/", ("/",))
    if character not in _PLAIN:
        # Some would be signs to ripgrep, others are several bytes; a space may end a rule.
        return Part(_escaped(character), ("*",), False)
    if any_case and character.isalpha():
        return Part(character, (f"[{character.lower()}{character.upper()}]",))
    return Part(_escaped(character), (character,))


def _escaped(character: str) -> str:
    return re.escape(character)

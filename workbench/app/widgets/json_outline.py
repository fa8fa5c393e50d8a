"""JSON as a tree to fold and unfold: nothing is made before it is looked at, and nothing is left out. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.text import printable

CHUNK = 100
"""How many members stand below one line; more are put into ranges of so many."""

MAX_RANGES = 1_000
"""How many ranges stand below one line; more are put into ranges of ranges."""

CUT = 160
"""How many characters of a text, or of a key, stand on a line; the rest is said, and opens."""

LINE_CUT = 1_000
"""How many characters of one of a text's lines."""

PREVIEW = 60
"""How much of a text's first line stands at its head."""

MAX_LINES = 1_000
"""How many lines of a text stand in the tree; all of them open in a view of their own."""

_PLAIN_KEY = re.compile(r"[\w$-]+\Z")


class JsonTwig(Twig, frozen=True):
    """A twig with the value that it stands for; `whole` says that its line shows all of it.

    A text of several lines has its lines below it, and each of those stands for the text.
    """

    value: Any = None
    whole: bool = True


def json_twig(value: Any, path: str = "$", label: Line = ()) -> JsonTwig:
    """A value as a twig. `path` is where it is, which is also its key; `label` stands before it."""
    if isinstance(value, Mapping) and value:
        return JsonTwig(path, (*label, (f"{{{len(value):,}}}", "quiet")), _members(value, path), value=value)
    if isinstance(value, list) and value:
        return JsonTwig(path, (*label, (f"[{len(value):,}]", "quiet")), _items(value, path), value=value)
    if isinstance(value, str) and "\n" in value:
        return text_twig(value, path, label)
    pieces, whole = _scalar(value)
    return JsonTwig(path, (*label, *pieces), value=value, whole=whole)


def json_twigs(value: Any, path: str = "$") -> Sequence[Twig]:
    """What is in a value as twigs; of a scalar, itself."""
    twig = json_twig(value, path)
    return twig.children() if twig.children is not None else (twig,)


def text_twig(text: str, path: str, label: Line = (), *, preview: bool = True) -> JsonTwig:
    """A text of any number of lines, with its lines below it; the first also at its head, as `preview`."""
    lines = text.removesuffix("\n").count("\n") + 1 if text else 0
    first = text[:PREVIEW].lstrip("\n").split("\n", 1)[0]
    counted = f"{lines:,} line{'' if lines == 1 else 's'}"
    shown = [(f"  {printable(first)}", "text")] if preview and first.strip() else []
    return JsonTwig(path, (*label, (counted, "quiet"), *shown), lambda: _lines(text, path), value=text, whole=False)


def key_label(key: str) -> Line:
    """What stands before the value of a key."""
    return ((_shown_key(key), "key"), (": ", "quiet"))


def path_to(path: str, key: str) -> str:
    """The path of a member."""
    return f"{path}.{key}" if _PLAIN_KEY.match(key) else f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def _scalar(value: Any) -> tuple[tuple[Piece, ...], bool]:
    """A value without members on one line, and whether that is all of it."""
    match value:
        case str():
            return _text(value)
        case None | bool():
            return ((json.dumps(value), "word"),), True
        case int() | float():
            return ((json.dumps(value), "number"),), True
        case _:
            return ((json.dumps(value), "quiet"),), True


def _text(text: str) -> tuple[tuple[Piece, ...], bool]:
    shown = printable(json.dumps(text[:CUT], ensure_ascii=False))
    if len(text) <= CUT:
        return ((shown, "text"),), True
    more = f" … {len(text):,} characters, enter shows them"
    return ((shown[:-1], "text"), (more, "quiet")), False


def _lines(text: str, path: str) -> Sequence[Twig]:
    """The lines of a text, those that are long cut, and at the end how many more there are."""
    lines = text.removesuffix("\n").split("\n", MAX_LINES)
    twigs: list[Twig] = []
    for number, line in enumerate(lines[:MAX_LINES]):
        cut = [(f" … {len(line):,} characters, enter shows them", "quiet")] if len(line) > LINE_CUT else []
        pieces = ((printable(line[:LINE_CUT]), ""), *cut)
        twigs.append(JsonTwig(f"{path}\n{number}", pieces, value=text, whole=False))
    if len(lines) > MAX_LINES:
        more = lines[MAX_LINES].count("\n") + 1
        words = f"… {more:,} more line{'' if more == 1 else 's'}, enter shows them all"
        twigs.append(JsonTwig(f"{path}\n…", ((words, "quiet"),), value=text, whole=False))
    return twigs


def _shown_key(key: str) -> str:
    if _PLAIN_KEY.match(key) and len(key) <= CUT:
        return printable(key)
    shown = printable(json.dumps(key[:CUT], ensure_ascii=False))
    return shown if len(key) <= CUT else f"{shown[:-1]}… ({len(key):,} characters)"


def _members(value: Mapping[str, Any], path: str) -> Callable[[], Sequence[Twig]]:
    def below() -> Sequence[Twig]:
        return _ranges(list(value), path, lambda key: json_twig(value[key], path_to(path, key), key_label(key)), _keys)

    return below


def _items(value: list[Any], path: str) -> Callable[[], Sequence[Twig]]:
    def below() -> Sequence[Twig]:
        return _ranges(range(len(value)), path, lambda at: json_twig(value[at], f"{path}[{at}]", _at(at)), _numbers)

    return below


def _at(index: int) -> Line:
    return ((f"{index:,}", "quiet"), (": ", "quiet"))


def _ranges(
    members: Sequence[Any],
    path: str,
    make: Callable[[Any], Twig],
    name: Callable[[Sequence[Any]], Line],
    first: int = 0,
) -> Sequence[Twig]:
    """A twig a member; of more than `CHUNK`, a twig a range of them, and so on below."""
    if len(members) <= CHUNK:
        return [make(member) for member in members]
    size = CHUNK
    while size * MAX_RANGES < len(members):
        size *= CHUNK
    twigs: list[Twig] = []
    for begin in range(0, len(members), size):
        part = members[begin : begin + size]
        key = f"{path}[{first + begin}…{first + begin + len(part) - 1}]"
        twigs.append(Twig(key, name(part), _part(part, path, make, name, first + begin)))
    return twigs


def _part(
    part: Sequence[Any], path: str, make: Callable[[Any], Twig], name: Callable[[Sequence[Any]], Line], first: int
) -> Callable[[], Sequence[Twig]]:
    return lambda: _ranges(part, path, make, name, first)


def _numbers(part: Sequence[int]) -> Line:
    return ((f"[{part[0]:,}…{part[-1]:,}]", "quiet"),)


def _keys(part: Sequence[str]) -> Line:
    return (
        (_shown_key(part[0]), "key"),
        (" … ", "quiet"),
        (_shown_key(part[-1]), "key"),
        (f"  {len(part):,} keys", "quiet"),
    )

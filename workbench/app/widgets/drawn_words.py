"""What the tools of the toolbox draw, in a line of words. Pure; what is foreign in it is not made printable here."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.app.widgets.wrapping import overprinted
from workbench.harness.text import fold, printable
from workbench.harness.tools.toolbox.drawn import Code, Diff, Drawn, Output, Picture, Places, Words

LAST_CHARS = 200
"""Characters of the last line of an output that are told."""


def summary(blocks: Sequence[Drawn]) -> str:
    """What a result says, in one line: how many lines, matches, changes; and what was said about them."""
    return " · ".join(said for said in map(_said, blocks) if said)


def size_words(count: int, one: str, many: str | None = None) -> str:
    """How many there are: `1 line`, `1,204 lines`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def picture_words(picture: Picture) -> str:
    """An image in words: what it is, and how large."""
    size = f"{picture.width:,}×{picture.height:,} pixels"
    return f"{printable(fold(picture.mime_type[:60]))}, {size}, {picture.bytes:,} B"


def code_rows(text: str) -> list[str]:
    """The lines of a text: a line break ends one and begins none."""
    return text.removesuffix("\n").split("\n") if text else []


def _said(block: Drawn) -> str:
    match block:
        case Code():
            return size_words(len(code_rows(block.text)), "line") if block.text else ""
        case Diff():
            return f"+{_count(block, 'added')} -{_count(block, 'removed')}"
        case Output():
            rows = code_rows(block.text)
            last = overprinted(next((row for row in reversed(rows) if row.strip()), ""))
            return (
                last[:LAST_CHARS]
                if len(rows) == 1
                else f"{size_words(len(rows), 'line')}, the last: {last[:LAST_CHARS]}"
            )
        case Places():
            return _places_said(block)
        case Picture():
            return picture_words(block)
        case Words():
            return block.text


def _count(diff: Diff, kind: str) -> int:
    return sum(row.kind == kind for row in diff.rows)


def _places_said(places: Places) -> str:
    lines = [row for row in places.rows if row.line is not None]
    if not lines:
        return size_words(len(places.rows), "path")
    matches = sum(row.matched for row in lines)
    files = len({row.path for row in lines})
    return f"{size_words(matches, 'match', 'matches')} in {size_words(files, 'file')}"

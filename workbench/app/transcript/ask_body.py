"""The beginning of what an edit or a write is to put into a file, as lines for the question about it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from workbench.app.transcript.host_calls import count_lines, edit_pairs
from workbench.app.widgets.drawn import Piece, diff_rows
from workbench.app.widgets.wrapping import TAB
from workbench.harness.strict_json import as_object
from workbench.harness.text import printable
from workbench.harness.tools.toolbox.drawn import DiffRow, text_of

BODY_LINES = 16
"""Lines of it that are kept: no question shows more."""

LINE_CHARS = 400
"""Characters of a line that are shown."""

_SIGNS = {"added": "+ ", "removed": "- ", "context": "  "}


class Body(Struct, frozen=True):
    """The first lines, how many there are in all, and whether something within those that are shown is left out."""

    lines: tuple[tuple[Piece, ...], ...] = ()
    total: int = 0
    cut: bool = False


def body_of(tool: str, input: Any) -> Body:
    """What the call puts into a file; nothing for any other tool."""
    if tool == "write":
        return _written(text_of(as_object(input) or {}, "content"))
    return _edited(edit_pairs(as_object(input) or {})) if tool == "edit" else Body()


def _edited(pairs: Sequence[tuple[str, str]]) -> Body:
    rows: list[DiffRow] = []
    total = 0
    for place, (old, new) in enumerate(pairs):
        total += bool(place) + count_lines(old) + count_lines(new)
        if len(rows) < BODY_LINES:
            rows += [DiffRow("skipped", None, "")] if place else []
            rows += diff_rows(_begin(old), _begin(new))
    lines = [
        (("  …", "quiet"),) if row.kind == "skipped" else ((_SIGNS[row.kind], row.kind), (_shown(row.text), row.kind))
        for row in rows[:BODY_LINES]
    ]
    return Body(tuple(lines), total, any(len(row.text) > LINE_CHARS for row in rows[:BODY_LINES]))


def _begin(text: str) -> str:
    """The lines of a text that may be shown, and one more: an empty one at the end is none."""
    return "\n".join(text.split("\n", BODY_LINES + 1)[: BODY_LINES + 1])


def _written(content: str) -> Body:
    if not content:
        return Body(((("Nothing: the file is to be empty.", ""),),), 1)
    total = count_lines(content)
    begin = content[: BODY_LINES * LINE_CHARS * 2]
    rows = begin.removesuffix("\n").split("\n")[:BODY_LINES]
    whole = len(begin) == len(content) or len(rows) < begin.count("\n") + 1
    if not whole and len(rows) > 1:
        # The last of them goes on behind what was looked at.
        rows.pop()
    digits = len(str(len(rows)))
    lines = [((f"{number:>{digits}} ", "quiet"), (_shown(row), "added")) for number, row in enumerate(rows, 1)]
    return Body(tuple(lines), total, any(len(row) > LINE_CHARS for row in rows))


def _shown(line: str) -> str:
    """A line, printable; what ends lines as Windows does is not shown."""
    text = printable(line.removesuffix("\r")[:LINE_CHARS]).replace("\n", " ⏎ ").replace("\t", TAB)
    return f"{text}…" if len(line) > LINE_CHARS else text

"""How a row of a tree is laid out: how far it stands in, where its mark is, and how its text is broken. Pure."""

from __future__ import annotations

from workbench.app.widgets.lines.flow import flow
from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.outline.rows import Row
from workbench.app.widgets.wrapping import cells

FOLDED, UNFOLDED = "▸ ", "▾ "
"""Stand before what has something below it."""

INDENT = 2
"""Cells that each level stands further in."""

MIN_TEXT_CELLS = 8
"""What is left for a text however deep it stands."""


def indent_of(row: Row, width: int) -> int:
    """How far a row stands in: at most half the width, so that there is room for its text."""
    return min(row.depth * INDENT, max(width // 2, 0))


def height_of(row: Row, width: int) -> int:
    """About how many lines a row takes, by the number of characters."""
    room = max(width - indent_of(row, width) - len(FOLDED), MIN_TEXT_CELLS)
    return sum(max(1, -(-sum(cells(text) for text, _ in line) // room)) for line in (row.twig.line, *row.twig.rest))


def on_mark(row: Row, width: int, x: int) -> bool:
    """Whether a column of a row's first line is in the mark that folds it."""
    return row.twig.children is not None and 0 <= x - indent_of(row, width) < len(FOLDED)


def lines_of(row: Row, width: int) -> list[Line]:
    """The head behind its mark, and the rest under it."""
    into = indent_of(row, width)
    room = max(width - into - len(FOLDED), MIN_TEXT_CELLS)
    mark = "  " if row.twig.children is None else UNFOLDED if row.open else FOLDED
    # Where levels stand no further in, because there is no room left, the depth is said in a number.
    deep = [(f"{row.depth}: ", "later")] if row.depth * INDENT > into else []
    head = flow([*deep, *row.twig.line], room)
    first: list[Line] = [[(" " * into, ""), (mark, "heading"), *head[0]]]
    hang: Piece = (" " * (into + len(mark)), "")
    # What is said of a head stands further in, so that the next head is found at a glance.
    under: Piece = (" " * (into + len(mark) + INDENT), "")
    said = [[under, *line] for part in row.twig.rest for line in flow(part, max(room - INDENT, MIN_TEXT_CELLS))]
    return [*first, *([hang, *line] for line in head[1:]), *said]

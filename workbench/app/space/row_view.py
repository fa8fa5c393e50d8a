"""A list of rows of any number in one widget, which keeps its cursor and its place when it is told everything again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.space.actions import ROWS
from workbench.app.widgets.lines.flow import flow
from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import cells, fit
from workbench.harness.text import fold, printable

MIN_TAIL = 14
"""Cells that the right end of a row keeps where there is little room, so that a state can still be told."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: a head, something at the right end, notes below.

    `key` names what it stands for; without one the cursor passes it by. `gutter` stands before the head, `hang` is how
    far what comes below stands in. With `wraps` the whole head is shown, broken; without, it is cut to one line.
    `beside` is how many cells at the left a click acts on at once.
    """

    key: str | None
    head: tuple[Piece, ...]
    tail: Piece = ("", "")
    notes: tuple[Piece, ...] = ()
    gutter: str = ""
    hang: int = 2
    wraps: bool = False
    beside: int = 0


def text_row(text: str, look: str = "quiet", key: str | None = None) -> Row:
    """A paragraph."""
    return Row(key, ((printable(text), look),), wraps=True, hang=0)


def heading(text: str) -> Row:
    """A heading over rows."""
    return Row(None, ((fold(printable(text)), "heading"),), hang=0)


class RowView(LineView, inherit_bindings=False):
    """The rows."""

    BINDINGS = bindings(*ROWS)
    COMPONENT_CLASSES: ClassVar[set[str]] = {"lineview--warn"}
    DEFAULT_CSS = """
    RowView > .lineview--warn { color: $text-warning; }
    """

    class Pressed(Message):
        """The switch of a row was clicked."""

        def __init__(self, view: RowView, key: str) -> None:
            super().__init__()
            self.view = view
            self.key = key

        @property
        def control(self) -> RowView:
            """The list."""
            return self.view

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: tuple[Row, ...] = ()

    # What is shown ----------------------------------------------------------------------------------------------

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows."""
        return self._rows

    @property
    def key(self) -> str | None:
        """What the cursor is on."""
        return self._rows[self.cursor].key if self.cursor is not None and self.cursor < len(self._rows) else None

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows. The cursor stays on what it was on, or where it was when that is gone."""
        rows = tuple(rows)
        if rows == self._rows:
            return
        key, place = self.key, self.cursor
        kept = len(rows) == len(self._rows) and all(
            new.key == old.key for new, old in zip(rows, self._rows, strict=True)
        )
        if kept:
            changed = [at for at, (new, old) in enumerate(zip(rows, self._rows, strict=True)) if new != old]
            self._rows = rows
            self.update_items(len(rows), changed)
            return
        into = 0 if place is None else self._heights.top(place) - int(self.scroll_offset.y)
        self._rows = rows
        self.reset(len(rows))
        self.cursor = self._place_of(key, place)
        if place is not None and self.cursor is not None:
            self._go(self._heights.top(self.cursor) - into)
        self.refresh()

    def go(self, key: str) -> bool:
        """Put the cursor on a row; whether there is one of that key."""
        for index, row in enumerate(self._rows):
            if row.key == key:
                self.move_to(index)
                return True
        return False

    def _place_of(self, key: str | None, place: int | None) -> int | None:
        if key is not None:
            for index, row in enumerate(self._rows):
                if row.key == key:
                    return index
        at = min(place or 0, len(self._rows) - 1)
        after = (index for index in range(max(at, 0), len(self._rows)) if self._rows[index].key is not None)
        before = (index for index in range(at, -1, -1) if self._rows[index].key is not None)
        return next(after, next(before, None))

    # What a list of lines asks ----------------------------------------------------------------------------------

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        row = self._rows[index]
        room = max(width - len(row.gutter), 8)
        head = -(-sum(cells(text) for text, _ in row.head) // room) if row.wraps else 1
        notes = sum(max(1, -(-cells(text) // max(room - row.hang, 8))) for text, _ in row.notes)
        return max(head, 1) + notes

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The head with its right end, broken or cut; the notes under it."""
        row = self._rows[index]
        room = max(width - len(row.gutter), 8)
        heads: list[list[Piece]] = flow(row.head, room) if row.wraps else [_ends(row.head, row.tail, room)]
        blank: Piece = (" " * len(row.gutter), "")
        lines: list[list[Piece]] = [
            [(row.gutter, "quiet") if number == 0 else blank, *line] for number, line in enumerate(heads)
        ]
        hang: Piece = (" " * (len(row.gutter) + row.hang), "")
        for note in row.notes:
            lines += [[hang, *line] for line in flow((note,), max(room - row.hang, 8))]
        return lines

    # Keys and pointer -------------------------------------------------------------------------------------------

    def near(self, index: int | None, step: int) -> int | None:
        """The next row that can be chosen."""
        at = super().near(-1 if index is None and step > 0 else index, step)
        while at is not None and self._rows[at].key is None:
            at = super().near(at, step)
        return at

    def move_to(self, index: int | None) -> None:
        """Put the cursor on a row; what stands above the first one comes into view with it."""
        super().move_to(index)
        if index is not None and self.near(index, -1) is None:
            self._go(0)

    def action_move(self, step: int) -> None:
        """Move the cursor; past the last row that can be chosen, scroll."""
        to = self.near(self.cursor, step)
        if to is not None:
            self.move_to(to)
        else:
            self.scroll_by_lines(step)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what fits on the screen."""
        if not self._heights.total:
            return
        lines = pages * max(self.size.height - 1, 1)
        at = self._heights.top(self.cursor) if self.cursor is not None else int(self.scroll_offset.y)
        self.scroll_by_lines(lines)
        found = self._place_of(None, self._heights.find(at + lines))
        if found is not None and found != self.cursor:
            self.move_to(found)

    def action_follow(self) -> None:
        """Go to the last row."""
        last = self.near(self.items, -1)
        if last is not None:
            self.move_to(last)
        self.scroll_by_lines(self._heights.total)

    def on_click(self, event: events.Click) -> None:
        """Choose what is clicked; on its switch also press it. A second click opens a row that has none."""
        # Textual would go on to the handler of the base, which knows no switches.
        event.prevent_default()
        y = event.y + int(self.scroll_offset.y)
        if not self._heights.total or y >= self._heights.total:
            return
        index = self._heights.find(y)
        row = self._rows[index]
        if row.key is None:
            return
        again = index == self.cursor
        self.move_to(index)
        if 0 < event.x <= row.beside and y == self._heights.top(index):
            self.post_message(self.Pressed(self, row.key))
        elif again and not row.beside:
            self.post_message(self.Opened(self, index))


def _ends(head: tuple[Piece, ...], tail: Piece, room: int) -> list[Piece]:
    """One line: the head at the left, the tail at the right; the tail is cut first, but not below `MIN_TAIL`."""
    wide = sum(cell_len(text) for text, _ in head)
    if not tail[0]:
        return _cut(head, room)
    right = fit(tail[0], max(room - wide - 1, min(MIN_TAIL, room // 2)))
    left = _cut(head, max(room - cell_len(right) - 1, 1))
    used = sum(cell_len(text) for text, _ in left) + cell_len(right)
    return [*left, (" " * max(room - used, 1), ""), (right, tail[1])]


def _cut(head: tuple[Piece, ...], room: int) -> list[Piece]:
    out: list[Piece] = []
    for text, look in head:
        if room <= 0:
            break
        shown = fit(text, room)
        out.append((shown, look))
        room -= cell_len(shown)
    return out

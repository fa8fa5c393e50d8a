"""The tree on the screen: what keys and the pointer do in it, and what stays where it is as it is folded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar

from textual import events
from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import toast
from workbench.app.widgets.outline.actions import OUTLINE
from workbench.app.widgets.outline.layout import height_of, lines_of, on_mark
from workbench.app.widgets.outline.rows import Row, above, end_of, grown, place_of
from workbench.app.widgets.outline.twig import Twig


class Outline(LineView):
    """The tree. A twig's lines are broken where they do not fit, and go on below its text, not below its mark."""

    BINDINGS = bindings(*OUTLINE)
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lineview--{look}" for look in ("key", "text", "number", "word")}
    DEFAULT_CSS = """
    Outline > .lineview--key { color: $text-primary; }
    Outline > .lineview--text { color: $text-success; }
    Outline > .lineview--number { color: $text-warning; }
    Outline > .lineview--word { color: $text-accent; }
    """

    class Moved(LineView.Moved):
        """The cursor went to another twig."""

        @property
        def twig(self) -> Twig | None:
            """The twig at the cursor."""
            return self.view.twig if isinstance(self.view, Outline) else None

    class Chosen(Message):
        """Somebody wants to see a leaf whole."""

        def __init__(self, outline: Outline, twig: Twig) -> None:
            super().__init__()
            self.outline = outline
            self.twig = twig

        @property
        def control(self) -> Outline:
            """The tree."""
            return self.outline

    def __init__(self, *, id: str | None = None, empty: Sequence[str] = ()) -> None:
        """`empty` is what is said where there is nothing."""
        super().__init__(id=id)
        self._rows: list[Row] = []
        self._folds: dict[str, bool] = {}
        self._open: Callable[[str, int], bool] = lambda key, depth: False
        self._empty = empty

    # What is shown ----------------------------------------------------------------------------------------------

    def show(
        self,
        twigs: Sequence[Twig],
        *,
        open: Collection[str] | Callable[[str, int], bool] = (),
        anew: bool = False,
    ) -> None:
        """Show these twigs. What was folded, unfolded, scrolled to and chosen stays so where it is still there.

        `open` says which twigs begin unfolded: their keys, or a rule over key and depth (0 at the top); it unfolds at
        most `MAX_UNFOLDED` lines. With `anew` nothing of what was shown is kept.
        """
        if anew:
            self._folds.clear()
        self._open = open if callable(open) else lambda key, depth: key in open
        before = self._item_lines.anchor(int(self.scroll_offset.y)) if not anew else None
        top = self._rows[before[0]].twig.key if before else None
        at = self.twig.key if self.twig is not None and not anew else None
        rows = [*grown([(twig, 0) for twig in twigs], self._open, self._folds)]
        places = {row.twig.key: index for index, row in enumerate(rows)} if top or at else {}
        room = self._room
        self._put(rows, [height_of(row, room) for row in rows])
        self.cursor = places.get(at or "", 0 if rows else None)
        to = places.get(top or "")
        self._go(self._heights.top(to) + (before[1] if before else 0) if to is not None else 0)

    @property
    def twig(self) -> Twig | None:
        """The twig at the cursor."""
        return self._rows[self.cursor].twig if self.cursor is not None and self.cursor < len(self._rows) else None

    @property
    def opened(self) -> frozenset[str]:
        """The keys of what is unfolded."""
        return frozenset(row.twig.key for row in self._rows if row.open)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of what is not hidden in a folded twig, from the top."""
        return tuple(row.twig.key for row in self._rows)

    def go(self, key: str) -> bool:
        """Put the cursor on a twig that is not hidden; whether there is one of that key."""
        index = place_of(self._rows, key)
        if index is not None:
            self.move_to(index)
        return index is not None

    def set_open(self, key: str, open: bool) -> bool:
        """Unfold or fold a twig that is not hidden; whether there is one of that key with something below it."""
        index = place_of(self._rows, key)
        if index is None:
            return False
        self._turn(index, open)
        return self._rows[index].twig.children is not None

    # What a list of lines asks ----------------------------------------------------------------------------------

    def nothing(self) -> Sequence[str]:
        """What was said at the beginning."""
        return self._empty

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        return height_of(self._rows[index], width)

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The head behind its mark, and the rest under it."""
        return lines_of(self._rows[index], width)

    # Keys and pointer -------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Unfold or fold what is at the cursor; choose a leaf."""
        self._use(self.cursor)

    def action_unfold(self) -> None:
        """Unfold what is at the cursor; if it is unfolded, go to the first thing in it."""
        index = self.cursor
        if index is None or self._rows[index].twig.children is None:
            return
        if not self._rows[index].open:
            self._turn(index, True)
        elif index + 1 < len(self._rows) and self._rows[index + 1].depth > self._rows[index].depth:
            self.move_to(index + 1)

    def action_fold(self) -> None:
        """Fold what is at the cursor; if there is nothing to fold, go to what it is in."""
        index = self.cursor
        if index is None:
            return
        if self._rows[index].open:
            self._turn(index, False)
            return
        around = above(self._rows, index)
        if around is not None:
            self.move_to(around)

    def action_unfold_all(self) -> None:
        """Unfold everything below the cursor, up to a number of lines."""
        index = self.cursor
        if index is None or self._rows[index].twig.children is None:
            return
        row = self._rows[index]
        unfolded = {key: open for key, open in self._folds.items() if open} | {row.twig.key: True}
        below = [*grown([(row.twig, row.depth)], lambda key, depth: True, unfolded)]
        self._folds |= {row.twig.key: row.open for row in below if row.twig.children is not None}
        self._splice(index, end_of(self._rows, index), below)
        self._reveal(index)
        left = sum(1 for row in below if row.twig.children is not None and not row.open)
        if left:
            toast(self.app, f"{len(below):,} lines are unfolded; {left:,} of them stay folded. Go there and press *.")

    def action_follow(self) -> None:
        """Go to the last line."""
        last = self.near(self.items, -1)
        if last is not None:
            self.move_to(last)

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        to = self.near(self.cursor, step)
        if to is not None:
            self.move_to(to)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what fits on the screen."""
        if not self._heights.total:
            return
        lines = pages * max(self.size.height - 1, 1)
        at = self._heights.top(self.cursor) if self.cursor is not None else 0
        self.scroll_by_lines(lines)
        self.move_to(self._heights.find(at + lines))

    def on_click(self, event: events.Click) -> None:
        """Select what is clicked; a click on the mark folds, and so does a second click."""
        y = event.y + int(self.scroll_offset.y)
        if not self._heights.total or y >= self._heights.total:
            return
        event.stop()
        # What every list of lines does with a click would follow.
        event.prevent_default()
        index = self._heights.find(y)
        row = self._rows[index]
        marked = y == self._heights.top(index) and on_mark(row, self._room, event.x - 1)
        again = index == self.cursor
        self.move_to(index)
        if again or marked:
            self._use(index)

    # Inside -----------------------------------------------------------------------------------------------------

    def _use(self, index: int | None) -> None:
        if index is None:
            return
        row = self._rows[index]
        self.move_to(index)
        if row.twig.children is None:
            self.post_message(self.Chosen(self, row.twig))
        else:
            self._turn(index, not row.open)

    def _turn(self, index: int, open: bool) -> None:
        """Fold or unfold one row."""
        row = self._rows[index]
        if row.twig.children is None or row.open == open:
            return
        self._folds[row.twig.key] = open
        self._splice(index, end_of(self._rows, index), [*grown([(row.twig, row.depth)], self._open, self._folds)])
        if open:
            self._reveal(index)

    def _reveal(self, index: int) -> None:
        """Bring what is below a row into view, as far as there is room under the row."""
        view, end = self.size.height, end_of(self._rows, index)
        for near in range(index, min(end, index + view)):
            self._item_lines.of(near)
        self._measure()
        top, bottom, y = self._heights.top(index), self._heights.top(end), int(self.scroll_offset.y)
        if bottom > y + view:
            self._go(min(top, bottom - view))
        self.refresh()

    def _splice(self, index: int, end: int, rows: list[Row]) -> None:
        """Put other rows in the place of some of which the first stays; what is in view stays where it is."""
        added = len(rows) - (end - index)

        def moved(place: int) -> int:
            return place if place <= index else index if place < end else place + added

        before, cursor = self._item_lines.anchor(int(self.scroll_offset.y)) or (0, 0), self.cursor
        room = self._room
        known = [self._heights[place] for place in range(len(self._rows))]
        known[index:end] = [height_of(row, room) for row in rows]
        self._put(self._rows[:index] + rows + self._rows[end:], known)
        top, into = before
        self._go(self._heights.top(moved(top)) + (0 if index < top < end else into))
        if cursor is not None and moved(cursor) == index != cursor:
            self.move_to(index)
        elif cursor is not None:
            self.cursor = moved(cursor)

    def _put(self, rows: list[Row], heights: list[int]) -> None:
        self._rows = rows
        self._item_lines.put(heights)
        self._arrange()

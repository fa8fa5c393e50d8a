"""A tree that is folded and unfolded, of any size, in one widget: what is folded is not even made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec import Struct
from textual import events
from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.widgets.flow import flow
from workbench.app.widgets.heights import Heights
from workbench.app.widgets.line_view import Line, LineView, Piece
from workbench.app.widgets.literal import toast
from workbench.app.widgets.outline_actions import OUTLINE
from workbench.app.widgets.wrapping import cells
from workbench.harness.errors import HarnessError
from workbench.harness.text import printable

FOLDED, UNFOLDED = "▸ ", "▾ "
"""Stand before what has something below it."""

INDENT = 2
"""Cells that each level stands further in."""

MAX_UNFOLDED = 2_000
"""How many lines one key, or a rule at the beginning, unfolds; further down it takes another key."""


class Twig(Struct, frozen=True):
    """A node of the tree.

    `key` is its path: stable, and unique in the tree. `line` is its head in printable pieces, `rest` are lines under
    the head, such as a description. `children` makes what is below when it is unfolded; None says that it is a leaf.
    It is called on the UI thread, so it must be quick; a HarnessError of it is shown in its place.
    """

    key: str
    line: Line
    children: Callable[[], Sequence[Twig]] | None = None
    rest: tuple[Line, ...] = ()


class _Row(Struct, frozen=True):
    """A twig that is not hidden in a folded one."""

    twig: Twig
    depth: int
    open: bool = False


class Outline(LineView):
    """The tree. A twig's lines are broken where they do not fit, and go on below its text, not below its mark."""

    BINDINGS = bindings(*OUTLINE)
    LOOKS: ClassVar[tuple[str, ...]] = (*LineView.LOOKS, "key", "text", "number", "word")
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
        self._rows: list[_Row] = []
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
        before = self._anchor() if self.items and not anew else None
        top = self._rows[before[0]].twig.key if before else None
        at = self.twig.key if self.twig is not None and not anew else None
        rows = [*_grown([(twig, 0) for twig in twigs], self._open, self._folds)]
        places = {row.twig.key: index for index, row in enumerate(rows)} if top or at else {}
        self._put(rows, [self._guess(row) for row in rows])
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
        for index, row in enumerate(self._rows):
            if row.twig.key == key:
                self.move_to(index)
                return True
        return False

    def set_open(self, key: str, open: bool) -> bool:
        """Unfold or fold a twig that is not hidden; whether there is one of that key with something below it."""
        for index, row in enumerate(self._rows):
            if row.twig.key == key:
                self._turn(index, open)
                return row.twig.children is not None
        return False

    # What a list of lines asks ----------------------------------------------------------------------------------

    def nothing(self) -> Sequence[str]:
        """What was said at the beginning."""
        return self._empty

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        return self._guess(self._rows[index])

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The head behind its mark, and the rest under it."""
        row = self._rows[index]
        into = self._into(row)
        room = max(width - into - len(FOLDED), 8)
        mark = "  " if row.twig.children is None else UNFOLDED if row.open else FOLDED
        # Where levels stand no further in, because there is no room left, the depth is said in a number.
        deep = [(f"{row.depth}: ", "later")] if row.depth * INDENT > into else []
        head = flow([*deep, *row.twig.line], room)
        first: list[Line] = [[(" " * into, ""), (mark, "heading"), *head[0]]]
        hang: Piece = (" " * (into + len(mark)), "")
        # What is said of a head stands further in, so that the next head is found at a glance.
        under: Piece = (" " * (into + len(mark) + INDENT), "")
        said = [[under, *line] for part in row.twig.rest for line in flow(part, max(room - INDENT, 8))]
        return [*first, *([hang, *line] for line in head[1:]), *said]

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
        depth = self._rows[index].depth
        above = next((near for near in range(index - 1, -1, -1) if self._rows[near].depth < depth), None)
        if above is not None:
            self.move_to(above)

    def action_unfold_all(self) -> None:
        """Unfold everything below the cursor, up to a number of lines."""
        index = self.cursor
        if index is None or self._rows[index].twig.children is None:
            return
        row = self._rows[index]
        unfolded = {key: open for key, open in self._folds.items() if open} | {row.twig.key: True}
        below = [*_grown([(row.twig, row.depth)], lambda key, depth: True, unfolded)]
        self._folds |= {grown.twig.key: grown.open for grown in below if grown.twig.children is not None}
        self._splice(index, self._end(index), below)
        self._reveal(index)
        left = sum(1 for grown in below if grown.twig.children is not None and not grown.open)
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
        on_mark = y == self._heights.top(index) and 0 <= event.x - 1 - self._into(row) < len(FOLDED)
        again = index == self.cursor
        self.move_to(index)
        if again or (on_mark and row.twig.children is not None):
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
        self._splice(index, self._end(index), [*_grown([(row.twig, row.depth)], self._open, self._folds)])
        if open:
            self._reveal(index)

    def _reveal(self, index: int) -> None:
        """Bring what is below a row into view, as far as there is room under the row."""
        view, end = self.size.height, self._end(index)
        for near in range(index, min(end, index + view)):
            self._lines(near)
        self._measure()
        top, bottom, y = self._heights.top(index), self._heights.top(end), int(self.scroll_offset.y)
        if bottom > y + view:
            self._go(min(top, bottom - view))
        self.refresh()

    def _splice(self, index: int, end: int, rows: list[_Row]) -> None:
        """Put other rows in the place of some of which the first stays; what is in view stays where it is."""
        added = len(rows) - (end - index)

        def moved(place: int) -> int:
            return place if place <= index else index if place < end else place + added

        before, cursor = self._anchor() or (0, 0), self.cursor
        known = [self._heights[place] for place in range(len(self._rows))]
        known[index:end] = [self._guess(row) for row in rows]
        self._put(self._rows[:index] + rows + self._rows[end:], known)
        top, into = before
        self._go(self._heights.top(moved(top)) + (0 if index < top < end else into))
        if cursor is not None and moved(cursor) == index != cursor:
            self.move_to(index)
        elif cursor is not None:
            self.cursor = moved(cursor)

    def _put(self, rows: list[_Row], heights: list[int]) -> None:
        self._rows = rows
        self._broken.clear()
        self._heights = Heights(heights)
        self._arrange()

    def _end(self, index: int) -> int:
        """Where what is below a row ends."""
        depth = self._rows[index].depth
        return next(
            (below for below in range(index + 1, len(self._rows)) if self._rows[below].depth <= depth), len(self._rows)
        )

    def _guess(self, row: _Row) -> int:
        room = max(self._room - self._into(row) - len(FOLDED), 8)
        return sum(max(1, -(-sum(cells(text) for text, _ in line) // room)) for line in (row.twig.line, *row.twig.rest))

    def _into(self, row: _Row) -> int:
        """How far a row stands in: at most half the width, so that there is room for its text."""
        return min(row.depth * INDENT, max(self._room // 2, 0))


def _grown(
    twigs: Sequence[tuple[Twig, int]], rule: Callable[[str, int], bool], folds: Mapping[str, bool]
) -> Iterator[_Row]:
    """Rows for twigs and for what is below those that are open: by somebody's choice, or by a rule.

    The rule unfolds only as long as there is room for the lines.
    """
    room = MAX_UNFOLDED
    stack = [iter(twigs)]
    while stack:
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
            continue
        twig, depth = found
        chosen = folds.get(twig.key)
        open = twig.children is not None and (room > 0 and rule(twig.key, depth) if chosen is None else chosen)
        below = _children(twig) if open else ()
        if chosen is None and depth and len(below) > room:
            open, below = False, ()
        room -= len(below)
        yield _Row(twig, depth, open)
        if open:
            stack.append(iter([(child, depth + 1) for child in below]))


def _children(twig: Twig) -> Sequence[Twig]:
    """What is below a twig; where that cannot be found out, a leaf that says why."""
    assert twig.children is not None
    try:
        return twig.children()
    except HarnessError as error:
        return (Twig(f"{twig.key}\0fault", (("✗ ", "bad"), (printable(error.message), ""))),)

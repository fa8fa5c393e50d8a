"""The list at the left of the Tools tab."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.tools.list_actions import LIST
from workbench.app.tools.rows import GROUPS, Group, ToolRow
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import fit
from workbench.harness.text import fold, printable

TONES = {
    "plain": "$text-muted",
    "good": "$text-success",
    "given": "bold $text-accent",
    "off": "$text-muted",
    "draft": "bold $text-warning",
    "changed": "bold $text-warning",
}
"""The tones of a state as styles of content."""

_LOOKS = {"plain": "quiet", "good": "good", "given": "given", "off": "quiet", "draft": "draft", "changed": "draft"}

MIN_STATE = 13
"""Cells that the state keeps, so that it can still be told."""


class Heading(Struct, frozen=True):
    """The line above the members of a group."""

    group: Group
    name: str
    members: int
    folded: bool


Item = Heading | ToolRow


def items_of(rows: Iterable[ToolRow], folded: Collection[Group] = ()) -> list[Item]:
    """The lines of the list: each group under its heading, the members of a folded one left out.

    While a filter puts names that match first, a group may come twice, each time with its own heading.
    """
    items: list[Item] = []
    for _, run in groupby(rows, key=lambda row: row.group):
        members = list(run)
        group = members[0].group
        shut = group in folded
        items.append(Heading(group, GROUPS[group], len(members), shut))
        if not shut:
            items += members
    return items


class ToolList(LineView):
    """Tools under the headings of their groups, thousands of them: only what is in view is laid out.

    The cursor passes over the heading of a group that is open, and stands on that of a folded one.
    """

    BINDINGS = bindings(*LIST)
    COMPONENT_CLASSES: ClassVar[set[str]] = {"lineview--given", "lineview--draft"}
    DEFAULT_CSS = """
    ToolList { background: $background; }
    ToolList > .lineview--given { color: $text-accent; text-style: bold; }
    ToolList > .lineview--draft { color: $text-warning; text-style: bold; }
    """

    class Highlighted(Message):
        """The cursor went to a tool."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Chosen(Message):
        """Somebody wants to work with a tool."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.rows: tuple[ToolRow, ...] = ()
        self._items: list[Item] = []
        self._places: dict[str, int] = {}
        self._folded: set[Group] = set()

    # What is shown ----------------------------------------------------------------------------------------------

    def fill(self, rows: Sequence[ToolRow], selected: str | None, *, gone: bool = False) -> None:
        """Show these rows. Where only states changed the list stays as it is scrolled.

        `gone` says that there is no such tool any more: then the cursor goes to what took its place.
        """
        new = tuple(rows)
        if new == self.rows:
            return
        self.rows = new
        items = items_of(new, self._folded)
        if [_place(item) for item in items] == [_place(item) for item in self._items]:
            changed = [at for at, (before, item) in enumerate(zip(self._items, items, strict=True)) if before != item]
            self._items = items
            self.update_items(len(items), changed)
        else:
            self._put(items, selected, gone=gone)

    def _put(self, items: list[Item], selected: str | None, *, gone: bool = False) -> None:
        y, before = int(self.scroll_offset.y), self.cursor
        self._items = items
        self._places = {item.key: at for at, item in enumerate(items) if isinstance(item, ToolRow)}
        self.reset(len(items))
        self.scroll_by_lines(y)
        if gone and before is not None and items:
            beside = self.near(min(before, len(items)) - 1, 1)
            self.move_to(beside if beside is not None else self.near(len(items), -1))
        else:
            self.select(selected)

    def select(self, key: str | None) -> None:
        """Put the cursor on a tool; on the first one where it is not in the list."""
        row = next((row for row in self.rows if row.key == key), None)
        if row is not None and row.group in self._folded:
            self._folded.discard(row.group)
            self._put(items_of(self.rows, self._folded), key)
            return
        place = self._places.get(key or "", self.near(-1, 1))
        if place is not None and place != self.cursor:
            self.move_to(place)

    def fold(self, group: Group) -> None:
        """Fold a group, or unfold it."""
        self._folded.symmetric_difference_update({group})
        self._put(items_of(self.rows, self._folded), None)
        heading = next(at for at, item in enumerate(self._items) if isinstance(item, Heading) and item.group == group)
        self.move_to(heading if group in self._folded else heading + 1)

    def action_fold(self) -> None:
        """Fold the group at the cursor, or unfold it."""
        item = self._at_cursor()
        if item is not None:
            self.fold(item.group)

    def nothing(self) -> Sequence[str]:
        """What the tab says below is enough."""
        return ()

    # Lines ------------------------------------------------------------------------------------------------------

    def estimate(self, index: int, width: int) -> int:
        """Each item is one line, exactly."""
        return 1

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The line of a heading or a tool."""
        item = self._items[index]
        if isinstance(item, Heading):
            count = f"{item.members:,}"
            mark = "▸" if item.folded else "▾"
            return [_ends([(f"{mark} ", "quiet"), (item.name.upper(), "heading")], count, "quiet", width)]
        look = _LOOKS[item.tone]
        name = "quiet" if item.tone == "off" else ""
        left = [(f" {item.glyph} ", look), (printable(fold(item.name)), name)]
        state = printable(fold(item.state))
        if item.tone == "good" and sum(cell_len(text) for text, _ in left) + cell_len(state) + 2 > width:
            # Of what is as it should be the glyph says enough; the name is what one looks for.
            state = ""
        return [_ends(left, state, look, width)]

    # Moving -----------------------------------------------------------------------------------------------------

    def near(self, index: int | None, step: int) -> int | None:
        """The next line that the cursor may stand on."""
        at = super().near(index, step)
        while at is not None and isinstance(heading := self._items[at], Heading) and not heading.folded:
            at = super().near(at, 1 if step > 0 else -1)
        return at

    def action_move(self, step: int) -> None:
        """Move the cursor; it stays at the ends."""
        to = self.near(self.cursor, step)
        if to is not None:
            self.move_to(to)

    def action_follow(self) -> None:
        """Go to the last tool."""
        last = self.near(self.items, -1)
        if last is not None:
            self.move_to(last)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what fits on the screen."""
        at = (self.cursor or 0) + pages * max(self.size.height - 1, 1)
        step = -1 if pages > 0 else 1
        to = self.near(min(max(at, 0), self.items - 1) - step, step)
        if to is not None:
            self.move_to(to)

    def action_open(self) -> None:
        """Work with the tool at the cursor; unfold the group at the cursor."""
        item = self._at_cursor()
        if isinstance(item, ToolRow):
            self.post_message(self.Chosen(item.key))
        elif item is not None:
            self.fold(item.group)

    def on_click(self, event: events.Click) -> None:
        """Select what is clicked; a second click works with it; a heading folds."""
        at = event.y + int(self.scroll_offset.y)
        if at < len(self._items) and isinstance(item := self._items[at], Heading):
            event.prevent_default()
            self.fold(item.group)

    def on_line_view_opened(self, event: LineView.Opened) -> None:
        """A second click is as enter."""
        event.stop()
        self.action_open()

    def move_to(self, index: int | None) -> None:
        """Put the cursor on a line, and say which tool that is."""
        super().move_to(index)
        if index is not None and index == self.near(-1, 1):
            # Above the first there is only a heading, to which the cursor does not go.
            self._go(0)
        item = self._at_cursor()
        if isinstance(item, ToolRow):
            self.post_message(self.Highlighted(item.key))

    def _at_cursor(self) -> Item | None:
        return self._items[self.cursor] if self.cursor is not None and self.cursor < len(self._items) else None


def _place(item: Item) -> tuple[str, str]:
    return (item.group, item.key if isinstance(item, ToolRow) else "")


def _ends(left: list[tuple[str, str]], right: str, look: str, width: int) -> Line:
    """A line with something at both ends. Where both do not fit the right one is cut first, to `MIN_STATE` at most."""
    used = sum(cell_len(text) for text, _ in left)
    right = fit(right, max(width - used - 2, min(MIN_STATE, width // 2)))
    room = max(width - cell_len(right) - 2, 0)
    if used > room:
        text, name_look = left[-1]
        text = fit(text, max(room - (used - cell_len(text)), 0))
        left = [*left[:-1], (text, name_look)]
        used = sum(cell_len(text) for text, _ in left)
    return [*left, (" " * max(width - used - cell_len(right) - 1, 1), ""), (right, look)]

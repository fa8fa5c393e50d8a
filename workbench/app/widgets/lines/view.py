"""A scrolling list of items that are several lines high, of any length, in one widget.

Only what is in view is broken into lines; everything else has an estimated height. So it opens, grows, scrolls and
changes its width at the same cost with a hundred items as with a hundred thousand.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.app.actions import bindings
from workbench.app.widgets.lines.actions import LINES
from workbench.app.widgets.lines.heights import Heights
from workbench.app.widgets.lines.item_lines import ItemLines
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.wrapping import wrap
from workbench.harness.text import printable

ESTIMATED_ANEW = 2_000
"""Of so many items at most the heights are estimated anew in another width: that is not seen as a wait."""

MARK = "›"
"""Stands before the item at the cursor, so that it is seen without colour."""


class LineView(ScrollView, can_focus=True):
    """The base of such lists. Its first column belongs to the cursor's mark; items get the rest of the width.

    While it follows, the end stays in view as items come; it stops following when somebody scrolls up, or the item at
    the cursor would leave the view, and goes on once the end is in view again. A look is a component class,
    `lineview--LOOK`.
    """

    ALLOW_SELECT = False
    BINDINGS = bindings(*LINES)
    LOOKS: ClassVar[tuple[str, ...]] = ("strong", "quiet", "good", "bad", "mark", "heading", "agent", "cursor", "later")
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lineview--{look}" for look in LOOKS}
    DEFAULT_CSS = """
    LineView { height: 1fr; width: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    LineView > .lineview--strong { text-style: bold; }
    LineView > .lineview--quiet { color: $text-muted; }
    LineView > .lineview--good { color: $text-success; }
    LineView > .lineview--bad { color: $text-error; text-style: bold; }
    LineView > .lineview--mark { color: $text-accent; background: $accent 12%; text-style: bold; }
    LineView > .lineview--heading { color: $text-primary; text-style: bold; }
    LineView > .lineview--agent { color: $text-primary; text-style: bold; }
    LineView > .lineview--cursor { background: $surface-lighten-1; }
    LineView:focus > .lineview--cursor { background: $block-cursor-background; }
    LineView > .lineview--later { color: $text-disabled; text-style: not bold; }
    """

    following = var(False)
    """Whether the end stays in view as items come."""

    class Moved(Message):
        """The cursor went to another item, or nowhere."""

        def __init__(self, view: LineView, index: int | None) -> None:
            super().__init__()
            self.view = view
            self.index = index

        @property
        def control(self) -> LineView:
            """The list."""
            return self.view

    class Opened(Message):
        """Somebody wants to see an item whole."""

        def __init__(self, view: LineView, index: int) -> None:
            super().__init__()
            self.view = view
            self.index = index

        @property
        def control(self) -> LineView:
            """The list."""
            return self.view

    def __init__(self, *, id: str | None = None, follow: bool = False) -> None:
        super().__init__(id=id)
        self._item_lines = ItemLines[Strip](self._strips)
        self._looks: dict[str, Style] = {}
        self._ground: Style | None = None
        self._placing = False
        self._wide = self._high = 0
        self.cursor: int | None = None
        """The item at the cursor."""
        self.following = follow

    # What a list says of itself ---------------------------------------------------------------------------------

    @abstractmethod
    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """An item, broken into lines of at most `width` cells; no lines for an item that takes no place."""

    @abstractmethod
    def estimate(self, index: int, width: int) -> int:
        """About how many lines that will be, without work; 0 exactly where an item takes no place."""

    def nothing(self) -> Sequence[str]:
        """What is shown while there are no items: what would be here, and how it gets here."""
        return ()

    def reached(self, index: int) -> int:
        """The item that a click on an item chooses."""
        return index

    def look_of(self, index: int) -> str:
        """A look that lies over a whole item."""
        return ""

    # Changing ---------------------------------------------------------------------------------------------------

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self._item_lines)

    def reset(self, items: int) -> None:
        """Begin anew, with so many items."""
        self._estimate_all(items)
        self.cursor = None
        self._arrange()
        if not self.following:
            self._go(0)

    def update_items(self, items: int, changed: Sequence[int], *, anew: int | None = None) -> None:
        """There are so many items now, and those at `changed`, in order, are new or different.

        From `anew` on they are others than before, and there may be fewer of them. What changed above does not move
        what is being looked at.
        """
        room, top = self._estimating, int(self.scroll_offset.y)
        held = self.following and self._marked(self.size.height)
        to = self._item_lines.update(items, changed, lambda index: self.estimate(index, room), top, anew=anew)
        if anew is not None and self.cursor is not None and self.cursor >= items:
            self.cursor = None
        self._arrange()
        if to is not None and not self.following:
            self._go(to)
        if held and not self._marked(self.size.height):
            self._bring_into_view()

    def repaint_items(self) -> None:
        """Nothing changed but how items look: paint anew what is in view."""
        self._item_lines.forget()
        self.refresh()

    def rebreak(self) -> None:
        """The text of items may be different though their number is not: break anew what is in view."""
        self._item_lines.forget()
        self._arrange()

    def follow(self) -> None:
        """Go to the end and stay there."""
        self.following = True
        self.move_to(None)
        self._arrange()

    def move_to(self, index: int | None) -> None:
        """Put the cursor on an item and bring it into view."""
        moved = index != self.cursor
        self.cursor = index
        self._bring_into_view()
        self.refresh()
        if moved:
            self.post_message(self.Moved(self, index))

    def near(self, index: int | None, step: int) -> int | None:
        """The next item with a height in a direction; from the end where there is no cursor."""
        if index is None:
            index, step = (self.items, -1) if self.following or step < 0 else (-1, 1)
        return self._item_lines.near(index, step)

    # Keys and pointer; bindings are made where the list is used -------------------------------------------------

    def action_move(self, step: int) -> None:
        """Move the cursor; down from the last item goes back to following."""
        to = self.near(self.cursor, step)
        if to is not None:
            self.move_to(to)
        elif step > 0:
            self.follow()

    def action_page(self, pages: int) -> None:
        """Move by what fits on the screen."""
        self.scroll_by_lines(pages * max(self.size.height - 1, 1))

    def scroll_by_lines(self, lines: int) -> None:
        """Scroll by so many lines; the cursor stays."""
        self._go(int(self.scroll_offset.y) + lines, by_user=True)

    def action_first(self) -> None:
        """Go to the first item."""
        self.following = False
        first = self.near(-1, 1)
        if first is not None:
            self.move_to(first)

    def action_follow(self) -> None:
        """Go to the end and follow it."""
        self.follow()

    def action_open(self) -> None:
        """See the item at the cursor whole; without a cursor, the last one."""
        index = self.cursor if self.cursor is not None else self.near(self.items, -1)
        if index is not None:
            self.move_to(index)
            self.post_message(self.Opened(self, index))

    def on_click(self, event: events.Click) -> None:
        """Select what is clicked; a second click opens it."""
        y = event.y + int(self.scroll_offset.y)
        if self._heights.total and y < self._heights.total:
            index = self.reached(self._heights.find(y))
            again = index == self.cursor
            self.move_to(index)
            if again:
                self.post_message(self.Opened(self, index))

    # Painting ---------------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """Make exact what is in view, then paint it."""
        self._settle()
        # Worked out once for all lines: for each it would take longer than the line.
        self._ground = self.rich_style
        try:
            return super().render_lines(crop)
        finally:
            self._ground = None

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        ground = self._ground or self.rich_style
        offset = y + int(self.scroll_offset.y)
        if offset >= self._heights.total:
            words = () if self._heights.total else self.nothing()
            said = [line for text in words for line in wrap(printable(text), self._room - 1)]
            text = f"  {said[y]}" if y < len(said) else ""
            return self._finish(Strip([Segment(text, self._look("quiet"))]), ground)
        index = self._heights.find(offset)
        strips = self._item_lines.of(index)
        within = offset - self._heights.top(index)
        strip = strips[within] if within < len(strips) else Strip([])
        here = index == self.cursor
        first = Segment(MARK if here and within == 0 else " ", self._look("heading"))
        over = self.look_of(index)
        if over:
            strip = Strip([Segment(strip.text, self._look(over))])
        base = ground + self._look("cursor") if here else ground
        return self._finish(Strip([first, *strip]), base)

    def notify_style_update(self) -> None:
        """The theme changed: nothing that was painted is right any more."""
        super().notify_style_update()
        self._looks.clear()
        self._item_lines.forget()

    def on_resize(self) -> None:
        """Break anew what is in view when the width changed; of very many items the estimates stay as they are.

        The item at the cursor stays in view, however little room is left.
        """
        held, self._high = self._marked(self._high), self.size.height
        if self._wide != self._room:
            top = self._item_lines.anchor(int(self.scroll_offset.y))
            self._wide = self._room
            if self.items <= ESTIMATED_ANEW:
                self._estimate_all(self.items)
            else:
                self._item_lines.forget()
            if top is not None and not self.following:
                index, _ = top
                self._measure()
                self._go(self._heights.top(index))
        self._arrange()
        if held:
            self._bring_into_view()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Stop following when somebody scrolls up; go on at the end."""
        super().watch_scroll_y(old_value, new_value)
        if not self._placing and round(old_value) != round(new_value):
            self.following = self._at_end()

    def scroll_to(self, *args: Any, **options: Any) -> None:
        """Scroll without animation: a page would take 600 ms and 300 KB of terminal output."""
        super().scroll_to(*args, **(options | {"animate": False}))

    # Inside -----------------------------------------------------------------------------------------------------

    @property
    def _heights(self) -> Heights:
        return self._item_lines.heights

    @property
    def _room(self) -> int:
        return max(self.scrollable_content_region.width - 1, 1)

    @property
    def _estimating(self) -> int:
        """The width that items are estimated for: before the list has its place, one that it may come to have."""
        return self._room if self.size.width else self._wide or max(self.app.size.width - 2, 1)

    def _estimate_all(self, items: int) -> None:
        room = self._estimating
        self._item_lines.put(self.estimate(index, room) for index in range(items))

    def _finish(self, strip: Strip, base: Style) -> Strip:
        return strip.crop_extend(0, self.size.width, base).apply_style(base)

    def _look(self, name: str) -> Style:
        if not name:
            return Style.null()
        if name not in self._looks:
            # Blended by hand over what lies beneath: a partial style forgets that colours may be see-through.
            style = self.get_visual_style(f"lineview--{name}").rich_style
            ground = None if style.bgcolor == self.rich_style.bgcolor else style.bgcolor
            colour = None if name == "cursor" else style.color
            self._looks[name] = Style(color=colour, bgcolor=ground, bold=style.bold or None, dim=style.dim or None)
        return self._looks[name]

    def _strips(self, index: int) -> list[Strip]:
        lines = self.lines_of(index, self._room)
        return [Strip([Segment(text, self._look(look)) for text, look in line]) for line in lines]

    def _marked(self, height: int) -> bool:
        """Whether a view of this height shows the mark of the item at the cursor."""
        if self.cursor is None or self.cursor >= self.items:
            return False
        return 0 <= self._heights.top(self.cursor) - int(self.scroll_offset.y) < height

    def _bring_into_view(self) -> None:
        """Show the item at the cursor; where that is not at the end, stop following."""
        if self.cursor is None:
            return
        height = self.size.height
        self._item_lines.settle_around(self.cursor, height)
        self._measure()
        to = self._item_lines.into_view(self.cursor, int(self.scroll_offset.y), height)
        if to is not None:
            self._go(to)
        self.following = self.following and self._at_end()

    def _at_end(self) -> bool:
        return self.scroll_offset.y >= self.max_scroll_y

    def _settle(self) -> None:
        """Make the heights of what is in view exact."""
        height = self.size.height
        if not self._heights.total or not height:
            return
        before = self._heights.total
        if self.following:
            self._item_lines.settle_end(height)
        else:
            self._item_lines.settle(int(self.scroll_offset.y), height)
        if self._heights.total != before:
            self.call_later(self._arrange)

    def _measure(self) -> None:
        size = Size(self._room + 1, self._heights.total)
        if self.virtual_size != size:
            self.virtual_size = size

    def _arrange(self) -> None:
        """Fit the scroll range to the heights, and stay at the end while following."""
        if self.following and self.items:
            self._item_lines.settle_end(self.size.height)
        self._measure()
        if self.following:
            self._go(self._heights.total)
        self.refresh()

    def _go(self, y: int, *, by_user: bool = False) -> None:
        self._placing = not by_user
        try:
            self.scroll_to(y=min(max(y, 0), self.max_scroll_y), force=True)
        finally:
            self._placing = False

"""Lists that keep their cursor when what they show changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.visual import Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.app.actions import bindings
from workbench.app.space.actions import GRANTS, LISTS, WAITING

SWITCH_CELLS = 6
"""How many cells of a grant's line are its switch: `■ on` and a space to either side."""


@dataclass(frozen=True)
class Entry:
    """A line of a list. `key` names what it stands for; without one it cannot be chosen."""

    shown: Content | Visual
    key: str | None = None


class ShowTool(Message):
    """Show the tool of this switch, if it is one's."""

    def __init__(self, key: str | None) -> None:
        super().__init__()
        self.key = key


class Answered(Message):
    """Yes or no to a setting that waits."""

    def __init__(self, setting: str | None, approved: bool) -> None:
        super().__init__()
        self.setting = setting
        self.approved = approved


class KeepingList(OptionList):
    """An option list that is told everything again and changes only what is different."""

    BINDINGS = bindings(*LISTS)
    DEFAULT_CSS = """
    KeepingList { height: auto; max-height: 16; border: none; padding: 0; background: transparent; }
    KeepingList:focus { border: none; background-tint: $foreground 0%; }
    KeepingList > .option-list--option-highlighted { background: $surface-lighten-1; color: $foreground; }
    KeepingList:focus > .option-list--option-highlighted { background: $primary 30%; color: $foreground; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._entries: tuple[Entry, ...] = ()

    @property
    def chosen(self) -> str | None:
        """What the cursor is on."""
        option = self.highlighted_option
        return option.id if option is not None else None

    def show(self, entries: Sequence[Entry]) -> None:
        """Show these lines."""
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        chosen, place = self.chosen, self.highlighted
        keys = [entry.key for entry in entries]
        top = self.scroll_offset.y
        with self.prevent(OptionList.OptionHighlighted):
            self.set_options(Option(entry.shown, id=entry.key, disabled=entry.key is None) for entry in entries)
            if chosen is not None and chosen in keys:
                self.highlighted = keys.index(chosen)
            elif place is not None:
                later = (at for at in range(min(place, len(keys) - 1), -1, -1) if keys[at] is not None)
                self.highlighted = next(later, None)
        self.scroll_to(y=top, animate=False)


class LineList(KeepingList):
    """The lines of the block with what each costs. A tool's line leads to the tool."""


class GrantList(KeepingList):
    """The switches."""

    BINDINGS = bindings(*GRANTS)

    def on_click(self, event: events.Click) -> None:
        """A click chooses a line; only on the switch itself does it turn it over."""
        if event.x >= SWITCH_CELLS:
            event.prevent_default()
            place = event.style.meta.get("option")
            if isinstance(place, int) and not self.get_option_at_index(place).disabled:
                self.highlighted = place

    def action_flip(self) -> None:
        """Turn the switch at the cursor over."""
        self.action_select()

    def action_show_tool(self) -> None:
        """Pass on: the tab knows the way."""
        self.post_message(ShowTool(self.chosen))


class WaitingList(KeepingList):
    """The settings that wait for a yes."""

    BINDINGS = bindings(*WAITING)

    def action_approve(self) -> None:
        """Say yes."""
        self.post_message(Answered(self.chosen, True))

    def action_deny(self) -> None:
        """Say no."""
        self.post_message(Answered(self.chosen, False))

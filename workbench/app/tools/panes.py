"""The panes of the selected tool: one at a time, or two beside each other where there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from textual import events
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

from workbench.app.tools.pane import Pane

TWO_FROM = 112
"""From how many columns on two panes stand beside each other."""

BESIDE = {"contract": "source", "source": "contract"}
"""Which pane stands beside which; the others use all the width themselves."""


class Panes(Horizontal):
    """All panes by their id, of which `current` has the keys. It begins with none: they are brought."""

    DEFAULT_CSS = """
    Panes { height: 1fr; }
    Panes > * { height: 1fr; width: 1fr; display: none; }
    Panes > .-seen { display: block; }
    Panes > .-beside { border-left: vkey $border-blurred; }
    """

    class Went(Message):
        """Somebody works in another pane now."""

        def __init__(self, pane: str) -> None:
            super().__init__()
            self.pane = pane

    def __init__(self, first: str, alone: Callable[[], bool], *, id: str) -> None:
        """`alone` says whether the present pane needs all the width now; it is asked once there are several."""
        super().__init__(id=id)
        self._panes: dict[str, Widget] = {}
        self._alone = alone
        self.current = first
        self._wanted = first

    async def bring(self, panes: Mapping[str, Widget]) -> None:
        """Bring in panes; one that was asked for before it was there is the present one then."""
        await self.mount_all(panes.values())
        self._panes |= panes
        if self._wanted in panes and self._wanted != self.current:
            self.current = self._wanted
            self.post_message(self.Went(self.current))
        self.lay_out()

    def __contains__(self, pane: object) -> bool:
        """Whether a pane is there already."""
        return pane in self._panes

    def __getitem__(self, pane: str) -> Pane:
        """A pane by its id."""
        return cast("Pane", self._panes[pane])

    @property
    def all(self) -> Iterator[Pane]:
        """Every pane, seen or not."""
        return (cast("Pane", pane) for pane in self._panes.values())

    @property
    def seen(self) -> tuple[str, ...]:
        """The panes that are seen now, from the left."""
        beside = BESIDE.get(self.current)
        if beside not in self._panes or self.size.width < TWO_FROM or self._alone():
            beside = None
        return tuple(pane for pane in self._panes if pane in (self.current, beside))

    def go(self, pane: str) -> bool:
        """Show another pane; False while it is not there yet, which shows it as soon as it is."""
        self._wanted = pane
        if pane in self._panes:
            self.current = pane
            self.lay_out()
        return pane in self._panes

    def lay_out(self) -> None:
        """Show those panes that are to be seen now."""
        seen = self.seen
        for id, pane in self._panes.items():
            pane.set_class(id in seen, "-seen")
            pane.set_class(id in seen[1:], "-beside")

    def on_mount(self) -> None:
        self.lay_out()

    def on_resize(self) -> None:
        """As many panes as there is room for."""
        before = {id for id, pane in self._panes.items() if pane.has_class("-seen")}
        self.lay_out()
        if set(self.seen) != before:
            self.post_message(self.Went(self.current))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Whichever has the keys is the present one."""
        for id, pane in self._panes.items():
            if id != self.current and pane in event.widget.ancestors_with_self:
                self.current = id
                self.post_message(self.Went(id))

"""The keys at the bottom: the way out, the help and a demo's next step first, so that no width cuts them off."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Footer

FIRST = ("demo_step", "help", "quit")
"""The actions that stand first; the rest keeps its order, nearest to the focus first."""


class KeyFooter(Footer):
    """A footer in an order of our own."""

    def compose(self) -> ComposeResult:
        """The same keys, sorted."""
        yield from sorted(super().compose(), key=_place)


def _place(key: Widget) -> int:
    action = str(getattr(key, "action", ""))
    name = action.removeprefix("app.")
    return FIRST.index(name) if name in FIRST else len(FIRST)

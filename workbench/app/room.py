"""How little room the app is drawn in: below that it is drawn larger than the window, which shows a corner of it."""

from __future__ import annotations

from textual import events
from textual.app import App
from textual.geometry import Size

LEAST = Size(40, 10)
"""Columns and rows at least. Below, parts are left without a single column, in which Textual cannot wrap a text."""

GOOD = Size(80, 24)
"""Columns and rows in which everything has its place."""

CRAMPED = Size(60, 16)
"""With fewer columns or rows than these it is said how many there should be."""


class KeepsRoom(App[None]):
    """An app that no window is too small for."""

    async def on_event(self, event: events.Event) -> None:
        """Take a window that is too small for a larger one."""
        if isinstance(event, events.Resize):
            size = Size(max(event.size.width, LEAST.width), max(event.size.height, LEAST.height))
            if size != event.size:
                event = events.Resize(size, size)
        await super().on_event(event)


def cramped(size: Size) -> str:
    """What to say of a window that is so small; nothing of one that will do."""
    if size.width >= CRAMPED.width and size.height >= CRAMPED.height:
        return ""
    return f"{size.width}×{size.height} is small: {GOOD.width}×{GOOD.height} is better"

"""A text of the Space, to read: a file of memory, or the settings file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.actions import bindings
from workbench.app.seams import Workbench
from workbench.app.space.actions import READER
from workbench.app.widgets.literal import subtitle, title
from workbench.app.widgets.modal import Modal
from workbench.app.widgets.text_view import TextLine, TextView, lines_of_text
from workbench.harness.errors import HarnessError
from workbench.harness.paging import Position


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, and where the next one begins, None behind the last."""

    text: str
    next: Position | None = None


Load = Callable[[Position], Part]
"""Reads a part of the text from a position on. Called in a thread; raises HarnessError."""


class Reader(Modal[None]):
    """The text, a part at a time: a file may be larger than anybody wants to wait for."""

    BINDINGS = bindings(*READER)
    DEFAULT_CSS = """
    Reader { align: center middle; background: $background 60%; }
    Reader > Vertical { width: 96%; height: 94%; border: round $primary; background: $surface; padding: 0 1;
        border-title-color: $text-primary; }
    """

    def __init__(self, heading: str, load: Load) -> None:
        super().__init__()
        self._heading = heading
        self._load = load
        self._text = ""
        self._lines: tuple[TextLine, ...] = ()
        self._next: Position | None = 1

    def compose(self) -> ComposeResult:
        """The lines in a frame."""
        with Vertical(id="reader-frame"):
            yield TextView(id="reader-lines")

    def on_mount(self) -> None:
        title(self.query_one("#reader-frame"), self._heading)
        self.action_more()

    def action_more(self) -> None:
        """Read the next part."""
        if self._next is not None:
            self.run_worker(self._more(self._next), name="read", group="reader", exclusive=True, exit_on_error=False)

    async def _more(self, start: Position) -> None:
        try:
            part = await asyncio.to_thread(self._load, start)
        except HarnessError as error:
            part = Part(f"✗ {error.message}")
        self._next = part.next
        self._text += part.text
        self._lines += tuple(lines_of_text(part.text.removesuffix("\n")))
        first = start == 1
        view = self.query_one(TextView)
        view.show(self._lines) if first else view.extend(self._lines)
        more = " · m reads on" if self._next is not None else ""
        subtitle(self.query_one("#reader-frame"), f"{len(self._lines):,} lines{more} · y copies · esc closes")

    def action_copy_text(self) -> None:
        """Copy what was read so far."""
        cast(Workbench, self.app).copy(self._text, self._heading)

    def action_leave(self) -> None:
        """Close."""
        self.leave(None)

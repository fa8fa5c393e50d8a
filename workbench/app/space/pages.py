"""A text of the Space as far as it was read, page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from textual.message import Message

from workbench.app.actions import bindings
from workbench.app.space.actions import LINES
from workbench.app.space.texts import Piece, Source
from workbench.app.widgets.text_view import TextLine, TextView, lines_of_text
from workbench.harness.errors import HarnessError
from workbench.harness.paging import Position

T = TypeVar("T")


async def asked(source: Source, ask: Callable[[], T]) -> T:
    """What a source answers, without holding up the screen where that may take a while."""
    return await asyncio.to_thread(ask) if source.threaded else ask()


class Pages(TextView, inherit_bindings=False):
    """The text. Whoever scrolls to the end of what was read wants more of it."""

    BINDINGS = bindings(*LINES)

    class Came(Message):
        """More of the text is there, or another text."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.source: Source | None = None
        self.text = ""
        """What was read so far."""
        self.next: Position | None = None
        """Where the next page begins; None at the end of the text."""
        self.facts = ""
        """What is said of the whole text."""
        self.editable = False
        """Whether what was read can be edited."""
        self.lines: tuple[TextLine, ...] = ()
        """What was read, as it is shown."""
        self._pieces = 0
        self._reading: Position | None = None

    def open(self, source: Source | None) -> None:
        """Read a text from its beginning; None closes."""
        self.source, self.text, self.next, self.facts, self.editable = source, "", None, "", False
        self.lines, self._pieces, self._reading = (), 0, None
        self.show(())
        if source is not None:
            self._work(self._read(source, 1))

    def say(self, words: str) -> None:
        """Show these words in place of a text that cannot be read or edited."""
        self._take(Piece(words, editable=False), first=True)

    def read_on(self) -> None:
        """Read the next page."""
        if self.source is not None and self.next is not None and self.next != self._reading:
            self._reading = self.next
            self._work(self._read(self.source, self.next))

    def read_again(self) -> None:
        """Read as many pages anew; where they are others, show them from the same line on."""
        if self.source is not None and self._pieces:
            self._reading = None
            self._work(self._read_again(self.source, self._pieces))

    def action_follow(self) -> None:
        """Go to the end of what was read."""
        self.scroll_by_lines(self.virtual_size.height)
        self.read_on()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Read on at the end."""
        super().watch_scroll_y(old_value, new_value)
        self.following = False
        if new_value > old_value and new_value >= self.max_scroll_y:
            self.read_on()

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        self.run_worker(work, name="read a text", group="pages", exclusive=True, exit_on_error=False)

    async def _read(self, source: Source, start: Position) -> None:
        piece = await _piece(source, start)
        if self.source is source:
            self._take(piece, first=start == 1)

    async def _read_again(self, source: Source, wanted: int) -> None:
        pieces: list[Piece] = []
        start: Position | None = 1
        while start is not None and len(pieces) < wanted:
            pieces.append(await _piece(source, start))
            start = pieces[-1].next
        same = "".join(piece.text for piece in pieces) == self.text and start == self.next
        if same or self.source is not source:
            return
        line = int(self.scroll_offset.y)
        for number, piece in enumerate(pieces):
            self._take(piece, first=number == 0)
        self.scroll_by_lines(line)

    def _take(self, piece: Piece, *, first: bool) -> None:
        if first:
            self.text, self.lines, self._pieces, self.facts = "", (), 0, piece.facts
            self.editable = piece.editable and self.source is not None and self.source.editable
        self.next, self.text, self._pieces = piece.next, self.text + piece.text, self._pieces + 1
        # The end of a page's last line would be shown as one more line.
        self.lines += tuple(lines_of_text(piece.text.removesuffix("\n")))
        if first and not self.lines:
            self.lines = (TextLine("Empty.", "quiet"),)
        if first:
            self.show(self.lines)
        else:
            self.extend(self.lines)
        self.post_message(self.Came())


async def _piece(source: Source, start: Position) -> Piece:
    try:
        return await asked(source, lambda: source.piece(start))
    except HarnessError as error:
        return Piece(f"✗ {error.message}", editable=False)

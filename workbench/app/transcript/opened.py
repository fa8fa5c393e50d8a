"""The event that is opened: made ready off the thread that answers keys, and kept as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from functools import partial

from textual.widget import Widget

from workbench.app.transcript.ask_strip import AskStrip
from workbench.app.transcript.detail import Detail, detail_of
from workbench.app.transcript.detail_pane import DetailPane
from workbench.app.transcript.reading import Reading
from workbench.app.widgets.drawn import code_texts
from workbench.app.widgets.text_view import lines_of_text
from workbench.harness.log.events import Event
from workbench.harness.watch import Progressed

AT_ONCE_CHARS = 64 * 1024
"""A longer text is shown plain until its colours are known."""

KEPT_TAILS = 32
"""Calls whose last words are kept, for when one of them is opened."""


class Opened:
    """Which event the pane shows."""

    def __init__(self, tab: Widget, reading: Reading) -> None:
        self._tab = tab
        self._reading = reading
        self.seq: int | None = None
        """The event that is opened."""
        self._tails: dict[str, str] = {}
        self._drawn: int | None = None

    @property
    def pane(self) -> DetailPane:
        """Where it is shown."""
        return self._tab.query_one(DetailPane)

    def open(self, seq: int) -> None:
        """Show an event whole."""
        events = self._reading.whole(seq)
        if not events:
            return
        if seq != self._drawn:
            self._drawn = None
            self.pane.wait(f"event {seq}")
            self._tab.add_class("-opened")
        self.seq = seq
        row = self._reading.rows.row(seq)
        self._beside_question(row.call if row is not None else None)
        lives = row is not None and row.kind == "call" and row.outcome is None
        tail = self._tails.get(row.call or "", "") if lives and row is not None else ""
        self._tab.run_worker(
            # Called only once it begins: one that is replaced before was never made.
            partial(self._make, seq, events, tail, lives),
            name="event detail",
            group="transcript-detail",
            exclusive=True,
            exit_on_error=False,
        )

    def close(self) -> None:
        """Show none."""
        self.pane.close()
        self._tab.remove_class("-opened")
        self._beside_question(None)
        self.seq = self._drawn = None

    def grew(self, changed: Collection[int]) -> None:
        """Rows at these indexes are different: the opened one may be among them."""
        if self.seq is not None and self.pane.is_open and self.seq - 1 in changed:
            self.open(self.seq)

    def progressed(self, notes: Collection[Progressed]) -> None:
        """Calls that run said what they printed: the opened one may be among them."""
        row = self._reading.rows.row(self.seq) if self.seq is not None else None
        for note in notes:
            self._tails[note.call] = note.tail
        while len(self._tails) > KEPT_TAILS:
            del self._tails[next(iter(self._tails))]
        if row is not None and row.outcome is None and any(note.call == row.call for note in notes):
            self.open(row.seq)

    def _beside_question(self, call: str | None) -> None:
        """Where it is this call that asks, other things give way to what is to be read of it."""
        strip = self._tab.query_one(AskStrip)
        strip.opened(call)
        self._tab.set_class(strip.is_opened, "-asked")

    async def _make(self, seq: int, events: list[Event], tail: str, lives: bool) -> None:
        # Writing out a result of megabytes takes a second or two: not on the thread that answers keys.
        detail = await asyncio.to_thread(_made, events, tail)
        if self.seq == seq and self.pane.is_open:
            self.pane.show(detail, lives=lives and bool(tail), again=self._drawn == seq)
            self._drawn = seq
            for code in code_texts(detail.lines):
                if not code.coloured:
                    await asyncio.to_thread(code.colour)
                    self.pane.view.repaint_items()


def _made(events: list[Event], tail: str) -> Detail:
    try:
        detail = detail_of(events, tail)
    except ValueError as error:
        # A log from elsewhere may hold a number that no JSON has.
        words = f"This event cannot be written out ({error}). Run workbench fsck."
        return Detail(f"event {events[0].seq}", tuple(lines_of_text(words)), words, 0)
    for code in code_texts(detail.lines):
        if code.chars <= AT_ONCE_CHARS:
            code.colour()
    return detail

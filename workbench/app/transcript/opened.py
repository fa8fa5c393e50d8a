"""The event that is opened: made ready off the thread that answers keys, and kept as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from textual.widget import Widget

from workbench.app.transcript.detail import detail_of
from workbench.app.transcript.detail_pane import DetailPane
from workbench.app.transcript.reading import Reading
from workbench.harness.log.events import Event


class Opened:
    """Which event the pane shows."""

    def __init__(self, tab: Widget, reading: Reading) -> None:
        self._tab = tab
        self._reading = reading
        self.seq: int | None = None
        """The event that is opened."""

    @property
    def pane(self) -> DetailPane:
        """Where it is shown."""
        return self._tab.query_one(DetailPane)

    def open(self, seq: int) -> None:
        """Show an event whole."""
        events = self._reading.whole(seq)
        if not events:
            return
        self.seq = seq
        self.pane.wait(f"event {seq}")
        self._tab.run_worker(
            self._make(seq, events),
            name="event detail",
            group="transcript-detail",
            exclusive=True,
            exit_on_error=False,
        )

    def close(self) -> None:
        """Show none."""
        self.pane.close()
        self.seq = None

    def grew(self, changed: Collection[int]) -> None:
        """Rows at these indexes are different: the opened one may be among them."""
        if self.seq is not None and self.pane.is_open and self.seq - 1 in changed:
            self.open(self.seq)

    async def _make(self, seq: int, events: list[Event]) -> None:
        # Writing out a result of megabytes takes a second or two: not on the thread that answers keys.
        detail = await asyncio.to_thread(detail_of, events)
        if self.seq == seq and self.pane.is_open:
            self.pane.show(detail)

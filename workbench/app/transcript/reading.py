"""Reading the thread that is looked at into rows: its end first, the rest behind, in slices between keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from textual.widget import Widget

from workbench.app.seams import workbench
from workbench.app.transcript.log_view import LogView
from workbench.app.transcript.model import ThreadRows
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event

FIRST_EVENTS = 400
"""Events that are read before the first paint: more than the tallest screen shows."""

SLICE_EVENTS = 250
"""Events that are read in one go behind that; a few ms, so that keys are answered in between."""

SHOW_SECS = 0.2
"""How often what was read of a long thread is shown; each time costs a painting."""


class Reading:
    """The rows of one thread, as far as they were read."""

    def __init__(self, tab: Widget, log: Callable[[], LogView], filled: Callable[[], None]) -> None:
        """`filled` is called when the beginning of a long thread was read too."""
        self._tab = tab
        self._log = log
        self._filled = filled
        self.rows = ThreadRows("")
        """The rows that are shown."""

    def open(self, thread: str) -> None:
        """Read another thread."""
        try:
            total = self._events_of(thread)
        except HarnessError:
            # What is shown beside the log says it, and the rows come once it can be read.
            total = 0
        rows = self.rows = ThreadRows(thread, total)
        log = self._log()
        log.show(rows)
        first = max(total - FIRST_EVENTS, 0)
        log.grew(self._read(rows, first, total))
        if first:
            self._begin_earlier(rows, first)

    def read_new(self) -> list[int]:
        """Read what was appended; the indexes of the rows that are there or different now."""
        rows = self.rows
        read, total = rows.last, self._events_of(rows.thread)
        first = max(total - FIRST_EVENTS, read)
        changed = self._read(rows, first, total)
        if first > read:
            self._begin_earlier(rows, first, read)
        return changed

    def events(self, after: int, upto: int) -> list[Event]:
        """Some events; none, and the reason said, where they cannot be read."""
        try:
            return workbench(self._tab).harness.events(self.rows.thread, after, upto)
        except HarnessError as error:
            workbench(self._tab).say_error(error.message)
            return []

    def whole(self, seq: int) -> list[Event]:
        """An event; behind a call or a request what was asked about it, and its result if it has one."""
        events = self.events(seq - 1, seq)
        row = self.rows.row(seq)
        for asked in self.rows.questions(row.call or "") if row is not None and row.host else ():
            events += self.events(asked - 1, asked)
        if row is not None and row.outcome is not None:
            events += self.events(row.outcome.seq - 1, row.outcome.seq)
        return events

    def _events_of(self, thread: str) -> int:
        return next((listed.events for listed in workbench(self._tab).harness.threads() if listed.id == thread), 0)

    def _begin_earlier(self, rows: ThreadRows, unread: int, read: int = 0) -> None:
        # Not exclusive: what fell behind is filled in beside the beginning, and either ends when its rows are shown
        # no more.
        self._tab.run_worker(
            self._read_earlier(rows, unread, read),
            name="earlier events",
            group="transcript-reading",
            exit_on_error=False,
        )

    async def _read_earlier(self, rows: ThreadRows, unread: int, read: int) -> None:
        """Fill in a long thread from event `unread` back to the one behind `read`, a slice at a time."""
        changed: list[int] = []
        shown = time.monotonic()
        while unread > read and rows is self.rows:
            after = max(unread - SLICE_EVENTS, read)
            changed = self._read(rows, after, unread) + changed
            unread = after
            if unread <= read or time.monotonic() - shown > SHOW_SECS:
                self._log().grew(changed)
                changed, shown = [], time.monotonic()
            # A real pause, however short, lets keys and paint come first.
            await asyncio.sleep(0.001)
        if rows is self.rows:
            self._filled()

    def _read(self, rows: ThreadRows, after: int, upto: int) -> list[int]:
        """Read events into their rows; one that cannot be read says so in its own place and hides no other."""
        harness = workbench(self._tab).harness
        try:
            return rows.read(harness.events(rows.thread, after, upto))
        except HarnessError:
            changed: list[int] = []
            for seq in range(after + 1, upto + 1):
                try:
                    changed += rows.read(harness.events(rows.thread, seq - 1, seq))
                except HarnessError as error:
                    changed.append(rows.unreadable(seq, error.message))
            return sorted(set(changed))

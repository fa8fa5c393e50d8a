"""A thread as rows that grow at the end and are filled in from the end backwards. No screen, no Space."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import replace

from workbench.app.transcript.rows import Asked, Outcome, Row, answered_outcome, one_line, outcome_of, row_of
from workbench.harness.log.events import Event, RequestEnded, ToolResult


class ThreadRows:
    """The rows of one thread, one for each event: row `i` is the event `i + 1`, or None until it was read.

    Long threads are read from their end, so results may be met before their calls and calls before what came earlier.
    """

    def __init__(self, thread: str, events: int = 0) -> None:
        """`events` is how many the thread has at the moment; all of them unread."""
        self.thread = thread
        self.rows: list[Row | None] = [None] * events
        self._calls: dict[str, int] = {}
        self._results: dict[str, ToolResult | RequestEnded] = {}
        self._asked: dict[str, dict[int, Asked]] = {}
        self._given: dict[str, dict[int, str]] = {}
        self._open: set[str] = set()
        self._requests: list[int] = []
        self._plans: list[int] = []
        self.run: Row | None = None
        """The newest start or end of a run that was read."""
        self.spoken: Row | None = None
        """The newest thing that somebody said or did and that was read; its outcome is not followed."""

    @property
    def last(self) -> int:
        """The sequence number of the newest event."""
        return len(self.rows)

    @property
    def unread(self) -> int:
        """How many events at the beginning were not read yet."""
        return next((index for index, row in enumerate(self.rows) if row is not None), len(self.rows))

    def read(self, events: Iterable[Event]) -> list[int]:
        """Take in events, old or new; answers the indexes of rows that are there or different now, in order."""
        touched: set[int] = set()
        for event in events:
            index = event.seq - 1
            while len(self.rows) <= index:
                self.rows.append(None)
            row = row_of(event)
            if isinstance(event, ToolResult | RequestEnded):
                self._result(event, touched)
            elif row.kind == "asked":
                self._question(row, touched)
            elif row.call is not None:
                row = self._call(row, row.call)
            self.rows[index] = row
            self._newest(row)
            touched.add(index)
        return sorted(touched)

    def unreadable(self, seq: int, why: str) -> int:
        """Put a row in the place of an event that cannot be read; answers its index."""
        while len(self.rows) < seq:
            self.rows.append(None)
        self.rows[seq - 1] = Row(seq, "note", "?", "unreadable", one_line(why)[0], "")
        return seq - 1

    def row(self, seq: int) -> Row | None:
        """The row of an event, if there is one and it was read."""
        return self.rows[seq - 1] if 1 <= seq <= len(self.rows) else None

    def call_seq(self, call: str) -> int | None:
        """The event of a call that was read."""
        index = self._calls.get(call)
        return None if index is None else index + 1

    def shown(self, seq: int) -> int:
        """The event in whose place an event is shown: the call of a result or of a question, else itself."""
        row = self.row(seq)
        if row is not None and row.kind in PARTS and row.call is not None:
            return self.call_seq(row.call) or seq
        return seq

    def questions(self, call: str) -> Sequence[int]:
        """The events that asked the owner about a call, and that answered."""
        return sorted(self._asked.get(call, ()))

    def folded(self, index: int) -> bool:
        """Whether the row takes no place, because it is a result, or a question, that its call shows."""
        row = self.rows[index]
        return row is not None and row.kind in PARTS and row.call in self._calls

    def request_number(self, seq: int) -> int | None:
        """Which of the thread's requests an event is; None while it is not known how many came before."""
        return bisect_right(self._requests, seq) if not self.unread else None

    @property
    def last_request(self) -> int:
        """The event of the newest request that was sent; 0 without one."""
        return self._requests[-1] if self._requests else 0

    def answered(self, request: str) -> bool:
        """Whether it was read how a request ended."""
        index = self._calls.get(request)
        row = self.rows[index] if index is not None else None
        return request in self._results or (row is not None and row.outcome is not None)

    def plan_calls(self, at: int | None = None) -> Sequence[tuple[int, int]]:
        """The plans that were stated up to event `at`, newest first: the event of each and of its result."""
        found: list[tuple[int, int]] = []
        for seq in self._plans:
            row = self.row(seq)
            told = row.outcome if row is not None else None
            if told is not None and told.tone == "ok" and (at is None or told.seq <= at):
                found.append((seq, told.seq))
        return sorted(found, key=lambda each: -each[1])

    def find(self, query: str, start: int, step: int) -> int | None:
        """The next row behind or before `start` (an index) that shows all words of a query, whatever their case."""
        words = query.casefold().split()
        index = start + step
        while words and 0 <= index < len(self.rows):
            row = self.rows[index]
            if row is not None and not self.folded(index) and _shows(row, words):
                return index
            index += step
        return None

    def open_calls(self) -> Sequence[str]:
        """Ids of the calls that were read and have no result."""
        return tuple(self._open)

    def given(self, name: str, at: int | None = None) -> str | None:
        """The version of a tool whose contract the agent was last given in this thread, up to event `at`."""
        versions = self._given.get(name, {})
        seen = [seq for seq in versions if at is None or seq <= at]
        return versions[max(seen)] if seen else None

    def _newest(self, row: Row) -> None:
        if row.kind == "run" and (self.run is None or row.seq > self.run.seq):
            self.run = row
        if row.kind in ("message", "call") and (self.spoken is None or row.seq > self.spoken.seq):
            self.spoken = row

    def _call(self, row: Row, call: str) -> Row:
        if call not in self._calls:
            if row.kind == "request":
                insort(self._requests, row.seq)
            elif row.what == "plan":
                insort(self._plans, row.seq)
        self._calls[call] = row.seq - 1
        if call in self._asked:
            row = replace(row, asked=self._now_asked(call))
        result = self._results.pop(call, None)
        if result is None:
            if row.kind == "call":
                self._open.add(call)
            return row
        outcome = _outcome(result, row)
        self._gave(row, outcome)
        return replace(row, outcome=outcome)

    def _question(self, row: Row, touched: set[int]) -> None:
        """A call asks the owner, or was answered: its own row says so."""
        call = row.call or ""
        self._asked.setdefault(call, {})[row.seq] = row.asked
        index = self._calls.get(call)
        asking = self.rows[index] if index is not None else None
        if index is not None and asking is not None:
            self.rows[index] = replace(asking, asked=self._now_asked(call))
            touched.add(index)

    def _now_asked(self, call: str) -> Asked:
        questions = self._asked[call]
        return questions[max(questions)]

    def _result(self, event: ToolResult | RequestEnded, touched: set[int]) -> None:
        call = event.request if isinstance(event, RequestEnded) else event.id
        index = self._calls.get(call)
        row = self.rows[index] if index is not None else None
        if index is None or row is None:
            # Read before its call, which says how it is told.
            self._results[call] = event
            return
        outcome = _outcome(event, row)
        self._open.discard(call)
        self.rows[index] = replace(row, outcome=outcome)
        self._gave(row, outcome)
        touched.add(index)

    def _gave(self, row: Row, outcome: Outcome) -> None:
        if outcome.cid is not None and row.touches is not None:
            self._given.setdefault(row.touches, {})[outcome.seq] = outcome.cid


PARTS = ("result", "asked")
"""Kinds of rows that the row of a call shows."""


def _outcome(event: ToolResult | RequestEnded, row: Row) -> Outcome:
    return answered_outcome(event) if isinstance(event, RequestEnded) else outcome_of(event, row.host)


def _shows(row: Row, words: Sequence[str]) -> bool:
    told = row.outcome
    text = f"{row.who} {row.what} {row.text} {told.word if told else ''} {told.says if told else ''}".casefold()
    return all(word in text for word in words)

"""The log, looked at: threads and their events, what a fork has of its parent, the folds that are asked for again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.identity import WORKSHOP, iso
from workbench.harness.log.events import (
    Approval,
    Event,
    Fork,
    Message,
    RequestEnded,
    RequestSent,
    Surface,
    ToolCall,
    ToolResult,
)
from workbench.harness.log.live import Live
from workbench.harness.log.payloads import from_row, readable
from workbench.harness.log.promotion import Touch, Touches, fold
from workbench.harness.store.rows import EventRow
from workbench.harness.store.store import Store

MAX_LINEAGE = 64
"""How many forks a thread may stand on; more is a circle or a mistake."""


class Thread(Struct, frozen=True):
    """A thread in a listing: when its first and its newest event were, and how many it has."""

    id: str
    started: str
    last: str
    events: int


class Reading:
    """What happened, to look at. Nothing here appends: whoever is given this much of the log writes nothing."""

    def __init__(self, store: Store, surface: Callable[[], Surface] = lambda: "verbs") -> None:
        """`surface` is what a thread that begins now gets."""
        self.live = Live(store)
        self._store = store
        self._surface = surface
        self._surfaces: dict[str, Surface] = {}
        self._touches: dict[str, tuple[int, Touches]] = {}
        self._answered: dict[tuple[str, int], str] = {}

    # Threads ----------------------------------------------------------------------------------------------------

    def threads(self) -> list[Thread]:
        """All threads, the one with the newest event first."""
        return [Thread(row.id, iso(row.started_ms), iso(row.last_ms), row.events) for row in self._store.threads()]

    def surface_of(self, thread: str) -> Surface:
        """What a thread's requests are made of; of one that has not begun, what they would be if it began now."""
        known = self._surfaces.get(thread)
        if known is not None:
            return known
        first = next(iter(self.events(thread, upto=1)), None)
        if first is None:
            # What is done outside of any conversation is done by verbs.
            return "verbs" if thread == WORKSHOP else self._surface()
        return self._surfaces.setdefault(thread, first.surface or "verbs")

    def events(self, thread: str, after: int = 0, upto: int | None = None) -> list[Event]:
        """The thread's own events, in order; `upto` includes its event."""
        return [from_row(row) for row in self._store.events(thread, after, upto)]

    def of_type(self, thread: str, type_: str) -> list[Event]:
        """The thread's own events of one type, in order."""
        return [from_row(row) for row in self._store.events_of_type(thread, type_)]

    def newest_of(self, thread: str) -> Iterator[Event]:
        """The events of one thread that can be read, newest first."""
        return readable(self._store.newest_of(thread))

    def lineage(self, thread: str, upto: int | None = None) -> list[Event]:
        """The events that a thread stands on: its own, behind those of the threads that it was forked from."""
        parts: list[list[Event]] = []
        for _ in range(MAX_LINEAGE):
            own = self.events(thread, upto=upto)
            parts.append(own)
            if not own or not isinstance(own[0], Fork):
                break
            thread, upto = own[0].parent, own[0].parent_seq
        return [event for part in reversed(parts) for event in part]

    def lineage_of_type(self, thread: str, type_: str) -> list[Event]:
        """Of the events that a thread stands on those of one type."""
        parts: list[list[Event]] = []
        upto: int | None = None
        for _ in range(MAX_LINEAGE):
            parts.append([event for event in self.of_type(thread, type_) if upto is None or event.seq <= upto])
            first = next(iter(self.events(thread, upto=1)), None)
            if not isinstance(first, Fork):
                break
            thread, upto = first.parent, first.parent_seq
        return [event for part in reversed(parts) for event in part]

    # All threads ------------------------------------------------------------------------------------------------

    def newest(self) -> Iterator[Event]:
        """The events of all threads that can be read, newest first."""
        return readable(self._store.newest())

    def since(self, last_id: int) -> list[Event | EventRow]:
        """The events of all threads after the one with that id; a row that cannot be read as one stays a row."""
        found: list[Event | EventRow] = []
        for row in self._store.events_since(last_id):
            try:
                found.append(from_row(row))
            except HarnessError:
                found.append(row)
        return found

    # Calls ------------------------------------------------------------------------------------------------------

    def result_of(self, call: ToolCall) -> ToolResult | None:
        """The recorded result of a call."""
        row = self._store.result_of(call.id)
        event = from_row(row) if row else None
        return event if isinstance(event, ToolResult) else None

    def asked(self, call: ToolCall) -> list[Approval]:
        """What was asked of the owner about a call, and answered, in order."""
        found = (event for event in self.of_type(call.thread, "approval") if isinstance(event, Approval))
        return [event for event in found if event.key == call.id]

    def calls_before(self, call: ToolCall) -> Iterator[tuple[ToolCall, ToolResult | None]]:
        """The agent's calls of a thread before one of them, newest first, each with its result."""
        results: dict[str, ToolResult] = {}
        for event in self.newest_of(call.thread):
            if isinstance(event, ToolResult):
                results[event.id] = event
            elif isinstance(event, ToolCall) and event.actor == "agent" and event.seq < call.seq:
                yield event, results.pop(event.id, None)

    # Touches ----------------------------------------------------------------------------------------------------

    def touches(self, thread: str, upto: int | None = None) -> Touches:
        """Which tools the agent touched in a thread, its past included."""
        seq, state = self._touches.get(thread, (0, Touches()))
        last = self._store.last_seq(thread)
        if last != seq:
            if seq == 0:
                state = self._inherited(thread)
            state = fold(state, [from_row(row) for row in self._store.acts(thread, seq)])
            self._touches[thread] = (last, state)
        return state if upto is None else state.as_of(thread, upto)

    def _inherited(self, thread: str, depth: int = 0) -> Touches:
        """What a thread that began as a fork was touched by before it began."""
        first = next(iter(self.events(thread, upto=1)), None)
        if not isinstance(first, Fork) or depth >= MAX_LINEAGE:
            return Touches()
        parent = fold(
            self._inherited(first.parent, depth + 1), [from_row(row) for row in self._store.acts(first.parent, 0)]
        )
        return parent.as_of(first.parent, first.parent_seq)

    def answered(self, touch: Touch) -> str | None:
        """When the call that touched a tool had its answer, or None while it has none."""
        key = (touch.thread, touch.seq)
        if key not in self._answered:
            call = next(iter(self.events(touch.thread, touch.seq - 1, touch.seq)), None)
            result = self.result_of(call) if isinstance(call, ToolCall) else None
            if result is None:
                return None
            self._answered[key] = result.time
        return self._answered[key]

    # Requests ---------------------------------------------------------------------------------------------------

    def part(self, cid: str) -> str:
        """The text of a part of a recorded request. Raises HarnessError `not_found` or `corrupt`."""
        return self._store.get_block(cid).decode("utf-8")

    def last_sent(self, thread: str) -> RequestSent | None:
        """The newest request of a thread that was sent."""
        return next((event for event in self.newest_of(thread) if isinstance(event, RequestSent)), None)

    def sent_at(self, thread: str, seq: int) -> RequestSent | None:
        """The request that was sent at an event: it is that event, or nothing that it is made of came in between.

        At the event that says how a request ended it is that one.
        """
        for event in self.events(thread, seq - 1):
            if event.seq == seq and isinstance(event, RequestEnded):
                return self._sent_as(thread, event.request)
            if isinstance(event, RequestSent):
                return event
            if event.seq > seq and isinstance(event, Message | ToolCall | ToolResult):
                break
        return None

    def _sent_as(self, thread: str, request: str) -> RequestSent | None:
        for event in self.of_type(thread, "request"):
            if isinstance(event, RequestSent) and event.request == request:
                return event
        return None

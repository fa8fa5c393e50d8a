"""The log of a Space: appending, reading, and the folds that are asked for again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from workbench.harness.errors import HarnessError
from workbench.harness.identity import iso, new_id
from workbench.harness.log.events import (
    Actor,
    Approval,
    Event,
    Fork,
    Message,
    ToolCall,
    ToolResult,
    dumps,
    from_row,
)
from workbench.harness.log.promotion import Touches, fold
from workbench.harness.store.store import Store

INTERRUPTED = (
    "The process that ran this call ended before it had an answer. It may or may not have taken effect: look before "
    "calling again."
)

MAX_LINEAGE = 64
"""How many forks a thread may stand on; more is a circle or a mistake."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread in a listing: when its first and its newest event were, and how many it has."""

    id: str
    started: str
    last: str
    events: int


class Log:
    """Threads of append-only events on a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._touches: dict[str, tuple[int, Touches]] = {}

    # Appending --------------------------------------------------------------------------------------------------

    def call(self, thread: str, actor: Actor, name: str, input: Any, message: str) -> ToolCall:
        """Record that an act begins. Durable when this returns, so before anything of it runs."""
        call = new_id("call")
        body = {"id": call, "name": name, "input": input, "message": message, "process": self._store.process}
        event = from_row(self._store.append(thread, actor, "tool_call", dumps(body), call))
        assert isinstance(event, ToolCall)
        return event

    def result(
        self, call: ToolCall, *, output: Any = None, error: HarnessError | None = None, actor: Actor | None = None
    ) -> ToolResult:
        """Record how an act ended. Raises HarnessError `conflict` when it has its result already."""
        body: dict[str, Any] = {"id": call.id, "name": call.name}
        body |= {"output": output} if error is None else {"error": {"code": error.code, "message": error.message}}
        row = self._store.append(call.thread, actor or call.actor, "tool_result", dumps(body), call.id)
        event = from_row(row)
        assert isinstance(event, ToolResult)
        return event

    def message(
        self, thread: str, actor: Actor, role: Literal["user", "assistant"], text: str, message: str
    ) -> Message:
        """Record what somebody said."""
        body = {"role": role, "text": text, "message": message}
        event = from_row(self._store.append(thread, actor, "message", dumps(body)))
        assert isinstance(event, Message)
        return event

    def approval(self, thread: str, key: str, value: Any, approved: bool) -> Approval:
        """Record the owner's yes or no to a setting that waited."""
        body = {"key": key, "value": value, "approved": approved}
        event = from_row(self._store.append(thread, "user", "approval", dumps(body)))
        assert isinstance(event, Approval)
        return event

    def fork(self, thread: str, actor: Actor, parent: str, seq: int) -> Fork:
        """Begin a thread that has another's past, up to and with event `seq`.

        Raises:
            HarnessError: `not_found` without such an event, `conflict` when the new thread has begun already.
        """
        last = self._store.last_seq(parent)
        if not 1 <= seq <= last:
            raise HarnessError(
                "not_found", f"Thread {parent} has the events 1 to {last}; there is no {seq} to fork at."
            )
        with self._store.writing():
            if self._store.last_seq(thread):
                raise HarnessError("conflict", f"Thread {thread} has begun already; a fork needs a new name.")
            event = from_row(self._store.append(thread, actor, "fork", dumps({"parent": parent, "parent_seq": seq})))
        assert isinstance(event, Fork)
        return event

    # Reading ----------------------------------------------------------------------------------------------------

    def events(self, thread: str, after: int = 0, upto: int | None = None) -> list[Event]:
        """The thread's own events, in order; `upto` includes its event."""
        return [from_row(row) for row in self._store.events(thread, after, upto)]

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

    def touches(self, thread: str, upto: int | None = None) -> Touches:
        """Which tools the agent touched in a thread, its past included."""
        if upto is not None:
            return fold(Touches(), self.lineage(thread, upto))
        seq, state = self._touches.get(thread, (0, Touches()))
        if self._store.last_seq(thread) == seq:
            return state
        events = self.events(thread, after=seq) if seq else self.lineage(thread)
        state = fold(state, events)
        if events:
            self._touches[thread] = (events[-1].seq, state)
        return state

    def threads(self) -> list[Thread]:
        """All threads, the one with the newest event first."""
        return [Thread(row.id, iso(row.started_ms), iso(row.last_ms), row.events) for row in self._store.threads()]

    def result_of(self, call: ToolCall) -> ToolResult | None:
        """The recorded result of a call."""
        row = self._store.result_of(call.id)
        event = from_row(row) if row else None
        return event if isinstance(event, ToolResult) else None

    def is_running(self, call: ToolCall) -> bool:
        """Whether the process that began a call is still there. A call without a result that is not is interrupted."""
        return self._store.alive(call.process)

    def open_calls(self) -> list[ToolCall]:
        """Calls without a result, of all threads: running ones and interrupted ones."""
        events = [from_row(row) for row in self._store.open_calls()]
        return [event for event in events if isinstance(event, ToolCall)]

    def settle(self) -> list[ToolResult]:
        """Give every interrupted call its one result, by `system`. Called by acts, never by looking."""
        settled: list[ToolResult] = []
        for call in self.open_calls():
            if self.is_running(call):
                continue
            try:
                settled.append(self.result(call, error=HarnessError("interrupted", INTERRUPTED), actor="system"))
            except HarnessError as error:
                # Another process settled it in the same moment; the database let one of us.
                if error.code != "conflict":
                    raise
        return settled

    def recent_calls(self, thread: str, before: ToolCall, limit: int) -> list[tuple[ToolCall, ToolResult | None]]:
        """The agent's last `limit` calls of a thread before one of them, newest first, each with its result."""
        results: dict[str, ToolResult] = {}
        found: list[tuple[ToolCall, ToolResult | None]] = []
        for row in self._store.events_backwards(thread):
            if len(found) >= limit:
                break
            if row.type not in ("tool_call", "tool_result"):
                continue
            event = from_row(row)
            if isinstance(event, ToolResult):
                results[event.id] = event
            elif isinstance(event, ToolCall) and event.actor == "agent" and event.seq < before.seq:
                found.append((event, results.get(event.id)))
        return found

    def mentions(self, thread: str, words: list[str], besides: ToolCall) -> bool:
        """Whether one event of a thread, besides the call that asks, holds all of these casefolded words."""
        return any(
            row.call != besides.id and all(word in row.payload.casefold() for word in words)
            for row in self._store.events_backwards(thread)
        )

    def newest(self, limit: int) -> Iterator[Event]:
        """The events of all threads, newest first, at most `limit` of them."""
        for row in islice(self._store.events_backwards(), limit):
            yield from_row(row)

    def since(self, last_id: int) -> list[Event]:
        """The events of all threads after the one with that id."""
        return [from_row(row) for row in self._store.events_since(last_id)]

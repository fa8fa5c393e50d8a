"""The log of a Space: appending, reading, and the folds that are asked for again and again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.identity import WORKSHOP, iso, new_id
from workbench.harness.log.events import (
    Actor,
    Approval,
    Cut,
    Event,
    Finish,
    Fork,
    Message,
    RequestEnded,
    RequestSent,
    Run,
    Surface,
    Thought,
    ToolCall,
    ToolResult,
    Usage,
)
from workbench.harness.log.payloads import dumps, from_row
from workbench.harness.log.promotion import Touch, Touches, fold
from workbench.harness.store.rows import EventRow
from workbench.harness.store.store import Store

INTERRUPTED = (
    "The process that ran this call ended before it had an answer. It may or may not have taken effect: look before "
    "calling again."
)

UNANSWERED = (
    "The process that ran this call ended while it waited for the owner's yes. Nothing of it was done; call again if "
    "it is still wanted."
)

CallState = Literal["ended", "running", "interrupted"]
"""What became of a call: it has its result, its process is at it, or its process is gone and left none."""

MAX_LINEAGE = 64
"""How many forks a thread may stand on; more is a circle or a mistake."""


class Thread(Struct, frozen=True):
    """A thread in a listing: when its first and its newest event were, and how many it has."""

    id: str
    started: str
    last: str
    events: int


class Parts(Struct, frozen=True):
    """A request as texts to keep: the system text, and the JSON of each tool and of each message."""

    system: str
    tools: Sequence[str]
    messages: Sequence[str]
    callables: Collection[str]
    bytes: Mapping[str, int]
    left_out: int = 0
    upto: int | None = None
    max_tokens: int | None = None


class Outcome(Struct, frozen=True):
    """How a request ended. See `RequestEnded`."""

    finish: Finish
    usage: Usage | None = None
    first_ms: int | None = None
    duration_ms: int = 0
    cost: float | None = None
    error: HarnessError | None = None


class Log:
    """Threads of append-only events on a store."""

    def __init__(self, store: Store, surface: Callable[[], Surface] = lambda: "verbs") -> None:
        """`surface` is what a thread that begins now gets."""
        self._store = store
        self._surface = surface
        self._touches: dict[str, tuple[int, Touches]] = {}
        self._in_flight: set[str] = set()
        self._own_runs: set[str] = set()
        self._answered: dict[tuple[str, int], str] = {}
        self._surfaces: dict[str, Surface] = {}

    # Appending --------------------------------------------------------------------------------------------------

    def call(
        self,
        thread: str,
        actor: Actor,
        name: str,
        input: Any,
        message: str,
        binding: str | None = None,
        cwd: str | None = None,
    ) -> ToolCall:
        """Record that an act begins. Durable when this returns, so before anything of it runs."""
        call = new_id("call")
        body = {"id": call, "name": name, "input": input, "message": message, "process": self._store.process}
        body |= {key: value for key, value in (("binding", binding), ("cwd", cwd)) if value is not None}
        event = self._append(thread, actor, "tool_call", body, call)
        self._in_flight.add(call)
        assert isinstance(event, ToolCall)
        return event

    def result(
        self, call: ToolCall, *, output: Any = None, error: HarnessError | None = None, actor: Actor | None = None
    ) -> ToolResult:
        """Record how an act ended. Raises HarnessError `conflict` when it has its result already."""
        # Whether or not it can be recorded, nothing of it runs any more.
        self._in_flight.discard(call.id)
        body: dict[str, Any] = {"id": call.id, "name": call.name}
        body |= {"output": output} if error is None else {"error": {"code": error.code, "message": error.message}}
        event = self._append(call.thread, actor or call.actor, "tool_result", body, call.id)
        assert isinstance(event, ToolResult)
        return event

    def message(
        self,
        thread: str,
        actor: Actor,
        role: Literal["user", "assistant"],
        text: str,
        message: str,
        thinking: Sequence[Thought] = (),
        cut: Cut | None = None,
    ) -> Message:
        """Record what somebody said."""
        body: dict[str, Any] = {"role": role, "text": text, "message": message}
        if thinking:
            body["thinking"] = msgspec.to_builtins(thinking)
        if cut:
            body["cut"] = cut
        event = self._append(thread, actor, "message", body)
        assert isinstance(event, Message)
        return event

    def sent(self, thread: str, run: str, model: str, parts: Parts) -> RequestSent:
        """Record what a provider is about to be sent, its parts as blocks: whatever was sent before is there already.

        The actor is `system`: the harness puts requests together, not the agent.
        """
        with self._store.writing():
            body: dict[str, Any] = {
                "request": new_id("request"),
                "state": "sent",
                "run": run,
                "model": model,
                "system": self._block(parts.system),
                "tools": [self._block(tool) for tool in parts.tools],
                "messages": [self._block(message) for message in parts.messages],
                "callables": self._block(dumps(sorted(parts.callables))),
                "bytes": dict(parts.bytes),
                "left_out": parts.left_out,
                "upto": parts.upto,
                "max_tokens": parts.max_tokens,
            }
            event = self._append(thread, "system", "request", body)
        assert isinstance(event, RequestSent)
        return event

    def ended(self, sent: RequestSent, outcome: Outcome) -> RequestEnded:
        """Record how a request ended."""
        body: dict[str, Any] = {"request": sent.request, "state": "ended", "finish": outcome.finish}
        if outcome.usage is not None:
            body["usage"] = msgspec.to_builtins(outcome.usage)
        if outcome.cost is not None:
            body["cost"] = outcome.cost
        if outcome.error is not None:
            body["error"] = {"code": outcome.error.code, "message": outcome.error.message}
        body |= {"first_ms": outcome.first_ms, "duration_ms": outcome.duration_ms}
        event = self._append(sent.thread, "system", "request", body)
        assert isinstance(event, RequestEnded)
        return event

    def part(self, cid: str) -> str:
        """The text of a part of a recorded request. Raises HarnessError `not_found` or `corrupt`."""
        return self._store.get_block(cid).decode("utf-8")

    def _block(self, text: str) -> str:
        return self._store.put_block(text.encode("utf-8"), "raw")

    def run(self, thread: str, actor: Actor, run: str, state: Literal["start", "end"], reason: str) -> Run:
        """Record that a run starts or ends.

        Raises:
            HarnessError: `conflict` when one is to start while another of this thread lives, in whatever process.
        """
        body = {"run": run, "state": state, "reason": reason, "process": self._store.process}
        with self._store.writing():
            live = self.live_run(thread) if state == "start" else None
            if live is not None:
                raise HarnessError("conflict", f"Thread {thread} has a live run, {live.run}. Wait for it, or abort it.")
            event = self._append(thread, actor, "run", body)
        if state == "start":
            self._own_runs.add(run)
        assert isinstance(event, Run)
        return event

    def run_is_over(self, run: str) -> None:
        """A run of this process goes on no more, whether or not its end gets into the log."""
        self._own_runs.discard(run)

    def approval(self, thread: str, key: str, value: Any, approved: bool | None) -> Approval:
        """Record the owner's yes or no to what waited; None records, as `system`, that it is asked."""
        actor: Actor = "system" if approved is None else "user"
        event = self._append(thread, actor, "approval", {"key": key, "value": value, "approved": approved})
        assert isinstance(event, Approval)
        return event

    def fork(self, thread: str, actor: Actor, parent: str, seq: int) -> Fork:
        """Begin a thread that has another's past, up to and with event `seq`.

        Raises:
            HarnessError: `not_found` without such an event, `conflict` when the new thread has begun already.
        """
        last = self._store.last_seq(parent)
        if not 1 <= seq <= last:
            has = f"has the events 1 to {last}" if last else "has no events"
            raise HarnessError("not_found", f"Thread {parent} {has}; there is no {seq} to fork at.")
        with self._store.writing():
            if self._store.last_seq(thread):
                raise HarnessError("conflict", f"Thread {thread} has begun already; a fork needs a new name.")
            event = self._append(thread, actor, "fork", {"parent": parent, "parent_seq": seq})
        assert isinstance(event, Fork)
        return event

    def _append(self, thread: str, actor: Actor, type_: str, body: dict[str, Any], call: str | None = None) -> Event:
        with self._store.writing():
            if self._store.last_seq(thread) == 0:
                # A fork goes on with what its parent is made of.
                parent = body.get("parent") if type_ == "fork" else None
                body = body | {"surface": self.surface_of(thread if parent is None else str(parent))}
            return from_row(self._store.append(thread, actor, type_, dumps(body), call))

    # Reading ----------------------------------------------------------------------------------------------------

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

    def _inherited(self, thread: str, depth: int = 0) -> Touches:
        """What a thread that began as a fork was touched by before it began."""
        first = next(iter(self.events(thread, upto=1)), None)
        if not isinstance(first, Fork) or depth >= MAX_LINEAGE:
            return Touches()
        parent = fold(
            self._inherited(first.parent, depth + 1), [from_row(row) for row in self._store.acts(first.parent, 0)]
        )
        return parent.as_of(first.parent, first.parent_seq)

    def threads(self) -> list[Thread]:
        """All threads, the one with the newest event first."""
        return [Thread(row.id, iso(row.started_ms), iso(row.last_ms), row.events) for row in self._store.threads()]

    def state_of(self, call: ToolCall) -> CallState:
        """What became of a call, as of now."""
        if self._store.has_result(call.id):
            return "ended"
        return "running" if self._runs(call) else "interrupted"

    def _runs(self, call: ToolCall) -> bool:
        if call.process == self._store.process:
            return call.id in self._in_flight
        return self._store.alive(call.process)

    def result_of(self, call: ToolCall) -> ToolResult | None:
        """The recorded result of a call."""
        row = self._store.result_of(call.id)
        event = from_row(row) if row else None
        return event if isinstance(event, ToolResult) else None

    def live_run(self, thread: str) -> Run | None:
        """The run of a thread that has not ended and whose process is there, if there is one."""
        for event in _readable(reversed(self._store.events_of_type(thread, "run"))):
            if isinstance(event, Run):
                return event if event.state == "start" and self._lives(event) else None
        return None

    def _lives(self, run: Run) -> bool:
        if run.process == self._store.process:
            # Also where its end could not be written: whoever ended it knows.
            return run.run in self._own_runs
        return self._store.alive(run.process)

    def of_type(self, thread: str, type_: str) -> list[Event]:
        """The thread's own events of one type, in order."""
        return [from_row(row) for row in self._store.events_of_type(thread, type_)]

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

    def asked(self, call: ToolCall) -> list[Approval]:
        """What was asked of the owner about a call, and answered, in order."""
        found = (event for event in self.of_type(call.thread, "approval") if isinstance(event, Approval))
        return [event for event in found if event.key == call.id]

    def open_calls(self) -> list[ToolCall]:
        """Calls without a result, of all threads: running ones and interrupted ones."""
        return [event for event in _readable(self._store.open_calls()) if isinstance(event, ToolCall)]

    def settle(self) -> list[ToolResult]:
        """Give every interrupted call its one result, by `system`. Called by acts, never by looking."""
        settled: list[ToolResult] = []
        for call in self.open_calls():
            if self._runs(call):
                continue
            asked = self.asked(call)
            words = UNANSWERED if asked and asked[-1].approved is None else INTERRUPTED
            try:
                settled.append(self.result(call, error=HarnessError("interrupted", words), actor="system"))
            except HarnessError as error:
                # Another process settled it in the same moment; the database let one of us.
                if error.code != "conflict":
                    raise
        return settled

    def calls_before(self, call: ToolCall) -> Iterator[tuple[ToolCall, ToolResult | None]]:
        """The agent's calls of a thread before one of them, newest first, each with its result."""
        results: dict[str, ToolResult] = {}
        for event in self.newest_of(call.thread):
            if isinstance(event, ToolResult):
                results[event.id] = event
            elif isinstance(event, ToolCall) and event.actor == "agent" and event.seq < call.seq:
                yield event, results.pop(event.id, None)

    def newest(self) -> Iterator[Event]:
        """The events of all threads that can be read, newest first."""
        return _readable(self._store.newest())

    def newest_of(self, thread: str) -> Iterator[Event]:
        """The events of one thread that can be read, newest first."""
        return _readable(self._store.newest_of(thread))

    def since(self, last_id: int) -> list[Event | EventRow]:
        """The events of all threads after the one with that id; a row that cannot be read as one stays a row."""
        found: list[Event | EventRow] = []
        for row in self._store.events_since(last_id):
            try:
                found.append(from_row(row))
            except HarnessError:
                found.append(row)
        return found


def _readable(rows: Iterable[EventRow]) -> Iterator[Event]:
    # One event that cannot be read must not take the others with it; `fsck` names it.
    for row in rows:
        with contextlib.suppress(HarnessError):
            yield from_row(row)

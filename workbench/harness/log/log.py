"""The log of a Space, appended to: every event that there is gets into it here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.identity import new_id
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
    Thought,
    ToolCall,
    ToolResult,
    Usage,
)
from workbench.harness.log.payloads import dumps, from_row
from workbench.harness.log.reading import Reading

INTERRUPTED = (
    "The process that ran this call ended before it had an answer. It may or may not have taken effect: look before "
    "calling again."
)

UNANSWERED = (
    "The process that ran this call ended while it waited for the owner's yes. Nothing of it was done; call again if "
    "it is still wanted."
)


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


class Log(Reading):
    """Threads of append-only events on a store. Only the door, and the way to the machine behind it, are given this."""

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
        self.live.call_begins(call)
        assert isinstance(event, ToolCall)
        return event

    def result(
        self, call: ToolCall, *, output: Any = None, error: HarnessError | None = None, actor: Actor | None = None
    ) -> ToolResult:
        """Record how an act ended. Raises HarnessError `conflict` when it has its result already."""
        # Whether or not it can be recorded, nothing of it runs any more.
        self.live.call_is_over(call.id)
        body: dict[str, Any] = {"id": call.id, "name": call.name}
        body |= {"output": output} if error is None else {"error": {"code": error.code, "message": error.message}}
        event = self._append(call.thread, actor or call.actor, "tool_result", body, call.id)
        assert isinstance(event, ToolResult)
        return event

    def settle(self) -> list[ToolResult]:
        """Give every interrupted call its one result, by `system`. Called by acts, never by looking."""
        settled: list[ToolResult] = []
        for call in self.live.open_calls():
            if self.live.runs(call):
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

    def _block(self, text: str) -> str:
        return self._store.put_block(text.encode("utf-8"), "raw")

    def run(self, thread: str, actor: Actor, run: str, state: Literal["start", "end"], reason: str) -> Run:
        """Record that a run starts or ends.

        Raises:
            HarnessError: `conflict` when one is to start while another of this thread lives, in whatever process.
        """
        body = {"run": run, "state": state, "reason": reason, "process": self._store.process}
        with self._store.writing():
            live = self.live.run_of(thread) if state == "start" else None
            if live is not None:
                raise HarnessError("conflict", f"Thread {thread} has a live run, {live.run}. Wait for it, or abort it.")
            event = self._append(thread, actor, "run", body)
        if state == "start":
            self.live.run_begins(run)
        assert isinstance(event, Run)
        return event

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

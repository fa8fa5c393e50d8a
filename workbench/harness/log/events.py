"""The events of the log, as values: what each type says, and how it stands in a row."""

from __future__ import annotations

import json
from typing import Any, Literal, cast, get_args

import msgspec
from msgspec import Struct

from workbench.harness.errors import Code, HarnessError
from workbench.harness.identity import iso
from workbench.harness.store.rows import EventRow

Actor = Literal["user", "agent", "system", "trigger"]
ACTORS: tuple[str, ...] = get_args(Actor)

Surface = Literal["verbs", "toolbox"]
"""What a thread's requests are made of, fixed by its first event."""


class EventBase(Struct, frozen=True, kw_only=True):
    """What every event has. `seq` counts from 1 in its thread, `number` over all; `time` is ISO 8601, UTC.

    `surface` stands in a thread's first event only.
    """

    number: int
    thread: str
    seq: int
    time: str
    actor: Actor
    surface: Surface | None = None


class Message(EventBase, frozen=True, kw_only=True):
    """What one party said. `message` is the id that the calls made in the same breath carry."""

    role: Literal["user", "assistant"]
    text: str
    message: str
    type: Literal["message"] = "message"


class ToolCall(EventBase, frozen=True, kw_only=True):
    """An act that began: the verb, or the promoted tool called directly, with its raw input. `id` names the call."""

    id: str
    name: str
    input: Any
    message: str
    process: str
    type: Literal["tool_call"] = "tool_call"


class ToolResult(EventBase, frozen=True, kw_only=True):
    """How the call `id` ended: with `output`, or with an `error` of `{code, message}`."""

    id: str
    name: str
    output: Any = None
    error: dict[str, str] | None = None
    type: Literal["tool_result"] = "tool_result"


class Run(EventBase, frozen=True, kw_only=True):
    """A run of this thread started or ended. While its process lives, the thread has no other."""

    run: str
    state: Literal["start", "end"]
    reason: str
    process: str
    type: Literal["run"] = "run"


class Approval(EventBase, frozen=True, kw_only=True):
    """The owner's answer to a setting that waited: its key, the value it had, yes or no."""

    key: str
    value: Any
    approved: bool
    type: Literal["approval"] = "approval"


class Fork(EventBase, frozen=True, kw_only=True):
    """This thread continues `parent`, with everything up to `parent_seq` as its past."""

    parent: str
    parent_seq: int
    type: Literal["fork"] = "fork"


Event = Message | ToolCall | ToolResult | Run | Approval | Fork


def dumps(value: object) -> str:
    """JSON as the log keeps it: keys in the order they were given, because readers are shown that order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


# The payloads, typed: a log may come from elsewhere, and what is not of these shapes is no event of ours.


class _Payload(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    surface: Surface | None = None


class _Message(_Payload):
    role: Literal["user", "assistant"]
    text: str
    message: str


class _ToolCall(_Payload):
    id: str
    name: str
    input: Any
    message: str
    process: str


class _Error(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    code: Code
    message: str


class _ToolResult(_Payload):
    id: str
    name: str
    output: Any = msgspec.UNSET
    error: _Error | msgspec.UnsetType = msgspec.UNSET


class _Run(_Payload):
    run: str
    state: Literal["start", "end"]
    reason: str
    process: str


class _Approval(_Payload):
    key: str
    value: Any
    approved: bool


class _Fork(_Payload):
    parent: str
    parent_seq: int


_PAYLOADS: dict[str, type[_Payload]] = {
    "message": _Message,
    "tool_call": _ToolCall,
    "tool_result": _ToolResult,
    "run": _Run,
    "approval": _Approval,
    "fork": _Fork,
}


def from_row(row: EventRow) -> Event:
    """Read a row as the event it holds.

    Raises:
        HarnessError: `corrupt` when the payload is none of ours.
    """
    try:
        if row.actor not in ACTORS:
            raise ValueError(f"nobody acts as {row.actor}")
        body = msgspec.convert(json.loads(row.payload), _PAYLOADS[row.type], strict=True)
        if isinstance(body, _ToolCall | _ToolResult) and row.call not in (None, body.id):
            raise ValueError("it is filed under another call than the one it names")
    except (ValueError, KeyError, RecursionError) as error:
        raise HarnessError(
            "corrupt", f"Event {row.thread}/{row.seq} is none of this workbench's ({error}). Run workbench fsck."
        ) from error
    base: dict[str, Any] = {
        "number": row.id,
        "thread": row.thread,
        "seq": row.seq,
        "time": iso(row.time_ms),
        "actor": row.actor,
        "surface": body.surface,
    }
    match body:
        case _Message():
            return Message(**base, role=body.role, text=body.text, message=body.message)
        case _ToolCall():
            return ToolCall(
                **base, id=body.id, name=body.name, input=body.input, message=body.message, process=body.process
            )
        case _ToolResult():
            error = msgspec.to_builtins(body.error) if isinstance(body.error, _Error) else None
            output = None if body.output is msgspec.UNSET else body.output
            return ToolResult(**base, id=body.id, name=body.name, output=output, error=error)
        case _Run():
            return Run(**base, run=body.run, state=body.state, reason=body.reason, process=body.process)
        case _Approval():
            return Approval(**base, key=body.key, value=body.value, approved=body.approved)
        case _:
            fork = cast(_Fork, body)
            return Fork(**base, parent=fork.parent, parent_seq=fork.parent_seq)


def as_json(event: Event) -> dict[str, Any]:
    """An event for machines: the common fields first, then those of its type."""
    common: dict[str, Any] = {
        "thread": event.thread,
        "seq": event.seq,
        "time": event.time,
        "actor": event.actor,
        "type": event.type,
    }
    if event.surface is not None:
        common["surface"] = event.surface
    return common | _body_of(event)


def _body_of(event: Event) -> dict[str, Any]:
    """The fields of an event's own type, as they stand in its payload."""
    match event:
        case Message():
            return {"role": event.role, "text": event.text, "message": event.message}
        case ToolCall():
            return {
                "id": event.id,
                "name": event.name,
                "input": event.input,
                "message": event.message,
                "process": event.process,
            }
        case ToolResult():
            body: dict[str, Any] = {"id": event.id, "name": event.name}
            return body | ({"output": event.output} if event.error is None else {"error": event.error})
        case Run():
            return {"run": event.run, "state": event.state, "reason": event.reason, "process": event.process}
        case Approval():
            return {"key": event.key, "value": event.value, "approved": event.approved}
        case Fork():
            return {"parent": event.parent, "parent_seq": event.parent_seq}

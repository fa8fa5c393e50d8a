"""How an event is written down: the payload of its row, read as the event that it is, and told to machines."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, Literal, cast

import msgspec

from workbench.harness.errors import Code, HarnessError
from workbench.harness.identity import iso
from workbench.harness.log.events import (
    ACTORS,
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
from workbench.harness.store.rows import EventRow


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
    thinking: tuple[Thought, ...] = ()
    cut: Cut | None = None


class _ToolCall(_Payload):
    id: str
    name: str
    input: Any
    message: str
    process: str
    binding: str | None = None
    cwd: str | None = None


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


class _Request(_Payload):
    """Both halves of a request: `state` says which."""

    request: str
    state: Literal["sent", "ended"]
    run: str = ""
    model: str = ""
    system: str = ""
    tools: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    callables: str = ""
    bytes: dict[str, int] = {}
    left_out: int = 0
    upto: int | None = None
    max_tokens: int | None = None
    finish: Finish = "stop"
    usage: Usage | None = None
    first_ms: int | None = None
    duration_ms: int = 0
    cost: float | None = None
    error: _Error | None = None


class _Approval(_Payload):
    key: str
    value: Any
    approved: bool | None


class _Fork(_Payload):
    parent: str
    parent_seq: int


_PAYLOADS: dict[str, type[_Payload]] = {
    "message": _Message,
    "tool_call": _ToolCall,
    "tool_result": _ToolResult,
    "request": _Request,
    "run": _Run,
    "approval": _Approval,
    "fork": _Fork,
}


def _loads(text: str) -> Any:
    """JSON that can be written out again: Python reads 1e400, and NaN, as numbers that JSON has no words for."""
    return json.loads(text, parse_float=_finite, parse_constant=_finite)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is no number of JSON")
    return value


def from_row(row: EventRow) -> Event:
    """Read a row as the event it holds.

    Raises:
        HarnessError: `corrupt` when the payload is none of ours.
    """
    try:
        if row.actor not in ACTORS:
            raise ValueError(f"nobody acts as {row.actor}")
        body = msgspec.convert(_loads(row.payload), _PAYLOADS[row.type], strict=True)
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
            return Message(
                **base,
                role=body.role,
                text=body.text,
                message=body.message,
                thinking=body.thinking,
                cut=body.cut,
            )
        case _ToolCall():
            return ToolCall(
                **base,
                id=body.id,
                name=body.name,
                input=body.input,
                message=body.message,
                process=body.process,
                binding=body.binding,
                cwd=body.cwd,
            )
        case _ToolResult():
            error = msgspec.to_builtins(body.error) if isinstance(body.error, _Error) else None
            output = None if body.output is msgspec.UNSET else body.output
            return ToolResult(**base, id=body.id, name=body.name, output=output, error=error)
        case _Request() if body.state == "sent":
            return RequestSent(
                **base,
                request=body.request,
                run=body.run,
                model=body.model,
                system=body.system,
                tools=body.tools,
                messages=body.messages,
                callables=body.callables,
                bytes=body.bytes,
                left_out=body.left_out,
                upto=body.upto,
                max_tokens=body.max_tokens,
            )
        case _Request():
            return RequestEnded(
                **base,
                request=body.request,
                finish=body.finish,
                usage=body.usage,
                first_ms=body.first_ms,
                duration_ms=body.duration_ms,
                cost=body.cost,
                error=msgspec.to_builtins(body.error) if body.error is not None else None,
            )
        case _Run():
            return Run(**base, run=body.run, state=body.state, reason=body.reason, process=body.process)
        case _Approval():
            return Approval(**base, key=body.key, value=body.value, approved=body.approved)
        case _:
            fork = cast(_Fork, body)
            return Fork(**base, parent=fork.parent, parent_seq=fork.parent_seq)


def readable(rows: Iterable[EventRow]) -> Iterator[Event]:
    """The events of those rows that can be read."""
    # One event that cannot be read must not take the others with it; `fsck` names it.
    for row in rows:
        with contextlib.suppress(HarnessError):
            yield from_row(row)


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
            said: dict[str, Any] = {"role": event.role, "text": event.text, "message": event.message}
            if event.thinking:
                said["thinking"] = msgspec.to_builtins(event.thinking)
            return said | ({"cut": event.cut} if event.cut else {})
        case ToolCall():
            called = {
                "id": event.id,
                "name": event.name,
                "input": event.input,
                "message": event.message,
                "process": event.process,
            }
            told = {"binding": event.binding, "cwd": event.cwd}
            return called | {key: value for key, value in told.items() if value is not None}
        case ToolResult():
            body: dict[str, Any] = {"id": event.id, "name": event.name}
            return body | ({"output": event.output} if event.error is None else {"error": event.error})
        case RequestSent():
            return {
                "request": event.request,
                "state": event.state,
                "run": event.run,
                "model": event.model,
                "system": event.system,
                "tools": list(event.tools),
                "messages": list(event.messages),
                "callables": event.callables,
                "bytes": event.bytes,
                "left_out": event.left_out,
                "upto": event.upto,
                "max_tokens": event.max_tokens,
            }
        case RequestEnded():
            ended: dict[str, Any] = {"request": event.request, "state": event.state, "finish": event.finish}
            if event.usage is not None:
                ended["usage"] = msgspec.to_builtins(event.usage)
            ended |= {"first_ms": event.first_ms, "duration_ms": event.duration_ms}
            if event.cost is not None:
                ended["cost"] = event.cost
            return ended | ({"error": event.error} if event.error is not None else {})
        case Run():
            return {"run": event.run, "state": event.state, "reason": event.reason, "process": event.process}
        case Approval():
            return {"key": event.key, "value": event.value, "approved": event.approved}
        case Fork():
            return {"parent": event.parent, "parent_seq": event.parent_seq}

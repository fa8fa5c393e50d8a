"""The events of the log, as values: what each type says, and how it stands in a row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, get_args

from workbench.harness.errors import CODES, HarnessError
from workbench.harness.identity import iso
from workbench.harness.store.rows import EventRow

Actor = Literal["user", "agent", "system", "trigger"]
ACTORS: tuple[str, ...] = get_args(Actor)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventBase:
    """What every event has. `seq` counts from 1 in its thread, `number` over all; `time` is ISO 8601, UTC."""

    number: int
    thread: str
    seq: int
    time: str
    actor: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(EventBase):
    """What one party said. `message` is the id that the calls made in the same breath carry."""

    role: Literal["user", "assistant"]
    text: str
    message: str
    type: Literal["message"] = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall(EventBase):
    """An act that began: the verb, or the promoted tool called directly, with its raw input. `id` names the call."""

    id: str
    name: str
    input: Any
    message: str
    process: str
    type: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult(EventBase):
    """How the call `id` ended: with `output`, or with an `error` of `{code, message}`."""

    id: str
    name: str
    output: Any = None
    error: dict[str, str] | None = None
    type: Literal["tool_result"] = "tool_result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval(EventBase):
    """The owner's answer to a setting that waited: its key, the value it had, yes or no."""

    key: str
    value: Any
    approved: bool
    type: Literal["approval"] = "approval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork(EventBase):
    """This thread continues `parent`, with everything up to `parent_seq` as its past."""

    parent: str
    parent_seq: int
    type: Literal["fork"] = "fork"


Event = Message | ToolCall | ToolResult | Approval | Fork


def dumps(value: object) -> str:
    """JSON as the log keeps it: keys in the order they were given, because readers are shown that order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def from_row(row: EventRow) -> Event:
    """Read a row as the event it holds.

    Raises:
        HarnessError: `corrupt` when the payload is none of ours.
    """
    try:
        body: dict[str, Any] = json.loads(row.payload)
        base: dict[str, Any] = {
            "number": row.id,
            "thread": row.thread,
            "seq": row.seq,
            "time": iso(row.time_ms),
            "actor": row.actor,
        }
        match row.type:
            case "message":
                return Message(**base, role=body["role"], text=body["text"], message=body["message"])
            case "tool_call":
                return ToolCall(
                    **base,
                    id=body["id"],
                    name=body["name"],
                    input=body["input"],
                    message=body["message"],
                    process=body["process"],
                )
            case "tool_result":
                error = body.get("error")
                if error is not None and error["code"] not in CODES:
                    raise ValueError(error["code"])
                return ToolResult(**base, id=body["id"], name=body["name"], output=body.get("output"), error=error)
            case "approval":
                return Approval(**base, key=body["key"], value=body["value"], approved=body["approved"])
            case "fork":
                return Fork(**base, parent=body["parent"], parent_seq=body["parent_seq"])
            case _:
                raise ValueError(row.type)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise HarnessError(
            "corrupt", f"Event {row.thread}/{row.seq} is none of this workbench's ({error!r}). Run workbench fsck."
        ) from error


def as_json(event: Event) -> dict[str, Any]:
    """An event for machines: the common fields first, then those of its type."""
    common = {"thread": event.thread, "seq": event.seq, "time": event.time, "actor": event.actor, "type": event.type}
    return common | body_of(event)


def body_of(event: Event) -> dict[str, Any]:
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
        case Approval():
            return {"key": event.key, "value": event.value, "approved": event.approved}
        case Fork():
            return {"parent": event.parent, "parent_seq": event.parent_seq}

"""A thread as a text that people and models read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from workbench.harness.log.events import (
    Approval,
    Event,
    Fork,
    Message,
    RequestEnded,
    RequestSent,
    Run,
    ToolCall,
    ToolResult,
)
from workbench.harness.log.host_results import described, is_host_result
from workbench.harness.log.live import CallState
from workbench.harness.log.payloads import dumps
from workbench.harness.strict_json import as_object, pretty
from workbench.harness.text import neutralise


def as_markdown(thread: str, events: Iterable[Event], state_of: Callable[[ToolCall], CallState]) -> str:
    """The transcript of a thread: one heading an event, its content in a fence that the content cannot close."""
    events = list(events)
    results = {event.id for event in events if isinstance(event, ToolResult)}
    parts = [f"# thread {thread}\n"]
    for event in events:
        parts.append(f"\n## {event.seq} · {event.actor} · {title(event)} · {event.time}\n")
        match event:
            case Message():
                parts += [_fenced(thought.text, "thinking") for thought in event.thinking]
                parts += [_fenced(event.text, "")] if event.text else []
                parts += [f"\ncut: {event.cut}\n"] if event.cut else []
            case ToolCall():
                parts.append(_fenced(pretty(event.input), "json"))
                if event.id not in results:
                    parts.append(f"\n{state_of(event)}\n")
            case ToolResult() if event.error is None and is_host_result(event.output):
                parts.append(_fenced(described(event.output), ""))
            case ToolResult():
                parts.append(_fenced(pretty(event.output if event.error is None else event.error), "json"))
            case RequestSent() | RequestEnded() | Run() | Approval() | Fork():
                continue
    return "".join(parts)


def title(event: Event) -> str:
    """What an event is, in a few words of one line."""
    match event:
        case Message():
            return "message"
        case ToolCall():
            return f"{neutralise(event.name)[:80]} {neutralise(subject(event.name, event.input))[:120]}".rstrip()
        case ToolResult():
            return f"{neutralise(event.name)[:80]} → {outcome(event)}"
        case RequestSent():
            return f"request to {neutralise(event.model)[:80]}, {sum(event.bytes.values()):,} bytes"
        case RequestEnded():
            return f"answered: {event.finish}" if event.error is None else f"no answer: {event.error['code']}"
        case Approval():
            said = {True: "yes to", False: "no to", None: "asks the owner:"}[event.approved]
            return f"{said} {neutralise(event.key)[:80]} = {neutralise(dumps(event.value))[:120]}"
        case Run():
            return f"run {event.state}: {neutralise(event.reason)[:120]}"
        case Fork():
            return f"forked from {event.parent} at {event.parent_seq}"


def subject(name: str, input: Any) -> str:
    """What an act is about: its address, its tool, or the beginning of its input."""
    body = as_object(input) or {}
    for key in ("address", "tool", "command", "pattern", "path", "file_path"):
        if isinstance(body.get(key), str):
            return str(body[key])
    return dumps(input)


def outcome(result: ToolResult) -> str:
    """How an act ended, in a word or two: `ok`, `contract (untouched)`, `failed: timeout`."""
    if result.error is not None:
        return f"failed: {result.error['code']}"
    output = as_object(result.output) or {}
    status = str(output.get("status", "ok"))
    if output.get("repeated"):
        return f"{status} (repeated {output['repeated']})"
    return f"{status} ({output['reason']})" if output.get("reason") else status


def _fenced(text: str, language: str) -> str:
    ticks = "```"
    while ticks in text:
        ticks += "`"
    return f"\n{ticks}{language}\n{text.rstrip()}\n{ticks}\n"

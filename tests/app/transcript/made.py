"""Events and texts for tests of what is shown; nothing here needs a Space."""

from __future__ import annotations

from typing import Any

from workbench.harness.log.events import Message, ToolCall, ToolResult

TIME = "2026-11-30T11:33:05.123Z"


def message(seq: int, text: str, actor: Any = "user") -> Message:
    """Something that was said."""
    return Message(
        number=seq, thread="demo", seq=seq, time=TIME, actor=actor, role="user", text=text, message=f"message-{seq}"
    )


def call(seq: int, name: str, input: Any, actor: Any = "agent") -> ToolCall:
    """An act that began."""
    return ToolCall(
        number=seq,
        thread="demo",
        seq=seq,
        time=TIME,
        actor=actor,
        id=f"call-{seq}",
        name=name,
        input=input,
        message=f"message-{seq}",
        process="process-1",
    )


def result(
    seq: int, name: str, output: Any = None, error: dict[str, str] | None = None, of: int | None = None
) -> ToolResult:
    """How the act `of`, or else the one right before, ended."""
    return ToolResult(
        number=seq,
        thread="demo",
        seq=seq,
        time=TIME,
        actor="agent",
        id=f"call-{seq - 1 if of is None else of}",
        name=name,
        output=output,
        error=error,
    )

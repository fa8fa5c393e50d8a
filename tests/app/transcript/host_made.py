"""Events of calls of the toolbox, for tests of what is shown."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tests.app.transcript.made import TIME, call, result
from workbench.harness.log.events import Approval, ToolCall, ToolResult


def host_call(seq: int, name: str, input: Any, actor: Any = "agent") -> ToolCall:
    """A call of one of the seven."""
    return replace(call(seq, name, input, actor), binding=f"toolbox:{name}", cwd="/work")


def host_result(seq: int, name: str, text: str, details: Any = None, of: int | None = None) -> ToolResult:
    """A result that is one text."""
    output: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return result(seq, name, output | ({"details": details} if details else {}), of=of)


def host_error(seq: int, name: str, code: str, message: str) -> ToolResult:
    """How a call failed."""
    return result(seq, name, error={"code": code, "message": message})


def asked(seq: int, of: int, approved: bool | None, tool: str = "bash", **more: Any) -> Approval:
    """The question about the call `of`, or its answer."""
    value = {"tool": tool} | ({"why": "approvals.bash says ask."} if approved is None else {}) | more
    return Approval(
        number=seq, thread="demo", seq=seq, time=TIME, actor="user", key=f"call-{of}", value=value, approved=approved
    )

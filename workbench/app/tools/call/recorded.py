"""A call out of the log, read whole: what it gave the tool and where it acted, and what came of it. Pure."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from workbench.app.tools.call.machine_outcome import machine_outcome_of_past
from workbench.app.tools.call.outcome import Outcome, outcome_of_past
from workbench.app.tools.shown import Shown
from workbench.harness.log.calls import PastCall, Recorded
from workbench.harness.log.events import ToolCall, ToolResult


class WholeCall(Struct, frozen=True):
    """The call: what it gave, the seconds that it asked for, the folder of a machine that it acted in, its result."""

    past: PastCall
    given: Any
    seconds: int | None
    cwd: str | None
    result: ToolResult | None

    @property
    def without_result(self) -> str:
        """Why there is nothing to show of it, in words."""
        return "That call has no result yet." if self.past.outcome == "running" else "It never had a result."


def read_whole(tool: str, past: PastCall, rows: Recorded) -> WholeCall:
    """Read a call of a tool. A large one takes a while; this may be called in any thread.

    Raises:
        HarnessError: `corrupt` when it cannot be read.
    """
    call, result = rows.read()
    given, seconds = given_to(call, tool)
    return WholeCall(past, given, seconds, call.cwd, result)


def outcome_of(shown: Shown, whole: WholeCall) -> Outcome | None:
    """What came of it, as something to look at; None without a result. This takes a while too."""
    if whole.result is None:
        return None
    if shown.on_machine:
        return machine_outcome_of_past(shown.name, whole.past, whole.given, whole.result)
    return outcome_of_past(whole.past, whole.given, whole.result)


def given_to(call: ToolCall, tool: str) -> tuple[Any, int | None]:
    """What a call gave the tool, and the seconds that it asked for."""
    if call.name == tool:
        return call.input, None
    body: dict[str, Any] = call.input if isinstance(call.input, dict) else {}
    options = body.get("options")
    seconds = options.get("timeout_secs") if isinstance(options, dict) else None
    return body.get("input", {}), seconds if isinstance(seconds, int) else None

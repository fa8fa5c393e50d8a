"""The agent's plan, folded out of its `plan` calls. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct

from workbench.harness.log.events import Event, ToolCall, ToolResult
from workbench.harness.strict_json import as_object

StepStatus = Literal["pending", "running", "done", "failed", "skipped"]


class PlanStep(Struct, frozen=True):
    """One step of a plan."""

    id: str
    label: str
    status: StepStatus


class Plan(Struct, frozen=True):
    """A plan as it was last stated; `thread` and `seq` name the call that did."""

    title: str
    steps: tuple[PlanStep, ...]
    thread: str
    seq: int

    @property
    def done(self) -> int:
        """How many steps need nothing more."""
        return sum(step.status in ("done", "skipped") for step in self.steps)


def plan_of(events: Iterable[Event]) -> Plan | None:
    """The plan after these events: what the last `plan` call that was accepted says. An empty one is none."""
    calls: dict[str, ToolCall] = {}
    plan: Plan | None = None
    for event in events:
        if isinstance(event, ToolCall) and event.name == "plan":
            calls[event.id] = event
        elif isinstance(event, ToolResult) and event.id in calls and event.error is None:
            output = as_object(event.output) or {}
            if output.get("status") == "ok":
                plan = _stated(calls[event.id])
    return plan


def _stated(call: ToolCall) -> Plan | None:
    body = as_object(call.input) or {}
    title: Any = body.get("title", "")
    try:
        steps = msgspec.convert(body.get("steps"), tuple[PlanStep, ...])
    except msgspec.ValidationError:
        return None  # a log may come from elsewhere
    if not steps:
        return None
    return Plan(title if isinstance(title, str) else "", steps, call.thread, call.seq)

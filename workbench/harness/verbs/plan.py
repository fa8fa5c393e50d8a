"""`plan`: what the agent is going to do, stated whole. The log keeps it; `log/plan.py` folds it out again."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from workbench.harness.errors import HarnessError
from workbench.harness.log.plan import StepStatus
from workbench.harness.tools.definition import ToolDefinition

MAX_STEPS = 100
"""How many steps a plan may have."""


class PlanStep(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One step of a plan."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    status: StepStatus


class PlanInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A whole plan."""

    title: Annotated[str, msgspec.Meta(max_length=200)] | msgspec.UnsetType = msgspec.UNSET
    steps: Annotated[list[PlanStep], msgspec.Meta(max_length=MAX_STEPS, description="All steps, in order.")]


PLAN = ToolDefinition(
    name="plan",
    summary="State your plan, whole, each time it changes.",
    description=(
        "State what you are going to do as steps, and say it again whole whenever a step changes: what you give "
        f"replaces the plan, and an empty list clears it. At most {MAX_STEPS} steps, each with an id of its own. For "
        "work of several steps; not needed for a single one. The owner sees it as a checklist."
    ),
    parameters=PlanInput,
    binding="verb:plan",
    execution_mode="sequential",
)


async def run(params: PlanInput) -> dict[str, Any]:
    """Accept a plan; that it stands in the log is all that makes it the plan.

    Raises:
        HarnessError: `bad_input` when two steps have the same id.
    """
    ids = [step.id for step in params.steps]
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        raise HarnessError("bad_input", f"Two steps have the id {twice[0]}; give each an id of its own.")
    return {"status": "ok", "steps": msgspec.to_builtins(params.steps)}

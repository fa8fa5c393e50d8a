"""`plan`: declared, and reserved until the version that gives it its fold."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from workbench.harness.tools.definition import ToolDefinition


class PlanStep(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One step of a plan."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    label: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    status: Literal["pending", "running", "done", "failed", "skipped"]


class PlanInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A whole plan."""

    title: Annotated[str, msgspec.Meta(max_length=200)] | msgspec.UnsetType = msgspec.UNSET
    steps: Annotated[list[PlanStep], msgspec.Meta(max_length=100, description="All steps, in order.")]


PLAN = ToolDefinition(
    name="plan",
    summary="State your plan, whole, each time it changes.",
    description=(
        "State what you are going to do as steps, and say it again whole whenever a step changes: what you give "
        "replaces the plan. For work of several steps; not needed for a single one. Not available in this version."
    ),
    parameters=PlanInput,
    binding="verb:plan",
)

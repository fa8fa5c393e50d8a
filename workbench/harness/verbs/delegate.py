"""`delegate`: declared, and reserved until the version that can start a child."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from workbench.harness.tools.definition import ToolDefinition


class DelegateInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A piece of work for a child."""

    brief: Annotated[str, msgspec.Meta(min_length=1, description="The whole task: the child sees nothing else.")]
    title: Annotated[str, msgspec.Meta(max_length=80)] | msgspec.UnsetType = msgspec.UNSET
    tools: Annotated[list[str], msgspec.Meta(description="The callables it may use, of yours.")] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    output: (
        Annotated[dict[str, Any], msgspec.Meta(description="JSON Schema of what it must deliver.")] | msgspec.UnsetType
    ) = msgspec.UNSET


DELEGATE = ToolDefinition(
    name="delegate",
    summary="Hand a piece of work to a child and wait for its result.",
    description=(
        "Hand a self-contained piece of work to a child that works in a thread of its own, with your tools or fewer, "
        "and wait for what it delivers. Not available in this version."
    ),
    parameters=DelegateInput,
    binding="verb:delegate",
)

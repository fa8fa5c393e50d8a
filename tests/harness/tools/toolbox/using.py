"""Using a tool of the toolbox by itself: its input as a model writes it, what it gives back."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from workbench.harness.tools.definition import typed
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool, Signal, ToolAnswer


async def use(
    tool: HostTool,
    input: dict[str, Any],
    ctx: HostContext,
    *,
    signal: Signal | None = None,
    updates: Callable[[ToolAnswer], None] = lambda update: None,
) -> ToolAnswer:
    """Execute a tool on an input, prepared as the loop prepares it."""
    prepared = copy.deepcopy(input)
    if tool.prepare_arguments is not None:
        prepared = tool.prepare_arguments(prepared)
    return await tool.execute("call-1", typed(tool.parameters, prepared), signal or Signal(), updates, ctx)

"""Among what a tool is listed in the Space that is open."""

from __future__ import annotations

import asyncio

from workbench.app.tools.source.judgement import Surroundings
from workbench.harness.harness import Harness
from workbench.harness.space.index import IndexTool
from workbench.harness.tools.builtins.later import NOT_BUILT
from workbench.harness.tools.callables import Missing


async def surroundings(harness: Harness, name: str) -> Surroundings:
    """The other callable tools, memory, and what decides whether the tool of that name is listed with them.

    Raises:
        HarnessError: the Space cannot be read now.
    """
    tools = tuple(
        IndexTool(state.name, state.summary, authored=state.kind == "lambda", builtin=state.kind == "builtin")
        for state in harness.tools()
        if state.callable and state.name != name
    )
    settings = harness.settings().settings
    # Looking through folders takes as long as it takes; the database belongs to this thread.
    memory = await asyncio.to_thread(harness.memory.top)
    return Surroundings(tools, memory, settings, Missing.on(harness.availability, NOT_BUILT))

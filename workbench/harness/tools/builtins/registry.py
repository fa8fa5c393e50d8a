"""The builtins by name: each one's declaration, and the executor of those that have one."""

from __future__ import annotations

from typing import Any

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import ToolDocument
from workbench.harness.tools.builtins import execute, search
from workbench.harness.tools.builtins.later import NAVIGATE, NOT_BUILT, WEB_SEARCH
from workbench.harness.tools.context import Ran, ToolContext
from workbench.harness.tools.definition import ToolDefinition, typed

DEFINITIONS: dict[str, ToolDefinition] = {
    "search": search.SEARCH,
    "web_search": WEB_SEARCH,
    "navigate": NAVIGATE,
    "execute": execute.EXECUTE,
}


async def run_builtin(document: ToolDocument, input: Any, context: ToolContext) -> Ran:
    """Run the executor that a builtin is bound to. Raises HarnessError `unavailable` where there is none yet."""
    match document.binding:
        case "search":
            return await search.run(typed(search.SearchInput, input), context)
        case "execute":
            return await execute.run(typed(execute.ExecuteInput, input), context)
        case _:
            raise HarnessError("unavailable", NOT_BUILT.get(document.name, f"{document.name} has no executor here."))

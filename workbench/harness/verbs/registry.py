"""The five verbs by name, and the way from a logged call to the code that answers it."""

from __future__ import annotations

from typing import Any

from workbench.harness.errors import HarnessError
from workbench.harness.names import VERBS
from workbench.harness.space.library import StoredTool
from workbench.harness.tools.definition import ToolDefinition, typed
from workbench.harness.verbs import call, plan, read, write
from workbench.harness.verbs.act import Act
from workbench.harness.verbs.answers import judge, not_run, refused_input
from workbench.harness.verbs.carried import split
from workbench.harness.verbs.delegate import DELEGATE
from workbench.harness.verbs.documents import tool_of
from workbench.harness.verbs.later import not_built

VERB_DEFINITIONS: dict[str, ToolDefinition] = {
    "read": read.READ,
    "write": write.WRITE,
    "call": call.CALL,
    "delegate": DELEGATE,
    "plan": plan.PLAN,
}
assert tuple(VERB_DEFINITIONS) == VERBS


def verb_tools() -> dict[str, StoredTool]:
    """The verbs as tools, in their order."""
    return {name: tool_of(definition) for name, definition in VERB_DEFINITIONS.items()}


async def handle(act: Act) -> dict[str, Any]:
    """Do what an act says: a verb, or any other name as a direct call of that tool; on the real machine, one of seven.

    Raises:
        HarnessError: the act failed.
    """
    name, input = act.call.name, act.call.input
    if act.host is not None:
        if isinstance(act.host, str):
            raise HarnessError("unavailable", act.host)
        # Most Spaces never act on the machine itself, and whoever opens the app waits for what is loaded before.
        from workbench.harness.tools.toolbox.host_side import run_on_host

        return await run_on_host(act, act.host)
    if name not in VERB_DEFINITIONS:
        return await call.call_tool(act, name, input)
    verb = act.verbs[name]
    judged = judge(verb.document, split(name, input)[0])
    if judged.errors:
        if act.by_agent:
            return not_run(act, verb.document, verb.cid, judged, input)
        raise refused_input(verb.document, verb.cid, judged)
    match name:
        case "read":
            return await read.run(act, typed(read.ReadInput, input))
        case "write":
            return await write.run(act, typed(write.WriteInput, input))
        case "call":
            return await call.run(act, typed(call.CallInput, input))
        case "plan":
            return await plan.run(typed(plan.PlanInput, input))
        case _:
            raise not_built(f"The verb {name}")

"""`call`: find the tool, judge touch and input, run it; or answer with what is needed to call it rightly."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

import msgspec

from workbench.harness.space.settings import MAX_TIMEOUT_SECS
from workbench.harness.strict_json import Json
from workbench.harness.tools.builtins.registry import run_builtin
from workbench.harness.tools.context import Ran
from workbench.harness.tools.definition import ToolDefinition
from workbench.harness.tools.lambda_call import run_lambda
from workbench.harness.verbs.act import Act
from workbench.harness.verbs.answers import cannot_call, judge, no_such_tool, not_run, refused_input, told


class CallOptions(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """How to run it."""

    timeout_secs: (
        Annotated[int, msgspec.Meta(ge=1, le=MAX_TIMEOUT_SECS, description="Seconds that the call may take.")]
        | msgspec.UnsetType
    ) = msgspec.UNSET


class CallInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A tool and its input."""

    tool: Annotated[str, msgspec.Meta(min_length=1, description="The name of the tool, as ~/tools/ lists it.")]
    input: Annotated[Any, msgspec.Meta(description="The tool's own input, an object that its contract describes.")] = (
        msgspec.UNSET
    )
    options: Annotated[CallOptions, msgspec.Meta(description="How to run it.")] | msgspec.UnsetType = msgspec.UNSET


CALL = ToolDefinition(
    name="call",
    summary="Call a tool by name.",
    description=(
        "Call a tool of ~/tools/ by its name with an input object. The first call of a tool in a thread is not "
        "executed: it answers with the tool's contract, as does any call whose input does not match. Read the contract "
        "and call again. From then on the tool is also offered to you directly under its own name. A tool that you do "
        "not see may still be there: read ~/tools/ with options.query to find it."
    ),
    parameters=CallInput,
    binding="verb:call",
)


async def run(act: Act, params: CallInput) -> dict[str, Any]:
    """Call a tool through the verb."""
    options = params.options if isinstance(params.options, CallOptions) else CallOptions()
    timeout = options.timeout_secs if isinstance(options.timeout_secs, int) else None
    return await call_tool(act, params.tool, {} if params.input is msgspec.UNSET else params.input, timeout)


async def call_tool(act: Act, name: str, input: Json, timeout_secs: int | None = None) -> dict[str, Any]:
    """Call a tool, by the verb or directly: one path, one answer.

    Raises:
        HarnessError: as the tool failed; and for everybody but the agent also when it was not run.
    """
    state = act.callables.state(name)
    tool = act.callables.tool(name) if state.callable else None
    if tool is None:
        if act.by_agent:
            return no_such_tool(act, state)
        raise cannot_call(act, state)
    # A hostile schema may use up its whole budget of steps; whoever draws a screen must not wait for that.
    judged = await asyncio.to_thread(judge, tool.document, input)
    if not act.by_agent:
        if judged.errors:
            raise refused_input(tool.document, tool.cid, judged)
    elif judged.errors or not _may_run_at_once(act, name):
        return not_run(act, tool.document, tool.cid, judged, input)
    started = time.monotonic()
    context = msgspec.structs.replace(act, timeout_secs=timeout_secs)
    if tool.document.kind == "builtin":
        ran = await run_builtin(tool.document, input, context)
    else:
        ran = await run_lambda(tool.document, input, context)
    return _answer(name, tool.cid, ran, round((time.monotonic() - started) * 1000)) | told(judged)


def _may_run_at_once(act: Act, name: str) -> bool:
    if act.space.agent_file.state().settings.first_call == "run":
        return True
    return act.log.touches(act.call.thread).before(name, act.call.message)


def _answer(name: str, cid: str, ran: Ran, duration_ms: int) -> dict[str, Any]:
    answer: dict[str, Any] = {"status": "ok", "tool": name, "cid": cid, "output": ran.output}
    if ran.logs:
        answer["logs"] = ran.logs
    if ran.changed_files:
        answer["changed_files"] = [
            {"path": file.path, "change": file.change} | ({"shared": True} if file.shared else {})
            for file in ran.changed_files
        ]
    answer["duration_ms"] = duration_ms
    if ran.unchecked:
        answer["output_unchecked"] = list(ran.unchecked)
    return answer

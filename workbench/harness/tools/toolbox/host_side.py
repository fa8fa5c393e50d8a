"""The real machine as one act meets it: where it acts, who may stop it, and how its call is run there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.text import neutralise
from workbench.harness.tools.context import ToolContext
from workbench.harness.tools.toolbox.hooks import Hooks
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool, Signal, ToolAnswer
from workbench.harness.tools.toolbox.limits import PROGRESS_CHARS
from workbench.harness.tools.toolbox.registry import TOOLS
from workbench.harness.tools.toolbox.running import answer_json, run_call


class HostSide(Struct, frozen=True, kw_only=True):
    """What an act on the real machine is given. `offered` are the tools that its caller was told of.

    `permit` is asked before a call acts, with its tool and the input that it will be executed with; it raises
    HarnessError where the answer is no. `keep` stores an image's bytes and gives their CID.
    """

    offered: tuple[str, ...]
    ctx: HostContext
    hooks: Hooks
    permit: Callable[[HostTool, Mapping[str, Any]], Awaitable[None]]
    keep: Callable[[bytes], str]


async def run_on_host(act: ToolContext, host: HostSide) -> dict[str, Any]:
    """Run a call of the toolbox: its result as it stands in the log.

    Raises:
        HarnessError: `not_found` for a name that is none of the seven; as the tool fails.
        CancelledError: with the HarnessError that says what was done until then.
    """
    tool = TOOLS.get(act.call.name)
    if tool is None:
        raise HarnessError(
            "not_found", f"Tool {neutralise(act.call.name)[:80]} not found. There are: {', '.join(host.offered)}."
        )
    signal = Signal()

    def update(so_far: ToolAnswer) -> None:
        act.progress("running", so_far.text[-PROGRESS_CHARS:])

    answer = await run_call(
        tool,
        act.call.id,
        act.call.input,
        signal=signal,
        on_update=update,
        ctx=host.ctx,
        hooks=host.hooks,
        permit=host.permit,
    )
    return answer_json(answer, host.keep)

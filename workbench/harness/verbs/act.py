"""One act on its way through a verb: who does it, where, and what it may reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Actor, ToolCall
from workbench.harness.log.log import Log
from workbench.harness.space.library import StoredTool
from workbench.harness.space.space import Space
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.context import ToolContext
from workbench.harness.tools.definition import Progress
from workbench.harness.tools.engine import Sandbox


@dataclass(frozen=True, slots=True)
class Act:
    """An act that is in the log as `call` and now happens."""

    call: ToolCall
    verbs: Mapping[str, StoredTool]
    space: Space
    log: Log
    callables: Callables
    sandbox: Sandbox
    progress: Progress

    @property
    def actor(self) -> Actor:
        """Who acts."""
        return self.call.actor

    @property
    def by_agent(self) -> bool:
        """Whether touch-expand answers this act. Only the agent learns by it; everybody else gets plain errors."""
        return self.call.actor == "agent"

    def tool_context(self, timeout_secs: int | None) -> ToolContext:
        """The surroundings for a tool that this act calls."""
        return ToolContext(
            space=self.space,
            log=self.log,
            callables=self.callables,
            sandbox=self.sandbox,
            settings=self.space.agent_file.state().settings,
            actor=self.call.actor,
            thread=self.call.thread,
            call=self.call.id,
            progress=self.progress,
            timeout_secs=timeout_secs,
        )


def known_options(options: dict[str, Any], allowed: tuple[str, ...], where: str) -> None:
    """Refuse options that an address does not take. Raises HarnessError `bad_input` naming them."""
    strange = sorted(set(options) - set(allowed))
    if strange:
        takes = "takes the options " + ", ".join(allowed) if allowed else "takes no options"
        raise HarnessError("bad_input", f"Unknown option {', '.join(strange)}: {where} {takes}.")

"""What an act is given while it happens, and what a tool gives back."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from workbench.harness.log.events import Actor, ToolCall
from workbench.harness.log.reading import Reading
from workbench.harness.space.settings import Settings
from workbench.harness.space.space import Space
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.definition import Progress
from workbench.harness.tools.engine import Sandbox
from workbench.harness.tools.lambdas.values import ChangedFile


class ToolContext(Struct, frozen=True, kw_only=True):
    """The surroundings of one call, which is in the log as `call`.

    `timeout_secs` is what the caller asked for, None for the settings' own.
    """

    call: ToolCall
    space: Space
    log: Reading
    callables: Callables
    sandbox: Sandbox
    progress: Progress
    timeout_secs: int | None = None

    @property
    def actor(self) -> Actor:
        """Who acts."""
        return self.call.actor

    @property
    def settings(self) -> Settings:
        """The settings that act now."""
        return self.space.agent_file.state().settings


class Ran(Struct, frozen=True):
    """What a tool gave back: its output, what it printed, which files of memory it changed.

    `unchecked` names the parts of its output schema that cannot be checked.
    """

    output: Any
    logs: str = ""
    changed_files: tuple[ChangedFile, ...] = ()
    unchecked: tuple[str, ...] = ()

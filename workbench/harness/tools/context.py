"""What a tool is given while it runs, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.harness.log.events import Actor
from workbench.harness.log.log import Log
from workbench.harness.space.settings import Settings
from workbench.harness.space.space import Space
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.definition import Progress
from workbench.harness.tools.engine import Sandbox
from workbench.harness.tools.lambdas.values import ChangedFile


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The surroundings of one call. `timeout_secs` is what the caller asked for, None for the settings' own."""

    space: Space
    log: Log
    callables: Callables
    sandbox: Sandbox
    settings: Settings
    actor: Actor
    thread: str
    call: str
    progress: Progress
    timeout_secs: int | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """What a tool gave back: its output, what it printed, which files of memory it changed."""

    output: Any
    logs: str = ""
    changed_files: tuple[ChangedFile, ...] = ()
    unchecked: tuple[str, ...] = ()

"""How many calls of one message run at once: beside each other, or one after the other where one of them must not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.harness.log.reading import Reading
from workbench.harness.machine import Machine
from workbench.harness.strict_json import as_object
from workbench.harness.tools.builtins.registry import DEFINITIONS
from workbench.harness.tools.definition import ExecutionMode
from workbench.harness.verbs.registry import VERB_DEFINITIONS

AT_ONCE = 8
"""How many calls of one message run beside each other; each may be a sandbox with half a gigabyte of its own."""


def at_once(log: Reading, machine: Machine, thread: str, calls: Iterable[tuple[str, Any]]) -> int:
    """How many of the calls of a message run at once, by their names and inputs."""
    on_machine = log.surface_of(thread) == "toolbox"
    modes = (machine.execution_mode(name) if on_machine else _mode(name, input) for name, input in calls)
    return 1 if "sequential" in modes else AT_ONCE


def _mode(name: str, input: Any) -> ExecutionMode:
    """Whether a call on the Space may run beside the others of its message; of `call` it is the called tool's."""
    body = as_object(input) or {}
    named = body.get("tool") if name == "call" else name
    definition = VERB_DEFINITIONS.get(str(named)) or DEFINITIONS.get(str(named))
    return definition.execution_mode if definition is not None else "parallel"

"""What the owner allows, as switches, and the change of the settings that flipping one asks for. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from workbench.harness.names import BUILTINS
from workbench.harness.space.settings import GRANTABLE, Settings
from workbench.harness.tools.callables import ToolState

Kind = Literal["builtin", "publish", "lambda"]


@dataclass(frozen=True, slots=True)
class Switch:
    """One thing that can be granted or not. `why` says why it cannot be called all the same, None where it can."""

    name: str
    kind: Kind
    on: bool
    why: str | None = None

    @property
    def key(self) -> str:
        """What tells it from every other switch: a lambda may have the name of something else that is granted."""
        return f"{self.kind} {self.name}"

    @property
    def words(self) -> str:
        """Its state, in words."""
        if self.kind == "lambda":
            return "switched on" if self.on else "switched off"
        return "granted" if self.on else "not granted"


def switches(states: Sequence[ToolState], settings: Settings) -> tuple[Switch, ...]:
    """The builtins, `publish`, then the lambdas by name."""
    builtins = [
        Switch(state.name, "builtin", state.granted, _why(state)) for state in states if state.kind == "builtin"
    ]
    lambdas = [
        Switch(state.name, "lambda", state.name not in settings.switched_off, _why(state))
        for state in states
        if state.kind == "lambda"
    ]
    publish = Switch("publish", "publish", settings.publish, None if settings.publish else "write ipfs:// is refused.")
    return (*builtins, publish, *sorted(lambdas, key=lambda switch: switch.name))


def flip(settings: Settings, switch: Switch) -> dict[str, Any]:
    """The patch of the settings that turns a switch over.

    Without a list everything is granted, so taking the first thing away writes the list of the others; where nothing
    is taken away any more the key goes. Names in the list that cannot be granted stay: they are the owner's.
    """
    if switch.kind == "lambda":
        off = [name for name in settings.switched_off if name != switch.name]
        if switch.on:
            off.append(switch.name)
        return {"switched_off": off or None}
    listed = list(GRANTABLE if settings.tools is None else settings.tools)
    if switch.on:
        listed = [name for name in listed if name != switch.name]
    else:
        listed.append(switch.name)
    return {"tools": None if set(GRANTABLE) <= set(listed) else listed}


def in_words(settings: Settings) -> str:
    """What the settings say about grants."""
    if settings.tools is None:
        said = f"No list in agent.toml: everything is granted ({', '.join(BUILTINS)}, every lambda, publish)."
    elif settings.tools:
        said = f"agent.toml lists {', '.join(settings.tools)}; nothing else is granted."
    else:
        said = "agent.toml has an empty list: nothing is granted."
    if settings.switched_off:
        said += f" Switched off: {', '.join(settings.switched_off)}."
    return said


def _why(state: ToolState) -> str | None:
    if state.callable:
        return None
    return f"{state.reason}: {state.detail or 'it cannot be called now.'}"

"""What the owner allows, as switches, and the change of the settings that flipping one asks for. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from workbench.app.space.row_view import Row
from workbench.harness.names import BUILTINS
from workbench.harness.space.settings import GRANTABLE, Settings
from workbench.harness.text import fold, printable
from workbench.harness.tools.callables import ToolState

Kind = Literal["builtin", "publish", "lambda"]

LIST = "list tools"
"""The key of the row that makes the list of grants, or takes it away."""

SWITCH_CELLS = 5
"""How many cells of a row are its switch: `■ on ` or `□ off`."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One thing that can be granted or not.

    `reason` is why it cannot be called though it is granted, `why` says that in words; None where it can.
    """

    name: str
    kind: Kind
    on: bool
    reason: str | None = None
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

    @property
    def flipped(self) -> str:
        """What flipping it does, in words."""
        if self.kind == "lambda":
            return f"{self.name} was switched {'off' if self.on else 'on'}"
        return f"{self.name} was {'taken away' if self.on else 'granted'}"


def switches(states: Sequence[ToolState], settings: Settings) -> tuple[Switch, ...]:
    """The builtins, `publish`, then the lambdas by name."""
    builtins = [
        Switch(state.name, "builtin", state.granted, *_why(state)) for state in states if state.kind == "builtin"
    ]
    off = set(settings.switched_off)
    lambdas = [
        Switch(state.name, "lambda", state.name not in off, *_why(state)) for state in states if state.kind == "lambda"
    ]
    publish = Switch("publish", "publish", settings.publish)
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


def flip_list(settings: Settings) -> dict[str, Any]:
    """The patch that makes the list of everything that is granted now, or takes the list away."""
    return {"tools": list(GRANTABLE) if settings.tools is None else None}


def in_words(settings: Settings) -> str:
    """What the settings say about grants."""
    if settings.tools is None:
        return f"No list in agent.toml: everything is granted ({', '.join(BUILTINS)}, every lambda, publish)."
    if settings.tools:
        return f"agent.toml lists {', '.join(settings.tools)}; of the builtins and publish nothing else is granted."
    return "agent.toml has an empty list: nothing is granted."


def list_row(settings: Settings) -> Row:
    """The row of the list itself."""
    has = settings.tools is not None
    offer = "l takes the list away: everything is granted then." if has else "l makes a list, to narrow by hand."
    return Row(
        LIST,
        (("≡ list  " if has else "≡ no list", "strong"),),
        (offer, "quiet"),
        ((printable(in_words(settings)), ""),),
    )


def switch_row(switch: Switch) -> Row:
    """The row of a switch."""
    sign = ("■ on ", "good") if switch.on else ("□ off", "quiet")
    state = switch.words if switch.reason is None else f"{switch.words} · {switch.reason}"
    notes = ((fold(printable(switch.why)), "quiet"),) if switch.why else ()
    look = "quiet" if switch.reason is None else "warn"
    return Row(
        switch.key, (sign, (f" {printable(switch.name)}", "")), (state, look), notes, hang=6, beside=SWITCH_CELLS
    )


def _why(state: ToolState) -> tuple[str | None, str | None]:
    """What the switch itself does not say. Lambdas without `execute` may be thousands: there the reason is enough."""
    if state.callable or state.reason == "not_granted":
        return None, None
    return state.reason, state.detail if state.reason != "needs_execute" else None

"""What of the sandbox the owner has widened, in words that the faces show as they are."""

from __future__ import annotations

from msgspec import Struct

from workbench.harness.space.settings import DEFAULTS, Settings
from workbench.harness.tools.callables import Missing
from workbench.harness.tools.lambdas.values import Limits


class SandboxNote(Struct, frozen=True):
    """One setting of the sandbox that lets code do more than the default does.

    `id` is the key's path. `acts` is False where this machine cannot keep to it; then the default acts, and `text` says
    why.
    """

    id: str
    text: str
    acts: bool = True


def sandbox_notes(settings: Settings, missing: Missing) -> tuple[SandboxNote, ...]:
    """What code of the agent may do beyond the defaults, by the settings that act; nothing where they all stand."""
    notes: list[SandboxNote] = []
    if settings.network:
        text = (
            "Lambdas and execute are in this machine's own network: whatever it reaches they reach, also what listens "
            "on its loopback only."
        )
        notes.append(SandboxNote("sandbox.network", text))
    if settings.processes:
        most = Limits().processes
        text = f"Lambdas and execute may start processes, at most {most} at once."
        if missing.processes is not None:
            text = f"It is allowed, yet no process can be started: {missing.processes}"
        notes.append(SandboxNote("sandbox.processes", text, acts=missing.processes is None))
    for id, now, default, unit, what in (
        ("sandbox.memory_mib", settings.memory_mib, DEFAULTS.memory_mib, "MiB", "of memory"),
        ("sandbox.timeout_secs", settings.timeout_secs, DEFAULTS.timeout_secs, "seconds", "of time"),
        ("sandbox.disk_mib", settings.disk_mib, DEFAULTS.disk_mib, "MiB", "in /workspace and /tmp"),
    ):
        if now > default:
            notes.append(SandboxNote(id, f"A call of a lambda or execute gets {now:,} {unit} {what}, not {default:,}."))
    return tuple(notes)

"""What was found out about this machine: what can run on it, and why something cannot."""

from __future__ import annotations

from msgspec import Struct


class Check(Struct, frozen=True):
    """One thing calls need: what was found, and where it is not `ok` what to do about it."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


_NOT_LOOKED_FOR = "it was not looked for"


class Availability(Struct, frozen=True):
    """By runtime the reason why it cannot run here, None where it can; and everything that was looked at.

    `processes` is the reason why nothing may start processes here, also where the owner allows it.
    """

    python: str | None
    typescript: str | None
    checks: tuple[Check, ...]
    shell: str | None = _NOT_LOOKED_FOR
    processes: str | None = _NOT_LOOKED_FOR

"""A change that was made to `agent.toml` by hand, logged as the write of `~/self` that would have made it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.harness.identity import WORKSHOP, new_id
from workbench.harness.log.log import Log
from workbench.harness.space.space import Space


def notice(space: Space, log: Log) -> bool:
    """Log a hand edit, once, whichever process sees it first; whether there was one."""
    if space.store.readonly or space.settings_noted():
        return False
    with space.store.writing():
        values = space.agent_file.state().values
        before = space.noted_settings()
        if values is None or values == before:
            return False
        space.note_settings(values, "user" if before is not None else "system")
        if before is None:
            return False
        patch = _difference(before, values)
        call = log.call(WORKSHOP, "user", "write", {"address": "~/self", "content": patch}, new_id("message"))
        noticed = {
            "status": "saved",
            "address": "~/self",
            "changed": True,
            "noticed": "agent.toml was edited by hand",
        }
        log.result(call, output=noticed)
    return True


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What changed between two readings of the settings, as the patch that would have changed it."""
    patch = {path: value for path, value in new.items() if path not in old or old[path] != value}
    return patch | dict.fromkeys((path for path in old if path not in new), None)

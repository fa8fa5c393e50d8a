"""Every setting in a line: what acts, and whether the file, the default or a missing yes decides it. Pure."""

from __future__ import annotations

import json

from workbench.harness.space.agent_file import SettingsState
from workbench.harness.space.settings import KEYS


def settings_text(state: SettingsState) -> str:
    """The settings as a text to read; faults first."""
    lines = [f"✗ {fault}" for fault in state.faults]
    lines += ["What acts now, setting by setting. write ~/self changes them, and so does an editor.", ""]
    waiting = {setting.id: setting for setting in state.waiting}
    said = state.values or {}
    width = max(len(key.path) for key in KEYS)
    for key in KEYS:
        acts = getattr(state.settings, key.field)
        if key.path in waiting:
            why = f"default; {_shown(waiting[key.path].value)} waits for your yes"
        elif key.path in said:
            why = "set in agent.toml"
        else:
            why = "default"
        lines.append(f"{key.path:<{width}}  {_shown(acts)}  ({why})")
    return "\n".join(lines)


def _shown(value: object) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False, default=str)

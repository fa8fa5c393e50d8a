"""Every setting as a row: what acts, and whether the file, the default or a missing yes decides it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from workbench.app.space.row_view import Row
from workbench.app.space.setting_words import SETTINGS, Counting, Ruling
from workbench.app.space.waiting import meaning, value_text
from workbench.harness.space.agent_file import SettingsState
from workbench.harness.space.settings import KEYS, Key, Waiting
from workbench.harness.text import fold, printable

Origin = Literal["default", "agent.toml", "your yes", "waits", "no", "not built", "last good", "nothing known"]

ORIGINS: dict[Origin, tuple[str, str]] = {
    "default": ("default", "quiet"),
    "agent.toml": ("agent.toml", "good"),
    "your yes": ("agent.toml, by your yes", "good"),
    "waits": ("waits for your yes", "warn"),
    "no": ("you said no", "warn"),
    "not built": ("not in this version", "warn"),
    "last good": ("last good settings", "bad"),
    "nothing known": ("nothing good known", "bad"),
}
"""Where a value comes from, in words, and how that looks."""

RULED = '"ask", "allow" or "deny"; or rules: a default, and lists of patterns to allow, ask and deny'
"""What rules may be, as far as there is room for it; where some are refused all of it is said."""

KEY_CELLS = max(len(key.path) for key in KEYS)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: `acts` is the value that acts, `said` what the file says where that is known."""

    key: Key
    acts: Any
    origin: Origin
    said: Any = None
    waiting: Waiting | None = None

    @property
    def path(self) -> str:
        """Its key."""
        return self.key.path

    @property
    def present(self) -> Any:
        """What editing begins with: what the file says, else what acts."""
        return self.said if self.said is not None else self.acts

    @property
    def default(self) -> Any:
        """What acts without the file."""
        return self.key.default


def settings_of(state: SettingsState) -> tuple[Setting, ...]:
    """Every setting, in the order of the table."""
    waiting = {setting.id: setting for setting in state.waiting}
    given = {setting.id: setting for setting in state.approved}
    return tuple(_setting(key, state, waiting.get(key.path), given.get(key.path)) for key in KEYS)


def _setting(key: Key, state: SettingsState, waits: Waiting | None, given: Waiting | None) -> Setting:
    acts = getattr(state.settings, key.field)
    if key.tool is not None:
        acts = acts.get(key.tool) or key.default
    if waits is not None:
        origin: Origin = "not built" if not waits.built else "no" if waits.denied else "waits"
        return Setting(key, acts, origin, waits.value, waits)
    if state.values is None:
        known: Origin = "last good" if state.known else "nothing known"
        return Setting(key, acts, "default" if acts == key.default else known, None, given)
    if key.path not in state.values:
        return Setting(key, acts, "default")
    return Setting(key, acts, "your yes" if given else "agent.toml", state.values[key.path], given)


def acts_text(setting: Setting) -> str:
    """The value that acts, on one line. An absent list of grants is not none of them."""
    return "no list: everything" if setting.path == "tools" and setting.acts is None else value_text(setting.acts)


def setting_row(setting: Setting) -> Row:
    """Its row."""
    words, look = ORIGINS[setting.origin]
    key = f"{setting.path:<{KEY_CELLS}}  "
    head = ((key, "strong" if setting.origin != "default" else ""), (acts_text(setting), ""))
    notes: tuple[tuple[str, str], ...] = ()
    if setting.origin in ("waits", "no", "not built"):
        notes = ((f"{value_text(setting.said)} stands in agent.toml", "warn"),)
    return Row(setting.path, head, (words, look), notes, hang=KEY_CELLS + 2)


def about(setting: Setting) -> tuple[str, ...]:
    """What is said of the setting at the cursor: what it is for, what it may be, and what would act without it."""
    words = SETTINGS[setting.path]
    counted = words.editing if setting.default is not None else None
    unit = counted.unit if isinstance(counted, Counting) else ""
    default = f"{value_text(setting.default, 80)} {unit}".rstrip()
    said = RULED if isinstance(words.editing, Ruling) else setting.key.allowed
    allowed = f"{said[:1].upper()}{said[1:]}. Default: {default}."
    lines = [words.about, allowed]
    if setting.waiting is not None:
        # Apart: what a yes means may end in a pattern, which the keys are no part of.
        lines += [line for line in (meaning(setting.waiting), _answer(setting.origin)) if line]
    return tuple(fold(printable(line)) for line in lines)


def _answer(origin: Origin) -> str:
    if origin == "your yes":
        return "x takes the yes back."
    if origin == "not built":
        return "This version cannot do it; its default acts."
    return "" if origin == "last good" else "a says yes on this machine, x no."


_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")


def fault_lines(faults: Sequence[str], text: str | None) -> tuple[str, ...]:
    """The faults, each with the line of the file that it names."""
    lines = text.split("\n") if text is not None else []
    out: list[str] = []
    for fault in faults:
        out.append(f"✗ {fold(printable(fault))}")
        found = _LINE.search(fault)
        number = int(found[1]) if found else len(lines) if "(at end of document)" in fault else _named(fault, lines)
        if number and number <= len(lines):
            # A line that may hold a secret is named, not shown: screens are shared and photographed.
            said = "" if "secret" in fault else f": {printable(lines[number - 1].rstrip())[:200]}"
            out.append(f"    line {number}{said}")
    return tuple(out)


_NAMED = re.compile(r"\b(?:setting|Unknown setting) ([\w.-]+)|^(tools) names|^([\w.-]+) looks like a secret")


def _named(fault: str, lines: Sequence[str]) -> int:
    """The line that the setting which a fault is about begins on, as far as one can see; 0 for none."""
    found = _NAMED.search(fault.removeprefix("agent.toml cannot be used: "))
    if not found:
        return 0
    name = next(group for group in found.groups() if group).rstrip(".").rpartition(".")[2]
    key = re.compile(rf"\s*(?:\[.*)?(?:[\w.\"'-]+\.)?[\"']?{re.escape(name)}[\"']?\s*[=\]]")
    return next((number for number, line in enumerate(lines, 1) if key.match(line)), 0)

"""What waits for the owner's yes, and what was given one, as rows. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench.app.space.row_view import Row
from workbench.app.space.setting_words import SETTINGS, surface_means
from workbench.app.widgets.wrapping import fit
from workbench.harness.space.approvals import narrowed
from workbench.harness.space.settings import BY_PATH, Waiting
from workbench.harness.text import fold, printable

VALUE_CELLS = 240
"""How much of a value is shown in a row."""


def value_text(value: Any, most: int = VALUE_CELLS) -> str:
    """A value as the settings write it, on one line."""
    if value is None:
        return "none"
    shown = list(value) if isinstance(value, tuple) else value
    return fit(fold(printable(json.dumps(shown, ensure_ascii=False, default=str))), most)


def meaning(setting: Waiting, said: Mapping[str, Any] | None = None) -> str:
    """What letting the value act means; `said` is what the settings file says of the others, where it is known."""
    if setting.id == "surface" and said and "workdir" in said:
        return surface_means(str(said["workdir"]))
    words = SETTINGS.get(setting.id)
    return words.yes(setting.value) if words is not None and words.yes is not None else ""


def acts_meanwhile(setting: Waiting) -> Any:
    """What acts until the yes: the default, or of the rules of a tool what narrows in them."""
    tool = BY_PATH[setting.id].tool if setting.id in BY_PATH else None
    return (narrowed(tool, setting.value) or setting.default) if tool is not None else setting.default


def waiting_row(setting: Waiting, said: Mapping[str, Any] | None = None) -> Row:
    """A setting that waits; `said` is as in `meaning`."""
    state = ("you said no", "warn") if setting.denied else ("waits for your yes", "warn")
    offer = "a yes · x no"
    if not setting.built:
        state, offer = ("not in this version", "quiet"), "It waits until a version can do it."
    default = f"{value_text(acts_meanwhile(setting), 60)} acts. {offer}"
    return Row(
        f"waiting {setting.id}",
        (("? ", "strong"), (f"{setting.id} = {value_text(setting.value)}", "strong")),
        state,
        tuple(
            (fold(printable(text)), look) for text, look in ((meaning(setting, said), ""), (default, "quiet")) if text
        ),
    )


def given_row(setting: Waiting, said: Mapping[str, Any] | None = None) -> Row:
    """A setting that acts because of a yes; `said` is as in `meaning`."""
    return Row(
        f"given {setting.id}",
        (("✓ ", "good"), (f"{setting.id} = {value_text(setting.value)}", "strong")),
        ("acts by your yes", "good"),
        tuple((fold(printable(text)), "quiet") for text in (meaning(setting, said), "x takes the yes back.") if text),
    )


def setting_of(key: str | None) -> str | None:
    """The setting that a row asks about."""
    kind, _, id = (key or "").partition(" ")
    return id if kind in ("waiting", "given") else None

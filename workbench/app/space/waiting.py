"""What waits for the owner's yes, and what was given one, as rows. Pure."""

from __future__ import annotations

import json
from typing import Any

from workbench.app.space.row_view import Row
from workbench.app.space.setting_words import SETTINGS
from workbench.app.widgets.wrapping import fit
from workbench.harness.space.settings import Waiting
from workbench.harness.text import fold, printable

VALUE_CELLS = 240
"""How much of a value is shown in a row."""


def value_text(value: Any, most: int = VALUE_CELLS) -> str:
    """A value as the settings write it, on one line."""
    if value is None:
        return "none"
    shown = list(value) if isinstance(value, tuple) else value
    return fit(fold(printable(json.dumps(shown, ensure_ascii=False, default=str))), most)


def meaning(setting: Waiting) -> str:
    """What letting the value act means."""
    words = SETTINGS.get(setting.id)
    return words.yes(setting.value) if words is not None and words.yes is not None else ""


def waiting_row(setting: Waiting) -> Row:
    """A setting that waits."""
    state = ("you said no", "warn") if setting.denied else ("waits for your yes", "warn")
    offer = "a yes · x no"
    if not setting.built:
        state, offer = ("not in this version", "quiet"), "It waits until a version can do it."
    default = f"{value_text(setting.default, 60)} acts. {offer}"
    return Row(
        f"waiting {setting.id}",
        (("? ", "strong"), (f"{setting.id} = {value_text(setting.value)}", "strong")),
        state,
        tuple((fold(printable(text)), look) for text, look in ((meaning(setting), ""), (default, "quiet")) if text),
    )


def given_row(setting: Waiting) -> Row:
    """A setting that acts because of a yes."""
    return Row(
        f"given {setting.id}",
        (("✓ ", "good"), (f"{setting.id} = {value_text(setting.value)}", "strong")),
        ("acts by your yes", "good"),
        ((fold(printable(f"{meaning(setting)} x takes the yes back.".strip())), "quiet"),),
    )


def setting_of(key: str | None) -> str | None:
    """The setting that a row asks about."""
    kind, _, id = (key or "").partition(" ")
    return id if kind in ("waiting", "given") else None

"""A walk of random keys over forms, hostile ones too: nothing raises, and what the form sends is JSON."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.app.tools.call.form.sheet import on_sheet
from tests.canaries import CANARIES
from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.widgets.question import Question
from workbench.harness.strict_json import check

STEPS = 80

KEYS = [
    "up", "down", "down", "down", "tab", "shift+tab", "pagedown", "pageup", "home", "end", "enter", "enter",
    "enter", "right", "left", "space", "delete", "ctrl+u", "ctrl+o", "ctrl+g", "insert", "ctrl+d", "alt+up",
    "alt+down", "ctrl+e", "ctrl+s", "escape", "backspace", "a", "1", "minus", "full_stop", "left_curly_bracket",
    "quotation_mark", "plus", "k", "d",
]  # fmt: skip

ITEM = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"kind": {"const": "a"}, "in": {"$ref": "#/$defs/item"}},
            "required": ["kind"],
        },
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": {"$ref": "#/$defs/item"}},
        {"type": ["string", "integer", "null"]},
    ]
}

FORMS: dict[str, Any] = {
    "recursive": {
        "$defs": {"item": ITEM},
        "properties": {
            "item": {"$ref": "#/$defs/item"},
            "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
            "free": {"type": "object", "additionalProperties": {"$ref": "#/$defs/item"}},
            "any": {},
        },
        "required": ["item"],
    },
    "hostile": {
        "properties": {
            **{canary: {"type": "string", "default": canary, "description": canary} for canary in CANARIES[:8]},
            "pick": {"enum": [*CANARIES, None, {"a": [1]}]},
            "odd": {"type": 7},
            "list": {"type": "array", "items": {"enum": list(CANARIES)}},
        },
        "required": None,
    },
    "free": {"type": "object"},
    "wrong": [],
}


@pytest.mark.parametrize("name", FORMS)
async def test_a_walk_of_random_keys(name: str) -> None:
    dice = random.Random(name)
    size = dice.choice([(40, 15), (80, 24)])
    async with on_sheet(FORMS[name], size) as sheet:
        for _ in range(STEPS):
            await sheet.pilot.press(dice.choice(KEYS))
            if dice.random() < 0.05:
                await sheet.pilot.resize_terminal(dice.choice([40, 80, 160]), dice.choice([15, 24, 50]))
            if sheet.app.focused is not None and sheet.app.focused.id == "run":
                sheet.form.focus_content()
        while len(sheet.app.screen_stack) > 1:
            await sheet.press("d" if isinstance(sheet.app.screen, Question) else "escape")
        sheet.form.focus_content()
        sheet.screen()
        check(sheet.sent, what="what the form sends")
        assert len(sheet.form.query_one(FieldRows).rows) > 0

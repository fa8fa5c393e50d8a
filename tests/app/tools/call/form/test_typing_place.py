"""Where one types: in the field at the cursor, wherever it is and whatever stands above it."""

from __future__ import annotations

import pytest

from tests.app.tools.call.form.sheet import on_sheet
from workbench.app.tools.call.form.field_editor import FieldEditor

LONG = "One or more replacements, in any order, all found in the file as it is before, each of them exactly once."

EDIT = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": LONG},
        "edits": {
            "type": "array",
            "description": LONG,
            "items": {
                "type": "object",
                "description": LONG,
                "properties": {
                    "old": {"type": "string", "description": LONG},
                    "new": {"type": "string", "description": LONG},
                    "more": {"type": "array", "items": {"type": "string"}, "description": LONG},
                },
                "required": ["old", "new"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["path", "edits"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("size", [(50, 60), (60, 24), (80, 24), (100, 60), (200, 60)])
async def test_what_is_typed_stands_in_its_row_while_rows_above_it_change(size: tuple[int, int]) -> None:
    async with on_sheet(EDIT, size) as sheet:
        editor = sheet.form.query_one(FieldEditor)
        for field, keys in (("path", ()), ("old", ("tab", "ctrl+g")), ("new", ("tab",)), ("", ("tab", "ctrl+g"))):
            await sheet.press(*keys)
            for text in ("u", "ux"):
                await sheet.type(text[-1])
                assert sheet.field == field
                assert editor.value == text
                await sheet.until(lambda: "›" in sheet.screen(), "it is painted")
                lines = sheet.screen().split("\n")
                here = next(y for y, line in enumerate(lines) if line.startswith("›"))
                assert editor.region.y == here, sheet.screen()
                assert sum(f"▏{text}" in line for line in lines[here - 1 : here + 2]) == 1


async def test_a_new_item_that_is_an_object_is_filled_in_at_once_from_its_first_field() -> None:
    async with on_sheet(EDIT) as sheet:
        for text in ("return 1", "return 2"):
            await sheet.go("edits")
            await sheet.press("ctrl+g")
            assert sheet.field == "old"
            await sheet.type(text)
            await sheet.press("tab")
            await sheet.type("+ more")
            await sheet.press("enter")
        assert sheet.sent["edits"] == [{"old": "return 1", "new": "+ more"}, {"old": "return 2", "new": "+ more"}]

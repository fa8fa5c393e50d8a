"""The form on the screen: filled in by keys, by clicks, and told what is wrong in place."""

from __future__ import annotations

import json

import pytest
from textual.widgets import OptionList

from tests.app.tools.call.form.schemas import large_schema
from tests.app.tools.call.form.sheet import on_sheet
from tests.canaries import CANARIES
from workbench.app.tools.call.form.field_editor import FieldEditor
from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.tools.call.form.gathering import FieldProblem
from workbench.app.tools.call.form.screens import Editor
from workbench.app.widgets.code import CodeArea

NAMED = {"title": "named", "type": "object", "properties": {"name": {"type": "string"}}}

SCHEMA = {
    "type": "object",
    "required": ["text", "where"],
    "properties": {
        "text": {"type": "string", "minLength": 2, "description": "What is counted."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        "unique": {"type": "boolean"},
        "mode": {"enum": ["fast", "slow", "none"], "default": "slow"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "where": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "target": {"anyOf": [NAMED, {"type": "integer"}]},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
        "data": {},
    },
}  # fmt: skip


async def test_a_form_says_what_to_do_and_what_is_missing() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.sees("type to fill in · tab next · * required", "2 to fill in  1 of 11", "text *")
        await sheet.sees("integer · 1 to 100 · default 10", "default", "required", "absent", "What is counted.")
        assert sheet.form.value is None
        assert [problem.path for problem in sheet.form.problems] == ["$.text", "$.where.x"]


async def test_typing_fills_in_and_tab_goes_on() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.type("hello q?1")
        await sheet.press("tab")
        await sheet.type("20")
        await sheet.press("tab", "space", "tab", "right")
        await sheet.go("x")
        await sheet.type("-1.5")
        await sheet.press("enter")
        filled = {"text": "hello q?1", "limit": 20, "unique": True, "mode": "none", "where": {"x": -1.5}}
        assert sheet.form.value == filled
        await sheet.sees("✓ ready")
        assert json.loads(sheet.form.to_json_text()) == filled


async def test_a_draft_that_means_nothing_yet_stands_and_is_marked_in_place() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("limit")
        await sheet.type("1.5")
        await sheet.sees("✗ must be a whole number, is 1.5", "✗ 1 problem")
        await sheet.press("backspace", "backspace")
        assert sheet.sent["limit"] == 1
        await sheet.press("backspace")
        assert "limit" not in sheet.sent


async def test_what_the_schema_says_of_a_value_comes_a_moment_later() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.type("x")
        await sheet.sees("✗ must have at least 2 characters")
        assert [problem.path for problem in sheet.form.problems if not problem.missing] == ["$.text"]


async def test_escape_takes_an_edit_back_and_the_form_has_nothing_to_leave_then() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("limit")
        await sheet.type("7")
        assert sheet.sent["limit"] == 7
        await sheet.press("escape")
        assert sheet.sent["limit"] == 10
        await sheet.sees("default")
        assert not sheet.form.back()


async def test_clear_goes_back_to_the_default_and_then_leaves_out() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("limit")
        await sheet.type("7")
        await sheet.press("enter", "up", "delete")
        assert sheet.sent["limit"] == 10
        await sheet.press("delete")
        assert "limit" not in sheet.sent
        await sheet.type("3")
        await sheet.press("ctrl+u")
        assert "limit" not in sheet.sent


async def test_null_and_an_empty_text_are_told_apart() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("note")
        await sheet.press("ctrl+o")
        assert sheet.sent["note"] is None
        await sheet.sees("▏null")
        await sheet.press("a", "backspace", "enter", "up")
        assert sheet.sent["note"] == ""
        await sheet.sees('▏""')
        await sheet.press("delete", "home", "ctrl+o")
        assert "note" not in sheet.sent
        await sheet.sees("null is not allowed here")


async def test_a_select_opens_as_a_list_and_a_letter_goes_to_a_value() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("mode")
        await sheet.press("enter")
        await sheet.sees("fast", "slow", "none", "leave it out", "esc goes back")
        await sheet.press("up", "enter")
        assert sheet.sent["mode"] == "fast"
        await sheet.type("n")
        assert sheet.sent["mode"] == "none"
        await sheet.press("enter", "escape")
        assert sheet.sent["mode"] == "none"


async def test_a_long_list_is_filtered() -> None:
    async with on_sheet({"properties": {"lang": {"enum": [f"language {number}" for number in range(50)]}}}) as sheet:
        await sheet.press("enter")
        await sheet.type("37")
        assert sheet.app.screen.query_one(OptionList).option_count == 1
        await sheet.press("enter")
        assert sheet.sent == {"lang": "language 37"}


async def test_items_are_added_moved_and_removed() -> None:
    async with on_sheet(SCHEMA, (80, 40)) as sheet:
        await sheet.go("tags")
        await sheet.press("ctrl+g")
        await sheet.type("one")
        await sheet.press("enter", "enter")
        await sheet.type("two")
        await sheet.press("ctrl+g")
        await sheet.type("three")
        assert sheet.sent["tags"] == ["one", "two", "three"]
        await sheet.press("alt+up")
        assert sheet.sent["tags"] == ["one", "three", "two"]
        await sheet.press("ctrl+d")
        assert sheet.sent["tags"] == ["one", "two"]
        await sheet.press("home", "ctrl+d")
        await sheet.sees("only items and added keys can be removed")


async def test_a_form_of_a_choice_is_taken_with_the_arrows_or_from_a_list() -> None:
    async with on_sheet(SCHEMA, (80, 40)) as sheet:
        await sheet.go("target")
        await sheet.press("right")
        await sheet.sees("‹integer›")
        await sheet.type("12")
        assert sheet.sent["target"] == 12
        await sheet.press("enter", "up", "enter", "up", "enter")
        assert sheet.sent["target"] == {}
        await sheet.press("down")
        await sheet.type("me")
        assert sheet.sent["target"] == {"name": "me"}


async def test_keys_of_ones_own_are_named_and_filled_in() -> None:
    async with on_sheet(SCHEMA, (80, 40)) as sheet:
        await sheet.go("env")
        await sheet.press("ctrl+g")
        await sheet.type("PATH")
        await sheet.press("enter")
        await sheet.type("/bin")
        assert sheet.sent["env"] == {"PATH": "/bin"}
        await sheet.press("enter", "enter")
        await sheet.type("PATH")
        await sheet.press("enter")
        await sheet.sees("there is a key of this name already")


async def test_an_object_can_be_sent_empty() -> None:
    async with on_sheet({"properties": {"in": {"type": "object", "properties": {"x": {"type": "string"}}}}}) as sheet:
        await sheet.sees("→ unfolds · ctrl+g sends it")
        await sheet.press("ctrl+g")
        assert sheet.sent == {"in": {}}
        await sheet.press("delete")
        assert sheet.sent == {}


async def test_the_editor_takes_text_of_several_lines_and_json() -> None:
    async with on_sheet(SCHEMA, (80, 40)) as sheet:
        await sheet.press("ctrl+e")
        await sheet.type("one\ntwo")
        await sheet.press("ctrl+s")
        assert sheet.sent["text"] == "one\ntwo"
        await sheet.sees("▏one⏎two")
        await sheet.go("where")
        await sheet.press("ctrl+e")
        sheet.app.screen.query_one(CodeArea).text = '{"x": 1, "more": [true]}'
        await sheet.sees("✓")
        await sheet.press("ctrl+s")
        assert sheet.sent["where"] == {"x": 1, "more": [True]}
        await sheet.sees("not in the schema")


async def test_json_that_is_not_right_yet_is_kept_and_marked() -> None:
    async with on_sheet(SCHEMA, (80, 40)) as sheet:
        await sheet.go("tags")
        await sheet.press("ctrl+e")
        sheet.app.screen.query_one(CodeArea).text = '["a", '
        await sheet.sees("✗ this is not JSON")
        await sheet.press("ctrl+s")
        assert "tags" not in sheet.sent
        await sheet.sees('▏["a",', "✗ this is not JSON")


async def test_leaving_the_editor_asks_before_it_drops_what_was_written() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.press("ctrl+e")
        await sheet.type("ab")
        await sheet.press("escape")
        await sheet.sees("Keep what you wrote?")
        await sheet.press("k")
        await sheet.until(lambda: sheet.sent.get("text") == "ab", "the text is kept")
        assert not isinstance(sheet.app.screen, Editor)


async def test_a_paste_of_several_lines_loses_none() -> None:
    async with on_sheet(SCHEMA) as sheet:
        rows = sheet.form.query_one(FieldRows)
        rows.post_message(FieldRows.Typed("a\nb\x1b", pasted=True))
        await sheet.until(lambda: sheet.sent.get("text") == "a\nb\x1b", "the paste is there")
        await sheet.sees("▏a⏎b␛")
        await sheet.press("ctrl+e")
        assert sheet.app.screen.query_one(CodeArea).text == '"a\\nb\\u001b"'


async def test_a_refused_run_marks_everything_and_goes_to_the_first() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("env")
        attempt = await sheet.form.attempt()
        assert not attempt.ok
        await sheet.sees("✗ required property is missing", "✗ 2 problems")
        assert sheet.field == "text"
        await sheet.type("hello")
        await sheet.go("x")
        await sheet.type("1")
        attempt = await sheet.form.attempt()
        assert (attempt.ok, attempt.value) == (True, sheet.sent)


async def test_what_a_call_says_is_shown_at_its_field_until_something_changes() -> None:
    async with on_sheet(SCHEMA) as sheet:
        sheet.form.mark((FieldProblem("$.where.x.y", "is too far"), FieldProblem("$", "try again")))
        await sheet.sees("✗ is too far", "✗ try again")
        assert sheet.field == "x"
        await sheet.type("1")
        await sheet.until(lambda: "is too far" not in sheet.screen(), "the mark is gone")


async def test_a_draft_comes_back_as_it_was_also_under_another_contract() -> None:
    async with on_sheet(SCHEMA) as sheet:
        await sheet.go("limit")
        await sheet.type("1.")
        kept = sheet.form.draft
        sheet.form.open({"type": "object", "properties": {"other": {"type": "string"}}})
        await sheet.sees("other")
        sheet.form.open(SCHEMA, kept)
        await sheet.sees("▏1.", "✗ is no whole number yet: 1.")
        assert sheet.field == "limit"
        sheet.form.open({"type": "object", "properties": {"limit": {"type": "boolean"}}}, kept)
        await sheet.sees("▏1.", "✗ this is not JSON")


async def test_json_from_elsewhere_is_shown_whole() -> None:
    async with on_sheet(SCHEMA) as sheet:
        value = {"text": ["no", "text"], "extra": {"a": 1.0}, "where": None}
        sheet.form.take_json(value)
        assert json.dumps(sheet.sent) == json.dumps(value)
        await sheet.sees('▏[ "no", "text" ]', "✗ must be string, is an array of 2 items", "✗ must be object, is null")
        await sheet.press("end")
        await sheet.sees("extra", "not in the schema")


async def test_clicks_choose_type_add_and_remove() -> None:
    async with on_sheet(SCHEMA, (80, 40)) as sheet:
        await sheet.click("‹ choose ›")
        assert sheet.sent["unique"] is True
        await sheet.click("array of string")
        assert sheet.field == "tags"
        await sheet.press("right")
        await sheet.click("+ add the first item", along=4)
        await sheet.type("red")
        await sheet.press("enter")
        await sheet.click("▏red", along=2)
        await sheet.type("der")
        assert sheet.sent["tags"] == ["redder"]
        await sheet.press("escape")
        await sheet.click("✕")
        assert sheet.sent["tags"] == []


async def test_tab_leaves_the_form_at_its_ends() -> None:
    async with on_sheet({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}) as sheet:
        await sheet.press("tab", "tab")
        assert sheet.app.focused is not None
        assert sheet.app.focused.id == "run"
        await sheet.press("shift+tab", "shift+tab", "shift+tab")
        assert not isinstance(sheet.app.focused, FieldRows | FieldEditor)


async def test_a_schema_without_parameters_says_so_and_takes_json() -> None:
    async with on_sheet({"type": "object"}) as sheet:
        await sheet.sees("no parameters declared", "input *", "▏{}")
        assert sheet.form.value == {}
    async with on_sheet({"type": "object", "properties": 3}) as sheet:
        await sheet.sees("the schema is malformed", "▏{}")


async def test_what_is_not_drawn_is_named_at_the_form() -> None:
    async with on_sheet(SCHEMA | {"if": {}, "then": {}}) as sheet:
        await sheet.sees("not drawn, but checked: if, then")


async def test_a_large_form_is_a_handful_of_widgets_and_every_field_is_reached() -> None:
    schema = large_schema()
    async with on_sheet(schema) as sheet:
        assert len(sheet.form.query("*")) < 12
        await sheet.press("end")
        await sheet.type("x")
        last = list(schema["properties"])[-1]
        assert sheet.field == last
        await sheet.sees(last)


@pytest.mark.parametrize("size", [(40, 15), (80, 24), (200, 60)])
async def test_hostile_texts_are_shown_literally_at_every_size(size: tuple[int, int]) -> None:
    schema = {
        "properties": {canary: {"type": "string", "description": canary, "default": canary} for canary in CANARIES}
        | {"pick": {"enum": list(CANARIES)}},
        "anyOf": [{"title": "[/]", "required": ["[/]"]}, {"required": ["x"]}],
        "[/x": 1,
    }
    async with on_sheet(schema, size) as sheet:
        await sheet.press(*["down"] * 5, "ctrl+e", "escape", "end", "enter")
        sheet.screen()
        await sheet.press("escape", "pageup", "pageup")
        sheet.form.mark(tuple(FieldProblem(canary, canary) for canary in CANARIES))
        await sheet.sees("✗")

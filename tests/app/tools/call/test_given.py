"""What is given: the form and the JSON, the one turned into the other, kept for each tool and version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import Desk, at_desk, elsewhere, save
from tests.app.tools.call.test_call_pane import hold, pane
from workbench.app.tools.call.preview import Preview
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.text_view import TextView
from workbench.harness.strict_json import pretty

BIG = 9007199254740993


async def at_the_form(desk: Desk, tool: str) -> None:
    await desk.until(lambda: tool in desk.states(), "it is listed")
    await desk.select(tool)
    await desk.press("r")
    await desk.until(lambda: pane(desk).given.input.form.has_focus_within, "the form has the keys")


def preview(desk: Desk) -> str:
    view = desk.app.query_one(Preview).query_one(TextView)
    return "\n".join(text for n in range(view.items) for line in view.lines_of(n, 200) for text, _ in line)


async def test_the_json_that_will_be_sent_follows_the_form(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk:
        await at_the_form(desk, "el")
        await desk.sees("not ready; so far:")
        await desk.type("abc")
        await desk.sees("will be sent")
        await desk.until(lambda: preview(desk) == pretty({"text": "abc", "unique": False}), "the JSON stands there")
        await desk.press("f9")
        await desk.until(lambda: not desk.app.query_one(Preview).display, "it is hidden")
        await desk.press("f9")
        await desk.sees("will be sent")


async def test_run_refuses_what_is_not_right_and_goes_to_the_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["n"]}
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el", input=number)
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await at_the_form(desk, "el")
        await desk.press("ctrl+r")
        await desk.sees("✗ not run", "One field is not right yet, so nothing was run.", "$.n")
        assert pane(desk).given.has_focus_within
        pane(desk).given.put({"n": "many"})
        await desk.press("ctrl+r")
        await desk.sees("✗ not run", "$.n")
        assert held.asked == []
        pane(desk).given.put({"n": BIG})
        await desk.press("ctrl+r")
        await desk.until(lambda: held.asked, "it runs")
        assert held.asked == [("call", {"tool": "el", "input": {"n": BIG}})]


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"text": "", "unique": True},
        {"text": "a", "more": {"deep": [1, None, {"b": [BIG, 1.5, ""]}]}},
        {"text": 5, "unique": None},
        {"text": ["not", "what", "the", "schema", "says"]},
    ],
)
async def test_form_and_json_turn_into_each_other_without_loss(tmp_path: Path, value: Any) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk:
        await at_the_form(desk, "el")
        await desk.press("f3")
        area = desk.app.query_one("#input", CodeArea)
        area.load_text(pretty(value))
        await desk.press("f3")
        await desk.until(lambda: pane(desk).given.input.face == "form", "the form is seen")
        await desk.press("f3")
        await desk.until(lambda: pane(desk).given.input.face == "input", "the JSON is seen")
        assert area.text == pretty(value)


async def test_json_that_is_none_does_not_become_a_form(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk:
        await at_the_form(desk, "el")
        await desk.press("f3")
        area = desk.app.query_one("#input", CodeArea)
        area.load_text('{\n  "text": oops\n}')
        await desk.press("f3")
        await desk.sees("line 2, column", "nothing of yours is lost")
        assert pane(desk).given.input.face == "input"
        area.load_text('{"text": "fine"}')
        await desk.until(lambda: "nothing of yours is lost" not in desk.screen(), "the words go")
        await desk.press("f3")
        await desk.until(lambda: pane(desk).given.input.face == "form", "the form is seen")


async def test_what_the_form_cannot_send_is_named_and_stays_in_the_form(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el", input={"type": "object", "properties": {"n": {"type": "integer"}}})
    async with at_desk(tmp_path) as desk:
        await at_the_form(desk, "el")
        await desk.type("-")
        await desk.press("enter", "f3")
        await desk.sees("$.n cannot be sent", "the form keeps")
        await desk.press("f3")
        await desk.until(lambda: pane(desk).given.input.face == "form", "the form is seen")
        assert [problem.path for problem in pane(desk).given.input.form.problems] == ["$.n"]


async def test_what_is_given_is_kept_for_each_tool_in_its_face(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "one")
        await save(harness, "two")
    async with at_desk(tmp_path) as desk:
        await at_the_form(desk, "one")
        await desk.type("first")
        await desk.press("enter")
        await at_the_form(desk, "two")
        await desk.press("f3")
        desk.app.query_one("#input", CodeArea).load_text('{"text": "se')
        await at_the_form_or_json(desk, "one")
        assert pane(desk).given.input.form.value == {"text": "first", "unique": False}
        await at_the_form_or_json(desk, "two")
        assert pane(desk).given.input.face == "input"
        assert desk.area("#input") == '{"text": "se'


async def at_the_form_or_json(desk: Desk, tool: str) -> None:
    await desk.select(tool)
    await desk.press("r")
    await desk.until(lambda: pane(desk).given.has_focus_within, "the input has the keys")


async def test_a_refusal_of_the_door_is_shown_at_the_field(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await at_the_form(desk, "el")
        pane(desk).given.put({"text": "a b"})
        # saved in the very moment: the form does not know of it yet
        monkey = pane(desk).given.input.form.attempt

        async def late() -> Any:
            found = await monkey()
            await save(other, "el", input={"type": "object", "properties": {"text": {"maxLength": 1}}})
            return found

        pane(desk).given.input.form.attempt = late
        await desk.press("ctrl+r")
        await desk.sees("✗ bad_input", "$.text")


async def test_no_schema_at_all_can_be_called_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el", input={})
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await at_the_form(desk, "el")
        await desk.press("ctrl+r")
        await desk.until(lambda: held.asked, "it runs")
        assert held.asked == [("call", {"tool": "el", "input": {}})]

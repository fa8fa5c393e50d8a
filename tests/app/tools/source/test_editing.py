"""Editing lambdas in the real app: parts, faults, saving, conflicts, undo."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from textual.content import Content
from textual.widgets._toast import Toast

from tests.app.desk import WORD_COUNT, Desk, at_desk, elsewhere, save
from tests.app.tools.source.hand import edit, editor, live, looked, pane, put, seeded
from workbench.app.key_footer import key_words
from workbench.app.tools.source.conflict import Conflict
from workbench.app.tools.source.fault_list import FaultList
from workbench.app.widgets.literal import Literal
from workbench.app.widgets.question import Question
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import ToolCall, ToolResult

OTHER = "def main(input):\n    return 0\n"


def offered(desk: Desk) -> set[str]:
    """What the keys do now, as the footer has it when there is room for all of it."""
    return {word.name for word in key_words(desk.app.screen)}


async def test_editing_is_offered_of_what_can_be_edited(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        for ours in ("search", "read"):
            await desk.select(ours)
            await desk.until(lambda: not {"Edit", "Your editor"} & offered(desk), f"{ours} is not edited")
            assert "New" in offered(desk)
            await desk.press("e")
            assert not pane(desk).editing
        await desk.select("word_count")
        await desk.until(lambda: {"Edit", "Your editor"} <= offered(desk), "a lambda is")
        await desk.press("enter")
        await other.perform("write", {"address": "~/tools/word_count", "options": {"delete": True}})
        await desk.until(lambda: desk.states()["word_count"] == "✗ deleted", "it was deleted meanwhile")
        await desk.until(lambda: "Edit" not in offered(desk), "there is nothing to edit any more")


async def test_a_step_out_is_offered_where_there_is_one(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.until(lambda: "Back" not in offered(desk), "nothing is around the list")
        await desk.press("slash", "w")
        await desk.until(lambda: "Back" in offered(desk), "the filter can be left")
        await desk.press("enter")
        assert "Back" in offered(desk)
        await desk.press("escape")
        await desk.until(lambda: "Back" not in offered(desk), "it is left")
        await desk.press("enter")
        await desk.until(lambda: "Back" in offered(desk), "the pane can be left")
        await desk.press("escape")
        await desk.until(lambda: "Back" not in offered(desk), "back at the list")
        await desk.press("i", "J", "enter")
        await desk.until(lambda: "Back" in offered(desk), "in the document")


async def test_editing_and_saving_is_one_act_and_a_new_version(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        before = desk.harness.tool("word_count")
        assert before is not None
        events = len(desk.harness.events("workshop"))
        assert live(desk).startswith(f"= as stored {before.cid}")
        await desk.type("# counted\n")
        await desk.until(lambda: desk.states()["word_count"] == "✎ unsaved", "the list says that it is unsaved")
        await looked(desk)
        promised = pane(desk).judgement
        assert promised is not None
        assert f"✓ would be {promised.cid}" in live(desk)
        assert "- word_count — Count the words of a text. (authored)" in live(desk)
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.tool("word_count") != before, "it is saved")
        await desk.until(lambda: desk.states()["word_count"] != "✎ unsaved", "the list says that it is saved")
        after = desk.harness.tool("word_count")
        assert after is not None
        assert after.cid == promised.cid
        assert after.document.source == "# counted\n" + WORD_COUNT["source"]
        call, result = desk.harness.events("workshop")[events:]
        assert isinstance(call, ToolCall)
        assert isinstance(result, ToolResult)
        assert (call.name, call.actor, call.input["content"]["cid"]) == ("write", "user", before.cid)


@pytest.mark.parametrize(("size", "beside"), [((80, 24), False), ((120, 40), False), ((200, 60), True)])
async def test_source_and_contract_are_edited_together(tmp_path: Path, size: tuple[int, int], beside: bool) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path, size=size) as desk:
        await edit(desk)
        source, description, rest = (editor(desk).area(part) for part in ("source", "description", "rest"))
        assert source.display
        assert source.region.width > 0
        assert (rest.region.width > 0) == beside
        await desk.press("f2")
        await desk.until(lambda: desk.app.focused is description, "the description")
        assert rest.region.height > 0
        assert (source.region.width > 0) == beside
        await desk.press("f2")
        await desk.until(lambda: desk.app.focused is rest, "the contract")
        await desk.press("f2")
        await desk.until(lambda: desk.app.focused is source, "the source again")


async def test_a_description_is_written_as_plain_text(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        put(desk, "description", 'Count "words".\n\nEvery one of them.')
        await looked(desk)
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.states()["word_count"] != "✎ unsaved", "saved")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        assert tool.document.description == 'Count "words".\n\nEvery one of them.'
        assert tool.document.summary == 'Count "words".'


async def test_faults_are_listed_with_their_places_and_a_key_goes_along_them(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        put(desk, "source", "def main(input):\n    return (\n")
        put(desk, "rest", '{\n  "runtime": "python",\n  "input": {"type": "array"}\n}')
        await looked(desk)
        await desk.sees("✗ contract 3:3", "✗ source 2:12", "✗ cannot be saved so")
        versions = len(desk.harness.versions("word_count"))
        await desk.press("ctrl+s")
        await desk.sees("Not saved")
        assert len(desk.harness.versions("word_count")) == versions
        await desk.press("f9")
        await desk.until(lambda: desk.app.focused is editor(desk).area("rest"), "the first fault")
        assert editor(desk).area("rest").cursor_location == (2, 2)
        await desk.press("f9")
        await desk.until(lambda: desk.app.focused is editor(desk).area("source"), "the second fault")
        assert editor(desk).area("source").cursor_location == (1, 11)
        assert any(span.style.underline for span in editor(desk).area("source").get_line(1).spans)
        desk.app.query_one(FaultList).focus()
        await desk.press("home", "enter")
        await desk.until(lambda: desk.app.focused is editor(desk).area("rest"), "enter in the list goes there")
        put(desk, "rest", '{"runtime": "python"}')
        await desk.until(lambda: desk.app.focused is not None, "still there")
        await looked(desk)
        assert "and calls of it would fail" in live(desk)
        put(desk, "source", OTHER)
        await looked(desk)
        assert not desk.app.query_one(FaultList).display


async def test_what_a_call_would_fail_on_can_be_saved_all_the_same(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        put(desk, "source", "not python (")
        await looked(desk)
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.states()["word_count"] != "✎ unsaved", "saved")


async def test_a_version_saved_elsewhere_is_shown_and_not_overwritten(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await edit(desk)
        await desk.type("# mine\n")
        theirs = await save(other, "word_count", source=OTHER)
        await desk.until(lambda: "The stored version changed meanwhile" in live(desk), "it is said")
        await desk.press("ctrl+s")
        await desk.until(lambda: isinstance(desk.app.screen, Conflict), "it asks")
        await desk.sees("source", "-     return 0", "+ # mine")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        assert tool.cid == theirs
        assert desk.area("#edit-source") == "# mine\n" + WORD_COUNT["source"]
        await desk.press("s")
        await desk.until(lambda: (t := desk.harness.tool("word_count")) and t.cid != theirs, "mine is saved over it")


async def test_the_stored_one_can_be_taken_and_mine_brought_back(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await edit(desk)
        await desk.type("# mine\n")
        theirs = await save(other, "word_count", source=OTHER)
        await desk.until(lambda: "The stored version changed meanwhile" in live(desk), "it is said")
        await desk.press("ctrl+s")
        await desk.until(lambda: isinstance(desk.app.screen, Conflict), "it asks")
        await desk.press("t")
        await desk.until(lambda: desk.area("#edit-source") == OTHER, "the stored one")
        await desk.until(lambda: desk.tools.unsaved == [], "there is nothing unsaved")
        await looked(desk)
        assert f"= as stored {theirs}" in live(desk)
        await desk.press("ctrl+z")
        await desk.until(lambda: desk.area("#edit-source").startswith("# mine\n"), "mine is back")
        assert desk.tools.unsaved == ["word_count"]


async def test_a_tool_deleted_meanwhile_is_a_conflict_too(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await edit(desk)
        await desk.type("# mine\n")
        await other.perform("write", {"address": "~/tools/word_count", "options": {"delete": True}})
        await desk.until(lambda: "now it is deleted" in live(desk), "it is said")
        await desk.press("ctrl+s")
        await desk.until(lambda: isinstance(desk.app.screen, Conflict), "it asks")
        await desk.press("s")
        await desk.until(lambda: desk.harness.tool("word_count"), "it is saved anew")


async def test_an_editor_in_which_nobody_typed_follows_what_is_saved_elsewhere(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await edit(desk)
        await save(other, "word_count", source=OTHER)
        await desk.until(lambda: desk.area("#edit-source") == OTHER, "the new text")
        assert desk.tools.unsaved == []


async def test_a_new_lambda_does_not_replace_unseen_what_was_saved_under_its_name(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await desk.press("n")
        await desk.type("mine")
        await desk.press("enter")
        await desk.until(lambda: pane(desk).editing, "the editor is open")
        theirs = await save(other, "mine")
        # At once, before any tick told the list of it.
        desk.tools.action_save()
        await desk.until(lambda: isinstance(desk.app.screen, Conflict), "it asks")
        tool = desk.harness.tool("mine")
        assert tool is not None
        assert tool.cid == theirs
        await desk.press("k")
        await desk.until(lambda: not isinstance(desk.app.screen, Conflict), "back in the editor")
        assert desk.tools.unsaved == ["mine"]


async def test_what_is_typed_while_a_save_is_under_way_is_kept_when_another_tool_is_selected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        go, perform = asyncio.Event(), desk.harness.perform

        async def waits(*args: Any, **options: Any) -> Any:
            await go.wait()
            return await perform(*args, **options)

        monkeypatch.setattr(desk.harness, "perform", waits)
        await edit(desk)
        await desk.type("# one")
        await desk.press("ctrl+s")
        await desk.type(" two\n")
        await desk.select("search")
        go.set()
        await desk.sees("Saved word_count")
        assert desk.tools.unsaved == ["word_count"]
        await edit(desk)
        assert desk.area("#edit-source").startswith("# one two\n")
        tool, draft = desk.harness.tool("word_count"), pane(desk).draft
        assert tool is not None
        assert draft is not None
        assert draft.base_cid == tool.cid
        assert (tool.document.source or "").startswith("# onedef")


async def test_leaving_the_editor_with_unsaved_edits_asks_and_keeps_them(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        await desk.type("# x")
        await desk.press("escape")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        await desk.press("k")
        await desk.until(lambda: not pane(desk).editing, "the editor is closed")
        await desk.sees("unsaved edits are kept: e goes on with them")
        assert desk.tools.unsaved == ["word_count"]
        await desk.press("e")
        await desk.until(lambda: desk.area("#edit-source").startswith("# x"), "the edits are there again")


async def test_undo_outlives_a_change_of_part_and_of_tool(tmp_path: Path) -> None:
    await seeded(tmp_path, "word_count", "line_count")
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        await desk.type("# x")
        await desk.press("f2", "f2", "f2")
        await edit(desk, "line_count")
        await edit(desk)
        assert desk.area("#edit-source").startswith("# x")
        await desk.press("ctrl+z")
        await desk.until(lambda: desk.area("#edit-source") == WORD_COUNT["source"], "undone")
        assert desk.tools.unsaved == []
        await desk.press("ctrl+y")
        await desk.until(lambda: desk.area("#edit-source").startswith("# x"), "done again")
        await edit(desk, "line_count")
        await desk.press("ctrl+z")
        assert desk.area("#edit-source") == WORD_COUNT["source"]


MIXED = "x = 1\r\ndef main(input):\x0c\r\n    # old\r    return x\n"


async def test_all_line_ends_are_kept_but_those_that_are_edited(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count", source=MIXED, description="One.\r\nTwo.\n")
    async with at_desk(tmp_path) as desk:

        def stored() -> str | None:
            tool = desk.harness.tool("word_count")
            return tool.document.source if tool is not None else None

        await edit(desk)
        await desk.press("end", "2")
        await looked(desk)
        await desk.press("ctrl+s")
        await desk.until(lambda: stored() == MIXED.replace("x = 1", "x = 12"), "saved, with one character more")
        await desk.press("ctrl+z")
        await desk.until(lambda: (draft := pane(desk).draft) and draft.texts.source == MIXED, "as it was at first")
        put(desk, "description", "Another one.")
        await desk.press("ctrl+s")
        await desk.until(lambda: stored() == MIXED, "saved as it was at first")
        area = editor(desk).area("source")
        area.move_cursor(area.document.end)
        await desk.press("enter", "ctrl+s")
        await desk.until(lambda: stored() == f"{MIXED}\r\n", "a new line has the end that most have")


async def test_line_ends_that_come_from_elsewhere_are_those_that_are_saved(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        editor(desk).take("source", MIXED)
        await desk.until(lambda: (draft := pane(desk).draft) and draft.texts.source == MIXED, "as it was given")
        editor(desk).area("source").move_cursor((0, 1))
        await desk.press("y")
        changed = MIXED.replace("x =", "xy =", 1)
        await desk.until(lambda: (draft := pane(desk).draft) and draft.texts.source == changed, "one character more")


async def test_a_new_lambda_from_a_template_is_saved_with_a_name_and_two_keys(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("n")
        await desk.type("Bad Name")
        await desk.sees("bad_name?")
        await desk.press(*["backspace"] * 8)
        await desk.type("hello_you")
        await desk.press("down", "down", "enter")
        await desk.until(lambda: pane(desk).editing, "the editor is open")
        await desk.until(lambda: desk.states().get("hello_you") == "✎ new, unsaved", "it is listed")
        assert "mean(numbers)" in desk.area("#edit-source")
        assert desk.harness.tool("hello_you") is None
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.tool("hello_you"), "it is saved")


async def test_a_refused_save_stays_in_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:

        async def fails(*_: Any, **__: Any) -> Any:
            raise HarnessError("unavailable", "The disk is full.")

        monkeypatch.setattr(desk.harness, "perform", fails)
        await edit(desk)
        await desk.type("# x")
        await desk.press("ctrl+s")
        await desk.until(lambda: "Not saved (unavailable). The disk is full." in live(desk), "it is said")
        assert desk.tools.unsaved == ["word_count"]


async def test_the_runtime_of_the_contract_decides_how_a_source_is_looked_at(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        put(desk, "rest", '{"runtime": "typescript"}')
        await looked(desk)
        findings = editor(desk).findings
        assert findings is not None
        assert any(fault.part == "source" and fault.weight == "wrong" for fault in findings.faults)


async def test_without_deno_it_is_said_that_typescript_was_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.harness.tools.lambdas import interpreters

    def none() -> interpreters.Interpreter:
        raise HarnessError("unavailable", "Deno, which runs TypeScript, is not installed.")

    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        monkeypatch.setattr(interpreters, "deno", none)
        await edit(desk)
        put(desk, "rest", '{"runtime": "typescript"}')
        await looked(desk)
        assert "Deno, which runs TypeScript, is not installed." in live(desk)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_what_is_said_in_passing_covers_nothing_of_the_editor(tmp_path: Path, size: tuple[int, int]) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path, size=size) as desk:
        await edit(desk)
        put(desk, "source", OTHER)
        await looked(desk)
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.app.screen.query(Toast), "it is said that it is saved")
        await desk.sees("Saved word_count")
        (toast,) = desk.app.screen.query(Toast)
        for seen in ("#edit-source", "#live", "#edit-strip", "StatusLine", "KeyFooter"):
            assert not toast.region.overlaps(desk.app.query_one(seen).region), seen


async def test_what_kept_it_from_being_saved_is_told_until_it_is_mended(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        await desk.press("f2", "f2")
        await desk.type("x")
        await desk.press("ctrl+s")
        await desk.until(lambda: "! Not saved." in live(desk), "why it was not saved")
        await desk.press("ctrl+z")
        await desk.until(lambda: "Not saved" not in live(desk), "nothing keeps it from being saved")


async def test_a_number_of_bytes_stays_with_its_unit_in_any_width(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await edit(desk)
        await looked(desk)
        said = editor(desk).query_one("#live", Literal)
        for width in range(60, 125, 3):
            await desk.pilot.resize_terminal(width, 40)
            await desk.pilot.pause()
            shown = [line.plain.strip() for line in cast("Content", said.content).wrap(said.content_size.width)]
            assert not any(line.split(" ")[0].rstrip(",") == "B" for line in shown), shown

"""The Tools tab in the real app: look, edit, save, call, and see what others do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import WORD_COUNT, at_desk, elsewhere, save
from tests.canaries import CANARIES
from workbench.app.tools.call.pane import CallPane
from workbench.app.tools.contract.pane import ContractPane
from workbench.app.tools.source.pane import SourcePane
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.question import Question
from workbench.app.widgets.text_view import TextView
from workbench.harness import strict_json
from workbench.harness.door import Done
from workbench.harness.log.events import ToolCall, ToolResult
from workbench.harness.space.contract import contract_page


async def seeded(folder: Path, *names: str) -> None:
    """A Space with some lambdas."""
    async with elsewhere(folder) as harness:
        for name in names or ("word_count",):
            await save(harness, name)


async def test_lists_verbs_builtins_and_lambdas_with_their_states(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        states = desk.states()
        assert list(states)[:5] == ["read", "write", "call", "delegate", "plan"]
        assert states["search"] == "● callable"
        assert states["navigate"].startswith("○ ")
        assert states["word_count"] in ("● callable", "○ unavailable")
        await desk.sees("VERBS", "BUILTINS", "LAMBDAS")


async def test_an_empty_space_says_which_key_writes_a_lambda(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.sees("No lambda yet. n writes one.")


async def test_the_filter_keeps_what_has_all_words(tmp_path: Path) -> None:
    await seeded(tmp_path, "word_count", "line_count")
    async with elsewhere(tmp_path) as harness:
        await save(harness, "slugify", description="Make a slug.")
    async with at_desk(tmp_path) as desk:
        await desk.press("slash")
        await desk.type("count wor")
        await desk.until(lambda: "slugify" not in desk.states() and "read" not in desk.states(), "filtered")
        assert "word_count" in desk.states()
        await desk.press("escape")
        await desk.until(lambda: "slugify" in desk.states(), "all are back")


async def test_a_filter_that_nothing_matches_says_so_where_the_tool_was(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.press("slash")
        await desk.type("zzz")
        await desk.sees("No tool has “zzz” in its name, summary or state.")
        assert not desk.tools.query_one("#pane").display
        await desk.press("escape")
        await desk.until(lambda: desk.tools.query_one("#pane").display, "the tool is back")
        await desk.sees("read")


async def test_editing_what_is_no_lambda_says_how_to_write_one(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("e")
        await desk.sees("search comes with the workbench; n writes one of")
        assert not desk.app.query_one(SourcePane).editing


async def test_the_exact_contract_is_the_text_that_read_gives(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        expected = contract_page(tool.document, tool.cid).content
        await desk.sees("text*", "string", "What is counted.", "default false")
        await desk.press("m")
        assert desk.area("ContractPane CodeArea") == expected
        assert desk.app.query_one(ContractPane).text == expected
        await desk.sees(f"{len(expected.encode()):,} bytes")


async def test_editing_and_saving_is_one_act_and_a_new_version(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        before = desk.harness.tool("word_count")
        assert before is not None
        events = len(desk.harness.events("workshop"))
        await desk.press("e")
        await desk.until(lambda: desk.app.focused and desk.app.focused.id == "edit-source", "the editor is open")
        await desk.type("# counted\n")
        await desk.until(lambda: desk.states()["word_count"] == "✎ unsaved", "the list says that it is unsaved")
        await desk.sees("✓ would be bafyrei")
        promised = desk.app.query_one(SourcePane).judgement
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.tool("word_count") != before, "it is saved")
        await desk.until(lambda: desk.states()["word_count"] != "✎ unsaved", "the list says that it is saved")
        after = desk.harness.tool("word_count")
        assert after is not None
        assert promised is not None
        assert after.cid == promised.cid
        assert after.document.source == "# counted\n" + WORD_COUNT["source"]
        call, result = desk.harness.events("workshop")[events:]
        assert isinstance(call, ToolCall)
        assert isinstance(result, ToolResult)
        assert (call.name, call.actor, call.input["content"]["cid"]) == ("write", "user", before.cid)


async def test_a_problem_of_a_draft_is_said_in_words_and_nothing_is_saved(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("e", "f2")
        desk.app.query_one("#edit-rest", CodeArea).load_text('{"description": "x", "input": {"type": "array"}}')
        await desk.sees("✗", "input in the content of ~/tools/word_count")
        versions = len(desk.harness.versions("word_count"))
        await desk.press("ctrl+s")
        await desk.sees("Not saved")
        assert len(desk.harness.versions("word_count")) == versions


async def test_a_version_saved_elsewhere_is_shown_and_not_overwritten(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await desk.select("word_count")
        await desk.press("e")
        await desk.type("# mine\n")
        theirs = await save(other, "word_count", source="def main(input):\n    return 0\n")
        await desk.sees("The stored version changed meanwhile")
        await desk.press("ctrl+s")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        assert tool.cid == theirs
        assert desk.area("#edit-source") == "# mine\n" + WORD_COUNT["source"]
        await desk.press("s")
        await desk.until(lambda: (t := desk.harness.tool("word_count")) and t.cid != theirs, "mine is saved over it")


async def test_a_new_lambda_does_not_replace_unseen_what_was_saved_under_its_name(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await desk.press("n")
        await desk.type("mine")
        await desk.press("enter")
        await desk.until(lambda: desk.app.query_one(SourcePane).editing, "the editor is open")
        theirs = await save(other, "mine")
        # At once, before any tick told the list of it.
        desk.tools.action_save()
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        tool = desk.harness.tool("mine")
        assert tool is not None
        assert tool.cid == theirs
        await desk.press("k")
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
        await desk.select("word_count")
        await desk.press("e")
        await desk.type("# one")
        await desk.press("ctrl+s")
        await desk.type(" two\n")
        await desk.select("search")
        go.set()
        await desk.sees("Saved word_count")
        assert desk.tools.unsaved == ["word_count"]
        await desk.select("word_count")
        await desk.press("e")
        await desk.until(lambda: desk.app.query_one(SourcePane).editing, "the editor is open")
        assert desk.area("#edit-source").startswith("# one two\n")
        tool, draft = desk.harness.tool("word_count"), desk.app.query_one(SourcePane).draft
        assert tool is not None
        assert draft is not None
        assert draft.base_cid == tool.cid
        assert (tool.document.source or "").startswith("# onedef")


async def test_leaving_the_editor_with_unsaved_edits_asks_and_keeps_them(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("e")
        await desk.type("# x")
        await desk.press("escape")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "it asks")
        await desk.press("k")
        await desk.until(lambda: not desk.app.query_one(SourcePane).editing, "the editor is closed")
        assert desk.tools.unsaved == ["word_count"]
        await desk.press("e")
        await desk.until(lambda: desk.area("#edit-source").startswith("# x"), "the edits are there again")


async def test_a_new_lambda_from_the_template_is_saved_with_two_keys(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("n")
        await desk.type("Bad Name")
        await desk.sees("did you mean bad_name?")
        await desk.press(*["backspace"] * 8)
        await desk.type("hello_you")
        await desk.press("enter")
        await desk.until(lambda: desk.app.query_one(SourcePane).editing, "the editor is open")
        await desk.until(lambda: desk.states().get("hello_you") == "✎ new, unsaved", "it is listed")
        assert desk.harness.tool("hello_you") is None
        await desk.press("ctrl+s")
        await desk.until(lambda: desk.harness.tool("hello_you"), "it is saved")


async def test_verify_hashes_the_block_again(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("v")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        await desk.sees(tool.cid, f"the stored {tool.size:,} bytes hash to this CID", "dag-cbor · sha2-256")


async def test_an_input_that_does_not_fit_is_refused_in_place(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("r")
        desk.app.query_one("#input", CodeArea).load_text("{nonsense")
        await desk.press("ctrl+r")
        await desk.sees("✗ bad_input", "nothing was logged")
        desk.app.query_one("#input", CodeArea).load_text('{"nonsense": 1}')
        await desk.press("ctrl+r")
        await desk.sees("✗ bad_input", "of workshop")


@pytest.mark.sandbox
async def test_a_call_runs_and_shows_output_logs_and_time(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("r")
        assert desk.area("#input") == '{\n  "text": ""\n}'
        desk.app.query_one("#input", CodeArea).load_text('{"text": "one two three"}')
        await desk.press("ctrl+r")
        await desk.sees("✓ ok", '"words": 3', "── logs ──", "counting")


@pytest.mark.sandbox
async def test_a_running_call_is_shown_and_can_be_stopped(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "slow", input={}, source="import time\ndef main(input):\n    time.sleep(50)\n")
    async with at_desk(tmp_path) as desk:
        await desk.select("slow")
        await desk.press("r", "ctrl+r")
        await desk.until(lambda: "▶ slow" in desk.status, "the status line says that it runs")
        await desk.press("escape")
        await desk.sees("✗ cancelled")
        assert not desk.app.query_one(CallPane).running
        *_, result = desk.harness.events("workshop")
        assert isinstance(result, ToolResult)
        assert result.error is not None
        assert result.error["code"] == "cancelled"
        await desk.sees(f"event {result.seq} of workshop")
        await desk.until(lambda: "▶" not in desk.status, "the status line says that nothing runs")


async def test_a_long_result_is_laid_out_line_by_line_and_copied_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path) as desk:
        long = {"lines": [f"line {number} [/]" for number in range(20_000)], "wide": "x" * 500_000}

        async def answers(*_: Any, **__: Any) -> Done:
            return Done(long, "workshop", 7)

        monkeypatch.setattr(desk.harness, "perform", answers)
        copied: list[str] = []
        monkeypatch.setattr(desk.app, "copy", lambda text, what: copied.append(text))
        await desk.select("search")
        await desk.press("r", "ctrl+r")
        await desk.sees("✓ ok", "event 7 of workshop", '"line 0 [/]"')
        view = desk.app.query_one("#output", TextView)
        assert view.items > 20_000
        view.focus()
        await desk.press("y", "end")
        assert copied == [strict_json.pretty(long)]
        await desk.sees("}")
        await desk.select("read")
        assert desk.app.query_one(CallPane).text == ""
        await desk.select("search")
        await desk.sees('"line 0 [/]"')


async def test_the_document_stands_in_the_cid_pane_whole(tmp_path: Path) -> None:
    long = "# x\n" * 20_000 + "def main(input):\n    return 1\n"
    async with elsewhere(tmp_path) as harness:
        await save(harness, "long", source=long)
    async with at_desk(tmp_path) as desk:
        await desk.select("long")
        await desk.press("i")
        view = desk.app.query_one("#document", TextView)
        await desk.until(lambda: view.items > 40, "the document")
        tool = desk.harness.tool("long")
        assert tool is not None
        shown = "".join(text for index in range(view.items) for line in view.lines_of(index, 4_000) for text, _ in line)
        assert shown == strict_json.pretty(tool.document.to_map()).replace("\n", "")


async def test_what_another_process_does_appears_by_itself(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await save(other, "from_elsewhere")
        await desk.until(lambda: "from_elsewhere" in desk.states(), "the new tool is listed")
        await other.perform("read", {"address": "~/tools/search"}, actor="agent", thread="main")
        await desk.until(lambda: desk.states()["search"] == "▲ promoted #1", "the promotion is shown")
        await desk.sees("▲ search promoted")
        assert "5 verbs + 1 promoted" in desk.status


@pytest.mark.sandbox
async def test_a_tool_saved_since_it_was_touched_says_so(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await other.perform("read", {"address": "~/tools/word_count"}, actor="agent", thread="main")
        await desk.until(lambda: desk.states()["word_count"] == "▲ promoted #1", "promoted")
        await save(other, "word_count", description="Another one.")
        await desk.until(lambda: desk.states()["word_count"] == "≠ saved since #1", "saved since")


async def test_hostile_text_is_shown_in_every_pane_and_steers_nothing(tmp_path: Path) -> None:
    together = [" ".join(CANARIES[begin : begin + 6]) for begin in range(0, len(CANARIES), 6)]
    async with elsewhere(tmp_path) as harness:
        for number, canary in enumerate(together):
            await save(
                harness,
                f"hostile{number}",
                summary=f"s {canary}"[:140],
                description=f"Hostile. {canary}",
                source=f"# {canary}\ndef main(input):\n    return 1\n",
                input={"type": "object", "properties": {f"p{canary}": {"type": "string", "description": canary}}},
            )
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        for number, canary in enumerate(together):
            await desk.select(f"hostile{number}")
            for key in ("c", "m", "m", "s", "e", "f2", "escape", "i", "v", "r"):
                await desk.press(key)
                desk.picture()
            assert "\x1b" not in desk.app.export_screenshot()
            desk.app.query_one("#input", CodeArea).load_text('{"text": ' + strict_json.canonical(canary) + "}")
            await desk.press("ctrl+r")
            await desk.until(lambda: not desk.app.query_one(CallPane).running, "the call has ended")
            desk.app.say_error(canary)
            await desk.press("escape")
            desk.picture()
        await desk.press("ctrl+p")
        await desk.type("hostile")
        desk.picture()

"""The Tools tab in the real app: look, edit, save, call, and see what others do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import at_desk, elsewhere, save
from tests.canaries import CANARIES
from workbench.app.tools.call.pane import CallPane
from workbench.app.tools.contract.pane import ContractPane
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.outline.view import Outline
from workbench.harness import strict_json
from workbench.harness.door.doing import Done
from workbench.harness.log.events import ToolResult
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


async def test_verify_hashes_the_block_again(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("v")
        tool = desk.harness.tool("word_count")
        assert tool is not None
        await desk.sees(tool.cid, f"the stored {tool.size:,} bytes hash to this CID", "dag-cbor", "sha2-256")


async def test_an_input_that_does_not_fit_is_refused_in_place(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("r", "f3")
        desk.app.query_one("#input", CodeArea).load_text("{nonsense")
        await desk.press("ctrl+r")
        await desk.sees("✗ not run", "nothing was logged", "line 1, column 2")
        desk.app.query_one("#input", CodeArea).load_text('{"nonsense": 1}')
        await desk.press("ctrl+r")
        await desk.sees("✗ bad_input", "of workshop", "what the schema refuses")


@pytest.mark.sandbox
async def test_a_call_runs_and_shows_output_logs_and_time(tmp_path: Path) -> None:
    await seeded(tmp_path)
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        await desk.press("r")
        await desk.type("one two three")
        await desk.press("enter", "ctrl+r")
        await desk.sees("✓ ok", "words: 3", "▾ logs", "1 line", "counting")


@pytest.mark.sandbox
async def test_a_running_call_is_shown_and_can_be_stopped(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "slow", input={}, source="import time\ndef main(input):\n    time.sleep(50)\n")
    async with at_desk(tmp_path) as desk:
        await desk.select("slow")
        await desk.press("r", "ctrl+r")
        await desk.until(lambda: "▶ slow" in desk.status, "the status line says that it runs")
        await desk.press("escape")
        await desk.sees("■ cancelled")
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
        await desk.press("r")
        desk.app.query_one(CallPane).given.put({"query": "x"})
        await desk.press("ctrl+r")
        await desk.sees("✓ ok", "event 7 of workshop", "lines: [20,000]", "500,000 characters, enter shows them")
        view = desk.app.query_one("#output", Outline)
        view.focus()
        view.go("result.lines")
        await desk.press("y", "enter")
        assert copied == [strict_json.pretty(long)]
        view.go("result.lines[19900…19999]")
        await desk.press("enter", "G", "k", "k")
        await desk.sees('19,999: "line 19999 [/]"')
        await desk.select("read")
        assert desk.app.query_one(CallPane).text == ""
        await desk.select("search")
        await desk.sees("lines: [20,000]")


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
            desk.app.query_one(CallPane).given.put({"text": canary})
            await desk.press("ctrl+r")
            await desk.until(lambda: not desk.app.query_one(CallPane).running, "the call has ended")
            desk.app.say_error(canary)
            await desk.press("escape")
            desk.picture()
        await desk.press("ctrl+p")
        await desk.type("hostile")
        desk.picture()


async def test_the_cursor_stays_where_a_tool_went_away(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        for name in ("aa", "bb", "cc"):
            await save(desk.harness, name)
        await desk.until(lambda: "cc" in desk.states(), "all are listed")
        await desk.select("bb")
        await desk.harness.perform("write", {"address": "~/tools/bb", "options": {"delete": True}})
        await desk.until(lambda: "bb" not in desk.states(), "it is gone")
        await desk.until(lambda: desk.tools.selected == "cc", "what took its place is selected")


async def test_the_views_of_the_cid_are_one_key_away_from_the_list(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("i", "B")
        await desk.sees("map of")
        await desk.press("V")
        await desk.until(lambda: "map of" not in desk.screen(), "the versions are shown")


async def test_a_tool_deleted_under_somebodys_hands_gives_them_to_no_other_tool(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        for name in ("mail_draft", "mail_send"):
            await save(harness, name)
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await desk.select("mail_send")
        await desk.press("r")
        await desk.type("dear")
        await other.perform("write", {"address": "~/tools/mail_send", "options": {"delete": True}})
        await desk.sees("deleted", "Deleted meanwhile")
        assert desk.tools.selected == "mail_send"
        await desk.type("bob")
        await desk.press("ctrl+r")
        assert desk.tools.selected == "mail_send"
        calls = [event.input for event in desk.harness.events("workshop") if getattr(event, "name", "") == "call"]
        assert all(call["tool"] == "mail_send" for call in calls)


async def test_the_first_key_after_e_is_typed(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count")
    async with at_desk(tmp_path) as desk:
        await desk.select("word_count")
        for key in "eQW":
            desk.app.simulate_key(key)
        await desk.until(lambda: "W" in desk.screen(), "it is typed")
        await desk.sees("QWdef main")


async def test_lambdas_switched_off_in_a_row_are_all_off(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        for name in ("aa", "bb", "cc"):
            await save(harness, name)
    async with at_desk(tmp_path) as desk:
        await desk.select("aa")
        for key in "ojojo":
            desk.app.simulate_key(key)
        await desk.until(
            lambda: desk.harness.settings().settings.switched_off == ("aa", "bb", "cc"), "all three are off"
        )

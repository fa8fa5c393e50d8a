"""The Call pane in the real app: running, stopping, results of any size, several calls at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import Desk, at_desk, elsewhere, save
from tests.canaries import CANARIES
from workbench.app.tools.call.pane import CallPane
from workbench.app.tools.tab import ToolsTab
from workbench.app.widgets.field import Field
from workbench.app.widgets.outline.view import Outline
from workbench.app.widgets.question import Question
from workbench.app.widgets.text_view import TextView
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import ToolCall, ToolResult
from workbench.harness.strict_json import pretty

SLOW = "import time\ndef main(input):\n    print('begun', flush=True)\n    time.sleep(50)\n"
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


class Held:
    """Stands in for the door: every call waits until it is let go, and is remembered."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.waiting: dict[str, asyncio.Future[Any]] = {}

    async def perform(self, name: str, input: Any, *_: Any) -> Done:
        self.asked.append((name, input))
        tool = input["tool"] if name == "call" else name
        future = self.waiting[tool] = asyncio.get_running_loop().create_future()
        return Done(await future, "workshop", len(self.asked))


def hold(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Held:
    held = Held()
    monkeypatch.setattr(desk.harness, "perform", held.perform)
    return held


def pane(desk: Desk) -> CallPane:
    return desk.app.query_one(CallPane)


async def called(desk: Desk, tool: str, input: Any) -> None:
    """Select a tool and call it."""
    await desk.select(tool)
    await desk.press("r")
    await desk.until(lambda: pane(desk)._shown is not None and pane(desk)._shown.name == tool, "the pane shows it")
    pane(desk).given.put(input)
    await desk.press("ctrl+r")


async def ended(desk: Desk) -> None:
    await desk.until(lambda: not pane(desk).running and pane(desk).text, "the call has ended")


async def test_what_ran_is_shown_with_its_time_its_event_and_its_parts(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await called(desk, "search", {"query": "search"})
        await desk.sees("✓ ok", "of workshop", "▾ output", "▸ input")
        await ended(desk)
        *_, result = desk.harness.events("workshop")
        assert isinstance(result, ToolResult)
        assert pane(desk).text == pretty(result.output)
        await desk.sees(f"event {result.seq} of workshop", f"{result.output['duration_ms']} ms")


async def test_a_verb_is_performed_itself(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await called(desk, "read", {"address": "~/tools/"})
        await ended(desk)
        call = next(event for event in desk.harness.events("workshop") if isinstance(event, ToolCall))
        assert (call.name, call.input) == ("read", {"address": "~/tools/"})


async def test_calls_of_several_tools_run_at_once_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await called(desk, "search", {"query": "one"})
        await desk.sees("▶ running")
        await called(desk, "read", {"address": "~/self"})
        await desk.sees("▶ running")
        assert set(held.waiting) == {"search", "read"}
        held.waiting["search"].set_result({"status": "ok", "output": "from search"})
        await desk.until(lambda: "search" not in pane(desk).runs, "search has ended")
        assert pane(desk).running
        await desk.select("search")
        await desk.sees('"from search"')
        assert await pane(desk).given.input.read() == {"query": "one"}
        await desk.select("read")
        await desk.sees("▶ running")
        held.waiting["read"].set_result({"status": "ok", "address": "~/self"})
        await desk.sees('"~/self"', "✓ ok")


async def test_while_it_runs_the_same_tool_is_not_called_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await called(desk, "search", {"query": "one"})
        await desk.sees("▶ running")
        await desk.press("ctrl+r")
        await desk.sees("search still runs; esc stops it.")
        assert len(held.asked) == 1
        held.waiting["search"].set_result({"status": "ok", "output": 1})
        await ended(desk)


async def test_after_a_failed_call_everything_else_works(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await called(desk, "search", {"nonsense": 1})
        await desk.sees("✗ not run", "nothing was logged", "what the schema refuses", "$.query")
        await desk.press("f3")
        await called(desk, "search", {"nonsense": 1})
        await desk.sees("✗ bad_input", "of workshop", "what the schema refuses", "$.query")
        await called(desk, "search", {"query": "search"})
        await desk.sees("✓ ok")
        await called(desk, "web_search", {"query": "x"})
        await desk.sees("✗ unavailable")
        await called(desk, "read", {"address": "~/memory/nothing.md"})
        await desk.sees("✗ not_found")
        await called(desk, "search", {"query": "again"})
        await desk.sees("✓ ok")


async def test_a_stopped_call_is_cancelled_and_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_desk(tmp_path) as desk:
        hold(desk, monkeypatch)
        await called(desk, "search", {"query": "one"})
        await desk.sees("▶ running")
        await desk.press("escape")
        await desk.sees("■ cancelled", "after")
        await desk.pilot.click("#run")
        await desk.sees("▶ running")
        await desk.pilot.click("#cancel")
        await desk.sees("■ cancelled")


async def test_a_timeout_says_which_clock_fired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk:
        await desk.select("el")
        await desk.until(lambda: desk.states().get("el"), "it is listed")

        async def too_slow(*_: Any) -> Done:
            error = HarnessError(
                "timeout", "It was stopped after 5 seconds, the time it was given.\nLast output:\nstep 1"
            )
            error.thread, error.seq = "workshop", 4
            raise error

        monkeypatch.setattr(desk.harness, "perform", too_slow)
        await called(desk, "el", {"text": "x"})
        await desk.sees("✗ timeout", "event 4 of workshop", "of 60 s", "stopped after 5 seconds", "step 1")


async def test_the_limit_is_editable_and_goes_along_only_when_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await called(desk, "el", {"text": "x"})
        await desk.sees("s of 60 s")
        held.waiting["el"].set_result({"status": "ok", "output": 1})
        await ended(desk)
        for wrong in ("0", "301", "x"):
            desk.app.query_one("#limit", Field).value = wrong
            await desk.press("ctrl+r")
            await desk.sees("from 1 to 300")
            assert desk.app.query_one("#limit").has_focus
            await desk.sees("s ✗ 1 to 300", "✗ the limit")
        desk.app.query_one("#limit", Field).value = "7"
        await desk.press("enter")
        await desk.sees("s of 7 s")
        assert held.asked == [
            ("call", {"tool": "el", "input": {"text": "x"}}),
            ("call", {"tool": "el", "input": {"text": "x"}, "options": {"timeout_secs": 7}}),
        ]
        await desk.select("search")
        await desk.until(lambda: not desk.app.query_one("#limit").display, "search has no clock")
        await desk.select("el")
        await desk.until(lambda: desk.app.query_one("#limit", Field).value == "7", "the limit is there again")


@pytest.mark.sandbox
async def test_live_output_is_followed_and_cancel_reaches_the_process(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "slow", input={}, source=SLOW)
    async with at_desk(tmp_path) as desk:
        await called(desk, "slow", {})
        await desk.sees("▶ running", "begun")
        await desk.select("search")
        await desk.sees("not run yet")
        await desk.select("slow")
        await desk.sees("▶ running", "begun")
        await desk.press("r", "escape")
        await desk.sees("■ cancelled", "its last output", "begun")
        *_, result = desk.harness.events("workshop")
        assert isinstance(result, ToolResult)
        assert result.error is not None
        assert result.error["code"] == "cancelled"
        assert desk.harness.running() == []


@pytest.mark.sandbox
async def test_whoever_prints_a_lot_is_answered_all_the_same(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        source = (
            "def main(input):\n    for n in range(3000):\n        print('line', n, flush=True)\n    return 'done'\n"
        )
        await save(harness, "talker", input={}, source=source)
    async with at_desk(tmp_path) as desk:
        await called(desk, "talker", {})
        await desk.sees("✓ ok", '"done"', "logs", "3,000 lines")


@pytest.mark.sandbox
async def test_a_clock_that_fires_says_so_with_its_value(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "slow", input={}, source=SLOW)
    async with at_desk(tmp_path) as desk:
        await desk.select("slow")
        await desk.press("r")
        desk.app.query_one("#limit", Field).value = "1"
        await desk.press("ctrl+r")
        await desk.sees("✗ timeout", "of 1 s", "stopped after 1 second", "begun")


async def test_a_result_of_five_megabytes_opens_is_read_to_its_end_and_copied_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(f"line {number} of many [/]" for number in range(100_000))
    answer = {"status": "ok", "tool": "search", "output": {"rows": [{"n": n} for n in range(100_000)], "text": text}}
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await called(desk, "search", {"query": "x"})
        await desk.until(lambda: held.waiting, "it runs")
        held.waiting["search"].set_result(answer)
        await desk.sees("✓ ok", "rows: [100,000]", "100,000 lines")
        copied: list[str] = []
        monkeypatch.setattr(desk.app, "copy", lambda text, what: copied.append(text))
        outline = desk.app.query_one("#output", Outline)
        outline.focus()
        outline.go("output.rows")
        await desk.press("enter", "y")
        assert copied == [pretty(answer)]
        outline.go("output.rows[99900…99999]")
        await desk.press("enter")
        outline.go("output.rows[99999]")
        await desk.press("enter")
        await desk.sees("n: 99999")
        outline.go("output.text")
        await desk.press("enter")
        outline.go("output.text\n…")
        await desk.press("enter")
        whole = desk.app.query_one("#whole-text", TextView)
        await desk.until(lambda: whole.items == 100_000, "the text is there whole")
        await desk.press("G")
        await desk.sees("line 99999 of many [/]", "output.text")
        await desk.press("y", "escape")
        assert copied[-1] == text
        assert outline.has_focus


async def test_unsaved_edits_are_asked_about_before_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        await desk.select("el")
        await desk.press("r")
        pane(desk).given.put({"text": "x"})
        pane(desk).note_unsaved(True)
        await desk.sees("Runs the saved version")
        await desk.press("ctrl+r")
        await desk.until(lambda: isinstance(desk.app.screen, Question), "the question")
        await desk.press("escape")
        assert held.asked == []
        await desk.press("ctrl+r", "r")
        await desk.until(lambda: held.asked, "the stored version runs")
        held.waiting["el"].set_result({"status": "ok", "output": 1})
        await ended(desk)
        wanted: list[CallPane.SaveFirst] = []
        monkeypatch.setattr(ToolsTab, "on_call_pane_save_first", lambda _, event: wanted.append(event), raising=False)
        await desk.press("ctrl+r", "s")
        await desk.until(lambda: wanted, "it is to be saved first")
        assert wanted[0].name == "el"
        wanted[0].then()
        await desk.until(lambda: len(held.asked) == 2, "then it runs")


async def test_when_the_contract_changes_the_input_is_kept_and_held_against_it(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await desk.select("el")
        await desk.press("r")
        pane(desk).given.put({"text": "kept"})
        await save(other, "el", description="Says it otherwise.")
        await desk.sees("The contract changed; your input was kept, and it is accepted.")
        await save(other, "el", input=QUERY | {"additionalProperties": False})
        await desk.sees("no longer accepts your input", "$")
        assert pane(desk).given.input.form.to_json_text() == pretty({"text": "kept"})


async def test_hostile_input_and_answers_are_shown_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk:
        await desk.select("read")
        await desk.press("r", "f3")
        for begin in range(0, len(CANARIES), 6):
            hostile = {canary: canary for canary in CANARIES[begin : begin + 6]}

            async def answers(*_: Any, hostile: dict[str, str] = hostile) -> Done:
                return Done({"status": "ok", "output": hostile, "logs": "\n".join(hostile)}, "workshop", 1)

            monkeypatch.setattr(desk.harness, "perform", answers)
            await called(desk, "read", hostile)
            await ended(desk)
            for key in ("G", "g", "enter", "f5", "f5", "f3", "f3"):
                await desk.press(key)
                desk.picture()
            assert "\x1b" not in desk.screen()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_everything_is_reachable_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_desk(tmp_path, size=size) as desk:
        await desk.select("search")
        await desk.press("r")
        await desk.sees("▶ Run ctrl+r", "not run yet", "f5")
        await called(desk, "search", {"query": "x"})
        await ended(desk)
        await desk.press("f5")
        await desk.sees("1 call of search", "given")


async def test_what_is_stopped_while_its_input_is_read_never_runs_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path) as desk:
        held = hold(desk, monkeypatch)
        reading, go = asyncio.Event(), asyncio.Event()

        async def read() -> Any:
            reading.set()
            await go.wait()
            return {"query": "x"}

        await desk.select("search")
        await desk.press("r")
        monkeypatch.setattr(pane(desk).given.input, "read", read)
        await desk.press("ctrl+r")
        await desk.until(reading.is_set, "its input is read")
        pane(desk).focus_content()
        await desk.press("escape")
        await desk.sees("■ cancelled · nothing was logged", "Nothing ran")
        go.set()
        await desk.pilot.pause()
        assert held.asked == []
        monkeypatch.undo()
        await called(desk, "search", {"query": "search"})
        await desk.sees("✓ ok")


async def test_what_is_stopped_before_the_door_has_taken_it_says_that_nothing_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("r")
        before = len(desk.harness.events("workshop"))
        shown = pane(desk)._shown
        assert shown is not None
        pane(desk).runs.start(shown, {"query": "x"}, None, 60)
        pane(desk).cancel()
        await desk.sees("■ cancelled · nothing was logged", "Nothing ran")
        assert "search" not in pane(desk).runs
        assert len(desk.harness.events("workshop")) == before

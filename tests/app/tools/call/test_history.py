"""The history in the app: whose calls, with which version, seen again, run again, used again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.desk import Desk, at_desk, elsewhere, save
from tests.app.tools.call.test_call_pane import ended, hold, pane
from workbench import Harness, HarnessError
from workbench.app.tools.call.history import HistoryView
from workbench.harness.log.events import ToolCall
from workbench.harness.strict_json import pretty


async def search(harness: Harness, query: str, actor: str = "user", thread: str | None = None) -> None:
    await harness.perform("call", {"tool": "search", "input": {"query": query}}, actor, thread)


async def history_of(desk: Desk, tool: str) -> HistoryView:
    await desk.select(tool)
    await desk.press("r", "f5")
    view = desk.app.query_one(HistoryView)
    await desk.until(lambda: view.has_focus and view.keys, "the history is listed")
    return view


async def test_calls_by_anybody_survive_a_restart_newest_first(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await search(harness, "first")
        await search(harness, "by the agent", "agent", "demo")
    async with at_desk(tmp_path) as desk:
        await history_of(desk, "search")
        await desk.sees("2 calls of search", "you", "agent in demo", "○ contract", "this version", '{"query":"first"}')
        text = desk.screen()
        assert text.index("by the agent") < text.index('"first"')


async def test_nothing_called_yet_teaches(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.select("search")
        await desk.press("r", "f5")
        await desk.sees("0 calls of search", "No call of this tool is in the log yet.")
        await desk.press("f5")
        await desk.sees("not run yet")


async def test_a_past_result_is_seen_again_and_esc_goes_back(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await search(harness, "first")
        with pytest.raises(HarnessError):
            await harness.perform("call", {"tool": "search", "input": {"nonsense": 1}})
    async with at_desk(tmp_path) as desk:
        await history_of(desk, "search")
        await desk.press("j", "enter")
        await desk.sees("✓ ok", "event 2 of workshop", "on 20")
        call = next(event for event in desk.harness.events("workshop") if isinstance(event, ToolCall))
        result = desk.harness.recorded(call.number).read()[1]
        assert result is not None
        assert pane(desk).text == pretty(result.output)
        await desk.press("f5", "g", "enter")
        await desk.sees("✗ bad_input", "event 4 of workshop")
        await desk.press("f5")
        await desk.sees("2 calls of search")
        await desk.press("escape")
        await desk.sees("✗ bad_input")


async def test_run_again_and_use_the_input(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await search(harness, "first")
    async with at_desk(tmp_path) as desk:
        await history_of(desk, "search")
        await desk.press("a")
        await desk.until(lambda: len(desk.harness.calls("search")) == 2, "it ran again")
        await ended(desk)
        newest = desk.harness.calls("search")[0]
        assert (newest.actor, newest.preview) == ("user", '{"query":"first"}')
        await desk.press("f5", "u")
        await desk.until(lambda: pane(desk).given.has_focus_within, "the input has the keys")
        assert await pane(desk).given.input.read() == {"query": "first"}


async def test_run_again_keeps_the_limit_that_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "el")
        with pytest.raises(HarnessError):
            await harness.perform("call", {"tool": "el", "input": {}, "options": {"timeout_secs": 9}})
    async with at_desk(tmp_path) as desk:
        await desk.until(lambda: desk.states().get("el"), "it is listed")
        held = hold(desk, monkeypatch)
        await history_of(desk, "el")
        await desk.press("a")
        await desk.until(lambda: held.asked, "it runs again")
        assert held.asked == [("call", {"tool": "el", "input": {}, "options": {"timeout_secs": 9}})]


async def test_an_input_that_the_present_contract_refuses_is_marked(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        first = await save(harness, "el", input={"type": "object"})
        harness._log.result(  # a call that ran, without a sandbox to run it in
            harness._log.call("workshop", "user", "call", {"tool": "el", "input": {"n": 1}}, "m"),
            output={"status": "ok", "tool": "el", "cid": first, "output": 1, "duration_ms": 1},
        )
        await save(harness, "el", input={"type": "object", "properties": {"n": {"type": "string"}}})
    async with at_desk(tmp_path) as desk:
        await history_of(desk, "el")
        await desk.sees("version 1", "the present contract no longer accepts this input")


async def test_what_is_called_elsewhere_appears_by_itself(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await search(harness, "first")
    async with at_desk(tmp_path) as desk, elsewhere(tmp_path) as other:
        await history_of(desk, "search")
        await search(other, "from elsewhere")
        await desk.sees("2 calls of search", "from elsewhere")


async def test_more_than_a_page_is_read_on_demand(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        store = harness._space.store
        with store.writing():
            for number in range(120):
                call = harness._log.call("workshop", "user", "call", {"tool": "search", "input": {"n": number}}, "m")
                harness._log.result(call, output={"status": "ok", "output": number})
    async with at_desk(tmp_path) as desk:
        view = await history_of(desk, "search")
        await desk.sees("100+ calls of search", '{"n":119}')
        await desk.press("G", "enter")
        await desk.until(lambda: len(view.keys) == 120, "all are there")
        await desk.press("G")
        await desk.sees("120 calls of search", '{"n":0}')


async def test_the_history_of_another_tool_is_another_one(tmp_path: Path) -> None:
    async with elsewhere(tmp_path) as harness:
        await search(harness, "first")
        await harness.perform("read", {"address": "~/memory/"})
    async with at_desk(tmp_path) as desk:
        await history_of(desk, "search")
        await desk.select("read")
        await desk.sees("not run yet")
        await history_of(desk, "read")
        await desk.sees("1 call of read", "~/memory/")

"""Calling a tool of the toolbox as the owner: on the real machine, in a folder that is said and can be changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import Desk, at_desk, elsewhere
from tests.harness.on_machine import allow
from workbench.app.tools.call.history import HistoryView
from workbench.app.tools.call.pane import CallPane
from workbench.harness.log.events import ToolCall, ToolResult


def pane(desk: Desk) -> CallPane:
    return desk.app.query_one(CallPane)


async def at(desk: Desk, tool: str) -> CallPane:
    """Go to the Call pane of a tool of the toolbox."""
    await desk.select(f"toolbox:{tool}")
    await desk.press("r")
    shown = f"toolbox:{tool}"
    await desk.until(lambda: pane(desk)._shown is not None and pane(desk)._shown.key == shown, "the pane shows it")
    return pane(desk)


async def called(desk: Desk, tool: str, input: Any, folder: Path | str | None = None) -> None:
    """Call it, in another folder if one is given."""
    there = await at(desk, tool)
    if folder is not None:
        there.given.machine.put(str(folder))
    there.given.put(input)
    await desk.press("ctrl+r")


def drawn(desk: Desk) -> list[str]:
    """The lines of the outcome."""
    return ["".join(text for text, _ in twig.line) for twig in pane(desk).came.outcome.twigs]


def lives(process: str) -> bool:
    return Path(f"/proc/{process}").exists()


def calls(desk: Desk) -> list[ToolCall]:
    return [event for event in desk.harness.events("workshop") if isinstance(event, ToolCall)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_it_says_that_it_acts_on_the_real_machine_as_you_and_in_which_folder(
    tmp_path: Path, here: Path, size: tuple[int, int]
) -> None:
    async with at_desk(tmp_path / "space", size=size) as desk:
        there = await at(desk, "bash")
        await desk.sees("! REAL MACHINE: runs as you, now", "folder ctrl+t")
        assert there.given.machine.text == str(here)
        await desk.select("read")
        await desk.until(lambda: "REAL MACHINE: runs" not in desk.screen(), "of a verb it is not said")


async def test_a_call_is_logged_with_its_binding_and_its_folder_and_drawn_by_its_tool(
    tmp_path: Path, here: Path
) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await called(desk, "read", {"path": "a.py"})
        await desk.sees("✓ ok", "of workshop", "as a model reads it", "2 lines")
        assert drawn(desk)[:2] == ["1 def a():", "2     return 1"]
        (call,) = calls(desk)
        assert (call.actor, call.name, call.binding, call.cwd) == ("user", "read", "toolbox:read", str(here))
        assert pane(desk).text == "def a():\n    return 1\n"
        copied = pane(desk).copied()
        assert copied is not None
        assert copied[0] == pane(desk).text


async def test_an_edit_is_drawn_as_a_diff(tmp_path: Path, here: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await called(desk, "edit", {"path": "a.py", "edits": [{"oldText": "return 1", "newText": "return 2"}]})
        await desk.sees("✓ ok", "▸ details")
        assert [line for line in drawn(desk) if line.startswith(("+", "-"))] == ["- 2     return 1", "+ 2     return 2"]
        assert (here / "a.py").read_text() == "def a():\n    return 2\n"


async def test_a_failure_is_told_in_the_words_that_a_model_reads(tmp_path: Path, here: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await called(desk, "read", {"path": "missing"})
        await desk.sees("✗ not_found", "ENOENT")
        await desk.press("f3")
        await called(desk, "read", {"path": 7})
        await desk.sees("✗ bad_input", "what the schema refuses")


async def test_output_comes_while_it_runs_and_a_stop_ends_what_it_started(tmp_path: Path, here: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        os.mkfifo(here / "never")
        await called(desk, "bash", {"command": "echo begun; echo $$ > pid; cat never"})
        await desk.sees("▶ running", "begun")
        await desk.until(lambda: "▶ bash" in desk.status, "the status line says that it runs")
        await desk.press("escape")
        await desk.sees("■ cancelled", "begun", "Command aborted")
        *_, result = desk.harness.events("workshop")
        assert isinstance(result, ToolResult)
        assert result.error is not None
        assert result.error["code"] == "cancelled"
        assert not lives((here / "pid").read_text().strip())


async def test_another_folder_can_be_typed_and_stays_for_all_seven(tmp_path: Path, here: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with at_desk(tmp_path / "space") as desk:
        there = await at(desk, "ls")
        await desk.press("ctrl+t", "home", "ctrl+k")
        assert there.given.machine.text == ""
        there.given.machine.put(str(other))
        await desk.until(lambda: not there.given.machine.fault, "there is such a folder")
        await desk.press("enter", "ctrl+r")
        await desk.until(lambda: calls(desk), "it runs")
        assert calls(desk)[-1].cwd == str(other)
        assert (await at(desk, "find")).given.machine.text == str(other)
        await desk.press("ctrl+t", "escape")
        assert there.given.has_focus_within, "esc goes back to the input"


@pytest.mark.parametrize(
    ("folder", "says"), [("here", "it begins with / or"), ("~x", "it begins with / or"), ("/no/such", "no folder")]
)
async def test_a_folder_that_is_none_is_refused_in_place(tmp_path: Path, here: Path, folder: str, says: str) -> None:
    async with at_desk(tmp_path / "space") as desk:
        await called(desk, "ls", {}, folder)
        await desk.sees("✗ not run", says, "Nothing was run")
        assert pane(desk).given.machine.has_focus_within
        assert calls(desk) == []


WRONG = [("r", "✗ not a whole path"), ("/no/such", "✗ no such folder"), ("~nobody", "✗ not a whole path")]


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize(("typed", "says"), WRONG)
async def test_a_wrong_folder_is_said_while_it_is_typed_on_every_form_and_esc_takes_it_back(
    tmp_path: Path, here: Path, typed: str, says: str, size: tuple[int, int]
) -> None:
    async with at_desk(tmp_path / "space", size=size) as desk:
        there = await at(desk, "ls")
        await desk.sees("✓ ready")
        await desk.press("ctrl+t", "ctrl+u")
        await desk.type(typed)
        await desk.sees(says, "esc takes it back", "✗ the folder")
        await desk.press("enter")
        await desk.sees(says, "ctrl+t mends it", "✗ the folder")
        await at(desk, "find")
        there.given.put({"pattern": "*"})
        await desk.sees(says, "✗ the folder")
        await desk.press("ctrl+t", "x", "escape")
        await desk.sees("✓ ready", "runs as you, now")
        assert there.given.machine.text == str(here)
        await desk.select("search")
        await desk.press("r")
        there.given.machine.put("/no/such")
        there.given.put({"query": "x"})
        await desk.sees("✓ ready")


async def test_the_folder_is_not_replaced_by_whoever_comes_with_tab_and_emptied_it_is_the_default(
    tmp_path: Path, here: Path
) -> None:
    async with at_desk(tmp_path / "space", size=(80, 24)) as desk:
        there = await at(desk, "ls")
        await desk.press("escape", "tab", "r")
        assert there.given.machine.has_focus_within
        assert there.given.machine.text == f"{here}r"
        await desk.press("ctrl+u")
        assert there.given.machine.text == ""
        await desk.sees("runs as you, now")
        await desk.press("enter")
        await desk.until(lambda: there.given.machine.text == str(here), "the default is back")


async def test_the_folder_is_that_of_the_settings_until_another_is_typed(tmp_path: Path, here: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        there = await at(desk, "ls")
        assert there.given.machine.text == str(here)
        await allow(desk.harness, tmp_path)
        await desk.until(lambda: there.given.machine.text == str(tmp_path), "it follows the settings")
        there.given.machine.put("/")
        await desk.harness.perform("write", {"address": "~/self", "content": {"workdir": None}})
        await desk.until(lambda: desk.states()["toolbox:ls"] == "○ no workdir", "the settings changed")
        assert there.given.machine.text == "/"


async def test_its_history_is_not_that_of_the_verb_and_runs_again_where_it_ran(tmp_path: Path, here: Path) -> None:
    async with elsewhere(tmp_path / "space") as harness:
        await harness.perform("read", {"address": "~/memory/"})
        await harness.hand("read", {"path": "a.py"}, here)
    async with at_desk(tmp_path / "space") as desk:
        there = await at(desk, "read")
        there.given.machine.put("/")
        await desk.press("f5")
        await desk.sees("1 call of read", str(here), '{"path":"a.py"}')
        await desk.press("enter")
        await desk.sees("✓ ok", f"in {here}"[:12])
        assert drawn(desk)[0] == "1 def a():"
        await desk.press("f5", "a")
        await desk.until(lambda: len(calls(desk)) == 3, "it runs again")
        assert calls(desk)[-1].cwd == str(here) == there.given.machine.text
        await desk.until(lambda: not there.running, "it ended")
        await desk.select("read")
        await desk.press("r", "f5")
        await desk.until(lambda: len(desk.app.query_one(HistoryView).keys) == 1, "the verb's one call")
        await desk.sees("1 call of read", '{"address":"~/memory/"}')


async def test_what_is_called_elsewhere_appears_in_its_history(tmp_path: Path, here: Path) -> None:
    async with at_desk(tmp_path / "space") as desk, elsewhere(tmp_path / "space") as other:
        await at(desk, "ls")
        await desk.press("f5")
        await desk.sees("0 calls of ls")
        await other.hand("ls", {"path": "."}, here)
        await desk.sees("1 call of ls")


async def test_leaving_asks_stops_it_and_logs_its_end(tmp_path: Path, here: Path) -> None:
    async with at_desk(tmp_path / "space") as desk:
        os.mkfifo(here / "never")
        await called(desk, "bash", {"command": "echo begun; echo $$ > pid; cat never"})
        await desk.sees("begun")
        await desk.press("ctrl+q")
        await desk.sees("Still running, and would be cancelled: 1")
        await desk.press("q")
        await desk.until(lambda: desk.app._exit, "it leaves")
    assert not lives((here / "pid").read_text().strip())
    async with elsewhere(tmp_path / "space") as harness:
        (call,) = harness.calls("toolbox:bash")
        assert call.code == "cancelled"

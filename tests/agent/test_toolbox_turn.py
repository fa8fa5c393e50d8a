"""Turns on the toolbox surface: a model that acts on the real machine."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent.answers import calls, model, says
from tests.harness.on_machine import THREAD, asked, on_machine
from tests.harness.play import Play
from workbench import Harness
from workbench.agent.models.model import Answer
from workbench.agent.record import scene_of
from workbench.agent.scene import Act, load
from workbench.agent.turn import TurnEnd, turn
from workbench.harness.log.events import Message, ToolCall, ToolResult
from workbench.harness.space.agent_file import OwnerFolders

CODE = "def mean(numbers):\n    return sum(numbers) / len(number)\n"
TEST = "from stats import mean\n\nassert mean([1, 2, 3]) == 2\nprint('ok')\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A small repository with a test that fails."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "stats.py").write_text(CODE)
    (folder / "test_stats.py").write_text(TEST)
    return folder


@pytest.fixture
async def hands(tmp_path: Path, folders: OwnerFolders, work: Path) -> AsyncIterator[Play]:
    """Acts in that repository, nothing of which asks."""
    async with on_machine(tmp_path / "space", folders, work, bash="allow", write="allow", edit="allow") as acts:
        yield acts


async def play(hands: Play, *answers: Answer, text: str = "Mend the test.") -> TurnEnd:
    return await turn(hands.harness, THREAD, model(*answers), text)


def results(harness: Harness) -> list[str]:
    """What came of each call, in the order of the calls."""
    events = harness.events(THREAD)
    ended = {event.id: event for event in events if isinstance(event, ToolResult)}
    found = [ended[event.id] for event in events if isinstance(event, ToolCall)]
    return [event.error["message"] if event.error else event.output["content"][0]["text"] for event in found]


FIXES: tuple[Answer, ...] = (
    calls(("bash", {"command": f"{sys.executable} test_stats.py"})),
    calls(("grep", {"pattern": "len\\(", "path": "."}), ("read", {"path": "stats.py"})),
    calls(("edit", {"path": "stats.py", "edits": [{"oldText": "len(number)", "newText": "len(numbers)"}]})),
    calls(("bash", {"command": f"{sys.executable} test_stats.py"})),
    says("It was a misspelt name."),
)


async def test_an_agent_mends_a_failing_test(hands: Play, work: Path) -> None:
    end = await play(hands, *FIXES)
    assert (end.reason, end.requests) == ("done", 5)
    fails, found, read, edited, passes = results(hands.harness)
    assert "NameError" in fails
    assert fails.endswith("\n\nCommand exited with code 1")
    assert found == "stats.py:2:     return sum(numbers) / len(number)"
    assert read == CODE
    assert edited == "Successfully replaced 1 block(s) in stats.py."
    assert passes == "ok\n"
    assert (work / "stats.py").read_text() == CODE.replace("len(number)", "len(numbers)")


async def test_the_log_replayed_gives_the_very_requests(
    hands: Play, tmp_path: Path, folders: OwnerFolders, work: Path
) -> None:
    await play(hands, *FIXES)
    sent = hands.harness.requests(THREAD)
    then = [hands.harness.request(THREAD, request.sent.seq) for request in sent]
    async with Harness.open(tmp_path / "space", folders=folders) as again:
        now = again.request(THREAD)
        assert now == hands.harness.request(THREAD)
        for one in then:
            assert (one.system, one.tools) == (now.system, now.tools)
            assert list(one.messages) == list(now.messages[: len(one.messages)])
            assert again.request(THREAD, next(s.sent.seq for s in sent if s.sent.request == one.recorded)) == one


async def test_a_recording_of_it_is_a_scene_of_its_surface(hands: Play, tmp_path: Path) -> None:
    await play(hands, *FIXES)
    (tmp_path / "again.toml").write_text(scene_of(hands.harness.events(THREAD)))
    scene = load(tmp_path / "again.toml")
    assert scene.surface == "toolbox"
    assert [step.act.name for step in scene.steps if isinstance(step.act, Act)][:3] == ["bash", "grep", "read"]


async def test_it_reads_a_long_log_page_by_page(hands: Play, work: Path) -> None:
    (work / "app.log").write_text("".join(f"{number} fine\n" for number in range(1, 3001)))
    end = await play(
        hands,
        calls(("read", {"path": "app.log"})),
        calls(("read", {"path": "app.log", "offset": 2001})),
        says("3,000 lines, all fine."),
    )
    assert end.reason == "done"
    first, second = results(hands.harness)
    assert first.endswith("2000 fine\n\n[Showing lines 1-2000 of 3000. Use offset=2001 to continue.]")
    assert (second.split("\n")[0], second.endswith("3000 fine\n")) == ("2001 fine", True)


async def test_one_sequential_call_makes_its_batch_sequential(hands: Play, work: Path) -> None:
    end = await play(
        hands,
        calls(
            ("write", {"path": "a.txt", "content": "one"}),
            ("edit", {"path": "a.txt", "edits": [{"oldText": "one", "newText": "two"}]}),
            ("read", {"path": "a.txt"}),
            ("bash", {"command": "cat a.txt; rm a.txt"}),
            ("ls", {"path": "."}),
        ),
        says("Done."),
    )
    assert end.reason == "done"
    _, _, read, printed, listed = results(hands.harness)
    assert (read, printed, "a.txt" in listed) == ("two", "two", False)


async def test_an_answer_that_was_cut_runs_nothing(hands: Play, work: Path) -> None:
    cut = calls(("write", {"path": "half", "content": "ha"}), finish="length")
    end = await play(hands, cut, says("I see."))
    assert (end.reason, (work / "half").exists()) == ("done", False)
    told = [event.text for event in hands.harness.events(THREAD) if isinstance(event, Message)]
    assert any("none of its 1 calls were run (write)" in text for text in told)


async def test_an_abort_stops_what_runs_and_says_of_the_rest_that_it_did_not(hands: Play, work: Path) -> None:
    answer = calls(
        ("bash", {"command": "echo begun; echo > begun; read x < /dev/zero; sleep 1000"}),
        ("bash", {"command": "touch second"}),
    )
    notes = hands.harness.subscribe()
    task = asyncio.ensure_future(play(hands, answer))
    while "begun" not in getattr(await anext(notes), "tail", ""):
        pass
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    first, second = results(hands.harness)
    assert (first.startswith("begun\n"), first.endswith("Command aborted")) == (True, True)
    assert ("Nothing of it was done" in second, (work / "second").exists()) == (True, False)


async def test_a_denied_call_is_an_answer_that_the_model_goes_on_from(
    tmp_path: Path, folders: OwnerFolders, work: Path
) -> None:
    async with on_machine(tmp_path / "space", folders, work) as hands:
        with hands.harness.attended():
            answers: tuple[Any, ...] = (calls(("bash", {"command": "rm stats.py"})), says("Then I leave it."))
            task = asyncio.ensure_future(play(hands, *answers))
            (call,) = await asked(hands.harness)
            await hands.harness.approve(call.id, False)
            end = await task
        assert (end.reason, (work / "stats.py").exists()) == ("done", True)
        (refused,) = results(hands.harness)
        assert "said no" in refused

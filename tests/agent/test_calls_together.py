"""The calls of one message: beside each other, or one after the other where one of them says so."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.agent.answers import calls, model, says
from tests.harness.play import Play
from workbench.agent.turn import turn
from workbench.harness.log.events import ToolCall, ToolResult

pytestmark = pytest.mark.sandbox

# Each waits for a file that only the other one writes, so neither can end before both have begun.
MEET = """
import pathlib, time

def main(input):
    pathlib.Path(f"/workspace/{input['mine']}").write_text("here")
    until = time.monotonic() + input["secs"]
    while not pathlib.Path(f"/workspace/{input['other']}").exists():
        if time.monotonic() >= until:
            return "alone"
        time.sleep(0.01)
    return "met"
"""
INPUT = {
    "type": "object",
    "properties": {"mine": {"type": "string"}, "other": {"type": "string"}, "secs": {"type": "number"}},
    "required": ["mine", "other", "secs"],
}


def meet(mine: str, other: str, secs: float) -> tuple[str, Any]:
    return "call", {"tool": "meet", "input": {"mine": mine, "other": other, "secs": secs}}


@pytest.fixture
async def play_with_meet(play: Play) -> Play:
    await play.save("meet", source=MEET, input=INPUT)
    await play.agent("read", {"address": "~/tools/meet"})
    return play


def outputs(play: Play) -> list[Any]:
    return [
        event.output["output"]
        for event in play.harness.events("demo")
        if isinstance(event, ToolResult) and event.error is None and "output" in event.output
    ]


def order(play: Play) -> list[str]:
    """The calls of the turn and their results, as they entered the log."""
    return [
        "call" if isinstance(event, ToolCall) else "result"
        for event in play.harness.events("demo", after=2)
        if isinstance(event, ToolCall | ToolResult)
    ]


async def test_calls_of_one_message_run_beside_each_other(play_with_meet: Play) -> None:
    play = play_with_meet
    together = calls(meet("a", "b", 30), meet("b", "a", 30))
    await turn(play.harness, "demo", model(together, says("Done.")), "go")
    assert outputs(play) == ["met", "met"]
    assert order(play) == ["call", "call", "result", "result"]


async def test_a_sequential_one_among_them_makes_all_wait_their_turn(play_with_meet: Play) -> None:
    play = play_with_meet
    in_turn = calls(
        meet("a", "b", 0), ("write", {"address": "~/memory/c", "content": "c"}), meet("b", "c", 0), meet("d", "e", 0)
    )
    await turn(play.harness, "demo", model(in_turn, says("Done.")), "go")
    assert outputs(play) == ["alone", "met", "alone"], "the third came after the write"
    assert order(play) == ["call"] * 4 + ["result"] * 4
    results = play.harness.request("demo").messages[-2]["results"]
    assert len(results) == 4, "to the provider they are one message all the same"


async def test_results_are_sent_in_the_order_of_the_calls_whenever_they_came(play_with_meet: Play) -> None:
    play = play_with_meet
    # The first waits for the second, so it ends last.
    await turn(play.harness, "demo", model(calls(meet("a", "b", 30), meet("b", "b", 30)), says("Done.")), "go")
    assert outputs(play) == ["met", "met"]
    message = play.harness.request("demo").messages[-3]
    assert [call["input"]["input"]["mine"] for call in message["calls"]] == ["a", "b"]
    assert [one["id"] for one in play.harness.request("demo").messages[-2]["results"]] == [
        call["id"] for call in message["calls"]
    ]


async def test_an_abort_reaches_every_running_call(play_with_meet: Play) -> None:
    play = play_with_meet
    both_run = asyncio.Event()
    notes = play.harness.subscribe()

    async def watch() -> None:
        running: set[str] = set()
        async for note in notes:
            call = getattr(note, "call", None)
            if call is not None:
                running.add(call)
            if len(running) == 2:
                both_run.set()

    watching = asyncio.create_task(watch())
    never = calls(meet("a", "nobody", 60), meet("b", "nobody", 60))
    task = asyncio.create_task(turn(play.harness, "demo", model(never, says("Done.")), "go"))
    await both_run.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    watching.cancel()
    ended = [event.error for event in play.harness.events("demo", after=2) if isinstance(event, ToolResult)]
    assert [error and error["code"] for error in ended] == ["cancelled", "cancelled"]
    assert play.harness.running() == []


async def test_an_abort_among_calls_in_turn_does_not_begin_the_rest_and_says_so(play_with_meet: Play) -> None:
    play = play_with_meet
    runs = asyncio.Event()
    notes = play.harness.subscribe()

    async def watch() -> None:
        async for note in notes:
            if getattr(note, "call", None) is not None:
                runs.set()

    watching = asyncio.create_task(watch())
    in_turn = calls(meet("a", "nobody", 60), ("write", {"address": "~/memory/c", "content": "c"}))
    task = asyncio.create_task(turn(play.harness, "demo", model(in_turn, says("Done.")), "go"))
    await runs.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    watching.cancel()
    results = [event.error for event in play.harness.events("demo", after=2) if isinstance(event, ToolResult)]
    assert [error and error["code"] for error in results] == ["cancelled", "cancelled"]
    assert [error and "Nothing of it was done" in error["message"] for error in results] == [False, True]
    assert not (play.harness.root / "memory" / "c").exists()


async def test_only_so_many_run_at_once(play_with_meet: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may be a sandbox with half a gigabyte of its own."""
    play = play_with_meet
    monkeypatch.setattr("workbench.harness.at_once.AT_ONCE", 2)
    # The first waits for the third, which is not begun before one of the two has ended.
    three = calls(meet("a", "c", 0.3), meet("b", "nobody", 1), meet("c", "a", 0.3))
    await turn(play.harness, "demo", model(three, says("Done.")), "go")
    assert outputs(play) == ["alone", "met", "alone"], "as they ended"

"""A running call: what it makes of the notes that reach the app."""

from __future__ import annotations

from workbench.app.seams import Change
from workbench.app.tools.call.running import RunningCall
from workbench.harness.log.events import ToolCall
from workbench.harness.watch import Progressed


def begun(call: str, message: str) -> ToolCall:
    return ToolCall(
        number=1,
        thread="workshop",
        seq=1,
        time="2026-11-30T15:06:38.123Z",
        actor="user",
        id=call,
        name="call",
        input={},
        message=message,
        process="p",
    )


def test_only_the_notes_of_its_own_call_count() -> None:
    running = RunningCall("el", "message-1", {}, 100.0, 60)
    assert not running.follow(Change(events=(begun("call-2", "message-2"),)))
    assert not running.follow(Change(progress=(Progressed("workshop", "call-2", "running", "other"),)))
    assert running.follow(
        Change(
            events=(begun("call-1", "message-1"),),
            progress=(Progressed("workshop", "call-1", "running", "step 1"),),
        )
    )
    assert (running.stage, running.tail) == ("running", "step 1")
    assert not running.follow(Change(progress=(Progressed("workshop", "call-1", "finishing", "step 1"),)))
    assert running.stage == "finishing"


def test_its_line_says_how_long_it_takes_of_how_long_it_may() -> None:
    running = RunningCall("el", "message-1", {}, 100.0, 60)
    assert str(running.words(112.4)) == "▶ running  12 s of 60 s"
    running.stage = "running"
    assert str(running.words(112.4)) == "▶ running  12 s of 60 s · running"
    running.limit = None
    running.stopping = True
    assert str(running.words(113.0)) == "■ stopping …  13 s"

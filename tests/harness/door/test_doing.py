"""An act whose end cannot be recorded does not run for ever, and a cancelled one is cancelled whatever happens."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.harness.play import Play
from workbench import HarnessError
from workbench.harness.log.events import ToolResult
from workbench.harness.log.payloads import as_json
from workbench.harness.watch import Progressed

SLOW = "import time\ndef main(input):\n    print('on', flush=True)\n    time.sleep(60)\n"


@contextmanager
def no_results(play: Play) -> Iterator[None]:
    """The database takes no result while inside, as a full disk would have it."""
    database = sqlite3.connect(play.harness.root / "space.db", isolation_level=None)
    database.execute(
        "CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.type = 'tool_result' "
        "BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    yield
    database.execute("DROP TRIGGER full")


def results(play: Play) -> list[dict[str, Any]]:
    return [as_json(event) for event in play.harness.events("demo") if event.type == "tool_result"]


async def test_an_act_whose_result_cannot_be_written_is_interrupted_and_settled(play: Play) -> None:
    with no_results(play), pytest.raises(HarnessError):
        await play.agent("read", {"address": "~/self"})
    (left,) = play.harness.running()
    assert left.interrupted
    await play.agent("read", {"address": "~/self"})
    assert play.harness.running() == []
    assert results(play)[0]["error"]["code"] == "interrupted"
    assert results(play)[0]["actor"] == "system"


async def test_what_is_cancelled_before_it_is_an_act_says_that_nothing_ran(play: Play) -> None:
    act = asyncio.create_task(play.owner("read", {"address": "~/self"}))
    # One step: the door looks the input through, away from this thread, before it takes it.
    await asyncio.sleep(0)
    act.cancel()
    with pytest.raises(asyncio.CancelledError) as cut:
        await act
    said = HarnessError.of_cancellation(cut.value)
    assert (said.code, said.thread, said.seq) == ("cancelled", None, None)
    assert "Nothing ran" in said.message
    assert results(play) == []


@pytest.mark.sandbox
async def test_what_a_cancelled_call_printed_is_not_lost(play: Play) -> None:
    source = "import time\n\ndef main(input):\n    print('got this far', flush=True)\n    time.sleep(60)\n"
    await play.save("slow", source=source)
    notes = play.harness.subscribe()
    act = asyncio.create_task(play.harness.perform("call", {"tool": "slow"}, thread="demo"))
    async for note in notes:
        if isinstance(note, Progressed) and "got this far" in note.tail:
            break
    act.cancel()
    with pytest.raises(asyncio.CancelledError):
        await act
    (result,) = [event for event in play.harness.events("demo") if isinstance(event, ToolResult)]
    assert result.error is not None
    assert result.error["message"].endswith("Its last output:\ngot this far\n")


@pytest.mark.sandbox
async def test_a_cancelled_act_is_cancelled_also_when_that_cannot_be_written(play: Play) -> None:
    await play.save("slow", source=SLOW)
    notes = play.harness.subscribe()
    act = asyncio.create_task(play.owner("call", {"tool": "slow"}))
    async for note in notes:
        if isinstance(note, Progressed) and "on" in note.tail:
            break
    with no_results(play):
        act.cancel()
        with pytest.raises(asyncio.CancelledError) as cut:
            await act
    said = HarnessError.of_cancellation(cut.value).message
    assert "what it did until then stays" in said
    assert "could not be recorded" in said
    assert act.cancelled()
    await play.owner("read", {"address": "~/self"})
    assert [result.get("error", {}).get("code") for result in results(play)] == ["interrupted", None]


async def test_a_failed_act_names_the_event_that_recorded_it(play: Play) -> None:
    error = await play.fails("read", {"address": "nowhere"})
    assert (error.code, error.thread, error.seq) == ("bad_input", "demo", 2)
    assert as_json(play.harness.events("demo")[1])["error"] == {"code": "bad_input", "message": error.message}


@pytest.mark.sandbox
async def test_cancelling_leaves_one_cancelled_result_and_nothing_running(play: Play) -> None:
    await play.save("slow", source="import time\ndef main(input):\n    print('on', flush=True)\n    time.sleep(60)\n")
    notes = play.harness.subscribe()
    act = asyncio.create_task(play.owner("call", {"tool": "slow"}))
    async for note in notes:
        if isinstance(note, Progressed) and "on" in note.tail:
            break
    assert [run.call.name for run in play.harness.running()] == ["call"]
    act.cancel()
    with pytest.raises(asyncio.CancelledError):
        await act
    results = [as_json(event) for event in play.harness.events("demo") if event.type == "tool_result"]
    assert [result["error"]["code"] for result in results] == ["cancelled"]
    assert play.harness.running() == []

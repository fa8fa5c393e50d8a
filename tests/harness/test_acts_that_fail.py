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
from workbench.harness.space.memory import MAX_FILE_BYTES
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


def deep(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize("direct", [True, False])
async def test_an_input_may_be_as_deep_as_it_may_be_by_either_way(play: Play, direct: bool) -> None:
    def act(levels: int) -> tuple[str, Any]:
        return ("zzz", deep(levels)) if direct else ("call", {"tool": "zzz", "input": deep(levels)})

    assert (await play.agent(*act(128)))["status"] == "no_such_tool"
    with pytest.raises(HarnessError) as refused:
        await play.agent(*act(129))
    assert (refused.value.code, refused.value.seq) == ("limit", None)


async def test_a_document_may_be_as_deep_as_text_and_as_an_object(play: Play) -> None:
    # The content is level 1 and its input level 2.
    content = {"description": "D.", "source": "x", "input": {"default": deep(126)}}
    assert (await play.owner("write", {"address": "~/tools/deep", "content": content}))["status"] == "saved"
    too_deep = content | {"input": {"default": deep(127)}}
    assert (await play.fails("write", {"address": "~/tools/deep", "content": too_deep})).code == "limit"


async def test_content_is_allowed_at_its_limit_and_refused_one_byte_over(play: Play) -> None:
    act = {"address": "~/memory/x", "content": "é" * (MAX_FILE_BYTES // 2)}
    assert (await play.owner("write", act))["status"] == "saved"
    before = len(play.harness.events("demo"))
    refused = await play.fails("write", act | {"content": act["content"] + "x"})
    assert (refused.code, refused.seq) == ("limit", None)
    assert str(MAX_FILE_BYTES) in refused.message
    assert str(MAX_FILE_BYTES + 1) in refused.message
    assert len(play.harness.events("demo")) == before


async def test_a_whole_number_may_be_written_with_a_point(play: Play) -> None:
    answer = await play.owner("call", {"tool": "search", "input": {"query": "el", "limit": 5.0}})
    assert answer["status"] == "ok"


async def test_a_thread_has_one_live_run(play: Play, folders: Any) -> None:
    from workbench import Harness

    run = await play.harness.start_run("demo")
    async with Harness.open(play.harness.root, folders=folders) as other:
        with pytest.raises(HarnessError) as busy:
            await other.start_run("demo")
        assert busy.value.code == "conflict"
        await play.harness.end_run("demo", run, reason="done")
        theirs = await other.start_run("demo")
    # Its process is gone: the run is no longer live, though nothing ended it.
    assert await play.harness.start_run("demo") != theirs
    with pytest.raises(HarnessError):
        await play.harness.end_run("demo", run)


async def test_a_call_that_ended_after_the_moment_is_not_called_running(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    for request in (play.harness.request("demo", at=1),):
        assert "ended after this moment" in request.messages[1]["results"][0]["text"]
    await play.harness.fork("demo", 1, "other")
    assert "ended after this moment" in play.harness.request("other").messages[1]["results"][0]["text"]


async def test_a_thread_keeps_the_surface_that_it_began_with(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    first, second = play.harness.events("demo")
    assert (first.surface, second.surface) == ("verbs", None)
    assert as_json(first)["surface"] == "verbs"


async def test_looking_at_memory_gives_no_way_to_change_it(play: Play) -> None:
    assert not hasattr(play.harness.memory, "write")
    assert not hasattr(play.harness.memory, "delete")

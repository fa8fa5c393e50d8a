"""What calls without a result do: they act, ask the owner, or wait their turn; and since when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.harness.on_machine import asked, on_machine
from workbench import Harness
from workbench.harness.at_once import AT_ONCE
from workbench.harness.log.events import Approval, ToolCall, ToolResult
from workbench.harness.log.log import Outcome
from workbench.harness.space.agent_file import OwnerFolders

THREAD = "hands"
EDIT = ("edit", {"path": "a", "edits": [{"oldText": "1", "newText": "2"}]})
WRITE = ("write", {"path": "b", "content": "1"})
BASH = ("bash", {"command": "true"})
READ = ("read", {"path": "a"})


@asynccontextmanager
async def answer(
    tmp_path: Path, folders: OwnerFolders, calls: Sequence[tuple[str, Any]], **approvals: Any
) -> AsyncIterator[Harness]:
    """An answer with these calls is acted on, and the owner can be asked, while this lasts."""
    async with on_machine(tmp_path / "space", folders, tmp_path / "work", **approvals) as hands:
        (tmp_path / "work" / "a").write_text("1")
        harness = hands.harness
        run = await harness.start_run(THREAD)
        sent = await harness.send(THREAD, run, "scripted:x", harness.request(THREAD))
        with harness.attended():
            task = asyncio.ensure_future(harness.answered(sent, Outcome("calls"), None, calls))
            try:
                yield harness
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


def told(harness: Harness) -> list[tuple[str, str]]:
    """Every open call by its name, and what it does."""
    return [(each.call.name, each.does) for each in harness.running()]


def since(harness: Harness) -> list[tuple[str, str]]:
    """What every open call does, and since when."""
    return [(each.does, each.since) for each in harness.running()]


async def test_behind_a_call_that_asks_the_others_of_its_message_wait_their_turn(
    tmp_path: Path, folders: OwnerFolders
) -> None:
    async with answer(tmp_path, folders, [BASH, EDIT, READ, WRITE]) as harness:
        (first,) = await asked(harness)
        assert told(harness) == [("bash", "asks"), ("edit", "waits"), ("read", "waits"), ("write", "waits")]
        await harness.approve(first.id, True)
        (second,) = await asked(harness)
        assert told(harness) == [("edit", "asks"), ("read", "waits"), ("write", "waits")]
        await harness.approve(second.id, False)
        (third,) = await asked(harness)
        assert (third.tool, told(harness)) == ("write", [("write", "asks")])


async def test_a_call_acts_since_the_yes_and_asks_since_the_question(tmp_path: Path, folders: OwnerFolders) -> None:
    async with answer(tmp_path, folders, [("bash", {"command": "sleep 600"}), WRITE]) as harness:
        (call,) = await asked(harness)
        question = next(event for event in harness.events(THREAD) if isinstance(event, Approval))
        assert since(harness)[0] == ("asks", question.time)
        await harness.approve(call.id, True)
        yes = next(event for event in harness.events(THREAD) if isinstance(event, Approval) and event.approved)
        assert since(harness)[0] == ("acts", yes.time)
        assert told(harness)[1] == ("write", "waits")
        async with Harness.open(tmp_path / "space", folders=folders) as other:
            assert told(other) == told(harness), "another process reads the same out of the log"


async def test_what_asks_nobody_acts_since_the_one_before_it_ended(tmp_path: Path, folders: OwnerFolders) -> None:
    calls = [BASH, ("bash", {"command": "sleep 600"}), WRITE]
    async with answer(tmp_path, folders, calls, bash="allow") as harness:
        notes = harness.subscribe()
        while not (ends := [event for event in harness.events(THREAD) if isinstance(event, ToolResult)]):
            await anext(notes)
        notes.close()
        assert since(harness)[0] == ("acts", ends[0].time)
        assert told(harness) == [("bash", "acts"), ("write", "waits")]


@pytest.mark.parametrize("many", [2, AT_ONCE, AT_ONCE + 3])
async def test_calls_beside_each_other_act_at_once_as_many_as_may(
    tmp_path: Path, folders: OwnerFolders, many: int
) -> None:
    async with answer(tmp_path, folders, [READ] * many, read="ask") as harness:
        await asked(harness, min(many, AT_ONCE))
        assert [does for _, does in told(harness)] == ["asks"] * min(many, AT_ONCE) + ["waits"] * (many - AT_ONCE)


async def test_calls_that_were_made_one_by_one_wait_for_none(tmp_path: Path, folders: OwnerFolders) -> None:
    async with on_machine(tmp_path / "space", folders, tmp_path / "work", bash="ask") as hands:
        harness = hands.harness
        with harness.attended():
            acts = [asyncio.ensure_future(harness.perform(*BASH, "agent", THREAD, "one-message")) for _ in range(2)]
            calls = await asked(harness, 2)
            await harness.approve(calls[1].id, False)
            await asyncio.wait(acts, return_when=asyncio.FIRST_COMPLETED)
            assert told(harness) == [("bash", "asks")]
            for act in acts:
                act.cancel()
            await asyncio.gather(*acts, return_exceptions=True)


async def test_what_the_owner_does_acts_at_once(tmp_path: Path, folders: OwnerFolders) -> None:
    async with on_machine(tmp_path / "space", folders, tmp_path / "work") as hands:
        harness = hands.harness
        act = asyncio.ensure_future(harness.perform("bash", {"command": "sleep 600"}, "user", THREAD))
        notes = harness.subscribe()
        while not harness.running():
            await anext(notes)
        notes.close()
        call = next(event for event in harness.events(THREAD) if isinstance(event, ToolCall))
        assert since(harness) == [("acts", call.time)]
        act.cancel()
        await asyncio.gather(act, return_exceptions=True)

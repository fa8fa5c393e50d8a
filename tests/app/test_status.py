"""What the status line says of the real machine, and of calls that ask."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.app.desk import at_desk, elsewhere
from tests.harness.on_machine import allow
from workbench.app.status import Facts, Machine, RunningCall, fit, line_parts
from workbench.app.talk import Spent, Talk
from workbench.harness.errors import HarnessError

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FACTS = Facts(
    "agent", "openai:m", "main", 393, 2048, "full", 5, (), 0, (), 0, 0, False, machine=Machine("~/project"), offered=7
)
BUSY = replace(
    FACTS,
    agent="an-agent-with-a-long-name",
    model="openai:a-model-with-a-long-name",
    thread="a-thread-with-a-long-name",
    running=(RunningCall("c", "bash", "main", "2026-11-30T11:59:00.000Z"),),
    faults=2,
    asks=1,
    waiting=3,
    unreadable=1,
    readonly=True,
    widened=("network", "processes"),
    talk=Talk("openai:m", doing="answering 12 s", spent=Spent(12_345, 1.5)),
)


def line(facts: Facts, width: int) -> str:
    return fit(line_parts(facts, None, NOW), width).plain


def test_a_thread_of_the_toolbox_says_the_real_machine_and_where_in_place_of_the_index() -> None:
    said = line(FACTS, 120)
    assert said.startswith(" REAL MACHINE ~/project ")
    assert "7 tools" in said
    assert "index" not in said
    assert "verbs" not in said


def test_a_thread_of_the_verbs_says_nothing_of_it() -> None:
    said = line(replace(FACTS, machine=None), 120)
    assert "REAL MACHINE" not in said
    assert "5 verbs + 0 promoted" in said


@pytest.mark.parametrize("facts", [FACTS, BUSY])
def test_at_80_columns_the_words_and_the_folder_are_whole_whatever_else_there_is(facts: Facts) -> None:
    assert " REAL MACHINE ~/project " in line(facts, 78)


@pytest.mark.parametrize("width", range(14, 78))
def test_the_words_stay_in_every_width(width: int) -> None:
    deep = replace(BUSY, machine=Machine("~/one/two/three/four/five/six/seven/eight/nine/ten/eleven"))
    assert line(deep, width).startswith(" REAL MACHINE")


def test_of_a_deep_folder_the_end_is_shown() -> None:
    said = line(replace(FACTS, machine=Machine("~/" + "deep/" * 20 + "project")), 78)
    assert said.startswith(" REAL MACHINE …")
    assert "/project " in said


def test_where_the_owner_does_not_allow_it_now_that_is_said() -> None:
    assert line(replace(FACTS, machine=Machine(None), offered=0), 120).startswith(" REAL MACHINE, not allowed now ")


def test_calls_that_ask_are_counted() -> None:
    assert "1 asks for your yes" in line(replace(FACTS, asks=1), 120)
    assert "2 ask for your yes" in line(replace(FACTS, asks=2), 120)
    assert "1 asks" in line(BUSY, 78)


async def test_the_line_follows_the_settings_and_the_thread(tmp_path: Path) -> None:
    async with elsewhere(tmp_path / "space") as harness:
        await harness.perform("read", {"address": "~/memory/"}, "agent", "of-verbs")
    async with at_desk(tmp_path / "space", thread="of-verbs") as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"surface": "toolbox", "workdir": "/srv"}})
        await desk.until(lambda: "2 waiting" in desk.status, "both wait for a yes")
        assert "REAL MACHINE" not in desk.status
        await allow(desk.harness, tmp_path)
        await desk.until(lambda: "waiting" not in desk.status, "both have their yes")
        assert "REAL MACHINE" not in desk.status, "the thread is of the verbs"
        desk.app.set_thread("of-the-machine")
        await desk.until(lambda: "REAL MACHINE" in desk.status and "7 tools" in desk.status, "a new thread is not")
        await desk.harness.perform("write", {"address": "~/self", "content": {"surface": "verbs"}})
        await desk.until(lambda: "REAL MACHINE" not in desk.status, "it did not begin, and now begins with the verbs")


async def test_a_call_that_asks_is_counted_until_it_is_answered(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", thread="hands") as desk:
        await allow(desk.harness, tmp_path)
        act = desk.harness.perform("write", {"path": "a.txt", "content": "a"}, "agent", "hands")
        task = asyncio.create_task(act)
        await desk.until(lambda: "1 asks" in desk.status, "it asks")
        (asked,) = desk.harness.asked()
        await desk.harness.approve(asked.id, False)
        with pytest.raises(HarnessError):
            await task
        await desk.until(lambda: "1 asks" not in desk.status, "it was answered")

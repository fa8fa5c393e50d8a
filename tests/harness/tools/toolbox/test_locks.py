"""Whose turn it is: one at a time for a file, in order, and given up only when the work on it is over."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox import locks
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.locks import Turns, carried_out, in_turn


@pytest.fixture(autouse=True)
def _nothing_is_left() -> object:
    """After each test nobody stands in any queue."""
    yield
    assert len(locks._FILES) == 0
    assert len(locks._ARRIVALS) == 0


async def several(rounds: int = 20) -> None:
    """Let the other tasks go on."""
    for _ in range(rounds):
        await asyncio.sleep(0)


async def test_one_after_the_other_in_the_order_in_which_they_asked(tmp_path: Path) -> None:
    order: list[str] = []

    async def change(number: int) -> None:
        async with in_turn(tmp_path / "file", Signal()):
            order.append(f"{number} begins")
            await several()
            order.append(f"{number} ends")

    await asyncio.gather(*(change(number) for number in range(5)))
    assert order == [f"{number} {what}" for number in range(5) for what in ("begins", "ends")]


async def test_different_files_at_the_same_time(tmp_path: Path) -> None:
    both = asyncio.Barrier(2)

    async def change(name: str) -> None:
        async with in_turn(tmp_path / name, Signal()):
            await both.wait()

    await asyncio.wait_for(asyncio.gather(change("a"), change("b")), 10)


@pytest.mark.parametrize("alias", ["link", "folder/../link", "linked folder/file", "hard"])
async def test_every_name_of_a_file_is_the_same_file(tmp_path: Path, alias: str) -> None:
    real = tmp_path / "folder" / "file"
    real.parent.mkdir()
    real.write_text("x")
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "linked folder").symlink_to(real.parent)
    os.link(real, tmp_path / "hard")
    inside = 0

    async def change(path: Path) -> None:
        nonlocal inside
        async with in_turn(path, Signal()):
            inside += 1
            assert inside == 1
            await several()
            inside -= 1

    await asyncio.gather(change(real), change(tmp_path / alias), change(real))


async def test_the_block_is_given_where_the_path_leads(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "not there yet"
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/not there yet")
    async with in_turn(tmp_path / "link", Signal()) as way:
        assert (way.real.name, way.real.parent.samefile(target.parent)) == (target.name, True)


def test_event_loops_in_different_threads_share_the_queues(tmp_path: Path) -> None:
    count = 0

    async def add() -> None:
        nonlocal count
        for _ in range(20):
            async with in_turn(tmp_path / "counter", Signal()):
                before = count
                await several(3)
                count = before + 1

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(asyncio.run, add()) for _ in range(4)]:
            done.result(30)
    assert count == 80


async def test_whoever_waits_stops_waiting_when_the_call_is_aborted(tmp_path: Path) -> None:
    signal = Signal()

    async def change() -> None:
        async with in_turn(tmp_path / "file", signal):
            raise AssertionError("it is not its turn")

    async with in_turn(tmp_path / "file", Signal()):
        waiting = asyncio.create_task(change())
        await several(3)
        signal.abort()
        with pytest.raises(HarnessError, match="Operation aborted"):
            await waiting
    async with in_turn(tmp_path / "file", Signal()):
        pass


async def test_one_that_is_cancelled_while_it_waits_is_passed_over() -> None:
    turns = Turns()
    got: list[str] = []

    async def change(name: str) -> None:
        async with turns.turn("file", Signal()):
            got.append(name)

    first = turns.join("file")
    tasks = [asyncio.create_task(change(name)) for name in ("a", "b", "c")]
    await several()
    tasks[0].cancel()
    tasks[1].cancel()
    turns.leave("file", first)
    await asyncio.wait(tasks)
    assert got == ["c"]
    assert len(turns) == 0


async def test_a_cancelled_task_keeps_its_turn_until_the_work_in_flight_is_over(tmp_path: Path) -> None:
    """Trap 11."""
    begun, go_on = threading.Event(), threading.Event()
    order: list[str] = []

    def slow(own: Signal) -> None:
        begun.set()
        go_on.wait(10)
        order.append(f"over, told to stop: {own.aborted}")

    async def first() -> None:
        async with in_turn(tmp_path / "file", Signal()):
            await carried_out(slow, Signal())

    async def second() -> None:
        async with in_turn(tmp_path / "file", Signal()):
            order.append("second")

    one = asyncio.create_task(first())
    await asyncio.to_thread(begun.wait, 10)
    two = asyncio.create_task(second())
    for _ in range(3):
        one.cancel()
        await several()
    assert order == []
    assert not one.done()
    go_on.set()
    await two
    with pytest.raises(asyncio.CancelledError):
        await one
    assert order == ["over, told to stop: True", "second"]


def test_an_event_loop_that_ends_waits_for_the_work_in_flight() -> None:
    begun, stop = threading.Event(), threading.Event()
    order: list[str] = []

    def slow(own: Signal) -> None:
        own.on_abort(stop.set)
        begun.set()
        stop.wait(10)
        order.append("over")

    async def change() -> None:
        try:
            await carried_out(slow, Signal())
        finally:
            order.append("given up")

    async def leave() -> None:
        task = asyncio.create_task(change())
        await asyncio.to_thread(begun.wait, 10)
        assert not task.done()

    asyncio.run(leave())
    assert order == ["over", "given up"]


async def test_work_is_told_of_an_abort_and_fails_as_it_likes() -> None:
    signal = Signal()

    def work(own: Signal) -> None:
        signal.abort()
        own.check()

    with pytest.raises(HarnessError, match="Operation aborted"):
        await carried_out(work, signal)

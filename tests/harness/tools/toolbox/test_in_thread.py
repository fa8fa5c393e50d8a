"""File work in a thread, and how it ends."""

from __future__ import annotations

import asyncio
import threading

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.in_thread import Check, in_thread


async def test_it_gives_what_the_work_gives_and_fails_as_the_work_fails() -> None:
    assert await in_thread(Signal(), lambda check: threading.current_thread().name) != threading.current_thread().name

    def failing(check: Check) -> None:
        raise HarnessError("not_found", "none")

    with pytest.raises(HarnessError, match="none"):
        await in_thread(Signal(), failing)


async def test_work_is_not_begun_for_an_aborted_call() -> None:
    signal = Signal()
    signal.abort()
    begun: list[int] = []
    with pytest.raises(HarnessError, match="Operation aborted"):
        await in_thread(signal, lambda check: begun.append(1))
    assert begun == []


class Hanging:
    """Work that hangs in a step until it is let go, as a file of a server that is down does."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.let_go = threading.Event()
        self.ended = threading.Event()
        self.stopped = False

    def __call__(self, check: Check) -> None:
        self.begun.set()
        self.let_go.wait(10)
        try:
            check()
        except HarnessError:
            self.stopped = True
        self.ended.set()


async def test_an_abort_ends_it_at_once_though_a_step_hangs() -> None:
    work, signal = Hanging(), Signal()
    task = asyncio.ensure_future(in_thread(signal, work))
    assert await asyncio.to_thread(work.begun.wait, 10)
    signal.abort()
    with pytest.raises(HarnessError, match="Operation aborted"):
        await task
    assert not work.ended.is_set()
    work.let_go.set()
    assert await asyncio.to_thread(work.ended.wait, 10)
    assert work.stopped


async def test_a_cancelled_task_stops_the_work_at_its_next_step() -> None:
    work = Hanging()
    task = asyncio.ensure_future(in_thread(Signal(), work))
    assert await asyncio.to_thread(work.begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    work.let_go.set()
    assert await asyncio.to_thread(work.ended.wait, 10)
    assert work.stopped


async def test_an_abort_after_the_end_does_nothing() -> None:
    signal = Signal()
    assert await in_thread(signal, lambda check: 1) == 1
    signal.abort()

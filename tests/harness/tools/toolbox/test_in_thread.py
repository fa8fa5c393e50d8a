"""File work in a thread, and how it ends."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
from collections.abc import Callable

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


async def test_work_that_begins_before_anybody_heeds_the_signal_heeds_it_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    signal, ended = Signal(), threading.Event()
    heed = signal.on_abort

    def late(callback: Callable[[], None]) -> Callable[[], None]:
        assert ended.wait(10)
        return heed(callback)

    def work(check: Check) -> None:
        signal.abort()
        try:
            check()
        finally:
            ended.set()

    monkeypatch.setattr(signal, "on_abort", late)
    with pytest.raises(HarnessError, match="Operation aborted"):
        await in_thread(signal, work)


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


async def test_any_number_of_hanging_steps_stops_nothing_else() -> None:
    """Neither more work of this kind, nor what others do in the threads that asyncio shares out."""
    hanging = [Hanging() for _ in range(40)]
    tasks = [asyncio.ensure_future(in_thread(Signal(), work)) for work in hanging]
    for work in hanging:
        assert await asyncio.to_thread(work.begun.wait, 10)
    assert await asyncio.wait_for(in_thread(Signal(), lambda check: 1), 10) == 1
    assert await asyncio.wait_for(asyncio.to_thread(lambda: 2), 10) == 2
    for work in hanging:
        work.let_go.set()
    await asyncio.gather(*tasks)


HANGING = """
import asyncio, threading
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.in_thread import in_thread

begun = threading.Event()

def hang(check):
    begun.set()
    threading.Event().wait()

async def leave():
    task = asyncio.ensure_future(in_thread(Signal(), hang))
    await asyncio.to_thread(begun.wait)
    print("leaving")

asyncio.run(leave())
"""


def test_a_hanging_step_holds_up_the_end_neither_of_the_loop_nor_of_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "leaving\n", "")


async def test_work_sees_what_its_caller_has_set() -> None:
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")
    name.set("mine")
    assert await in_thread(Signal(), lambda check: name.get()) == "mine"


def test_work_that_ends_after_its_loop_is_dropped_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    work = Hanging()

    async def leave() -> None:
        asyncio.ensure_future(in_thread(Signal(), work)).add_done_callback(lambda task: None)
        assert await asyncio.to_thread(work.begun.wait, 10)

    before = set(threading.enumerate())
    asyncio.run(leave())
    (thread,) = [thread for thread in threading.enumerate() if thread not in before]
    work.let_go.set()
    thread.join(10)
    assert not thread.is_alive()
    assert capfd.readouterr() == ("", "")

"""Opening a Space for one command, and ending in order when a signal comes meanwhile."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.harness.door.doing import Done
    from workbench.harness.harness import Harness

T = TypeVar("T")

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that cancel what runs, so that its one result still enters the log."""

NOT_ENDED = "Cancelled before it ended."
"""What is said where no act was cancelled: opening a Space, a look at one."""


class Interrupted(HarnessError):
    """A signal ended the command. `exit_code` is the shell's for that signal, 130 for Ctrl-C."""

    def __init__(self, signum: int, words: str, thread: str | None = None, seq: int | None = None) -> None:
        super().__init__("cancelled", words)
        self.exit_code = 128 + signum
        self.thread, self.seq = thread, seq


class _Signals:
    """Turns the first signal into a cancellation. Later ones are ignored: the cancelling is under way."""

    def __init__(self) -> None:
        self.first: int | None = None

    def catch(self, task: asyncio.Task[Any]) -> None:
        loop = asyncio.get_running_loop()
        for signum in ENDING:
            loop.add_signal_handler(signum, self._came, signum, task)

    def _came(self, signum: int, task: asyncio.Task[Any]) -> None:
        if self.first is None:
            self.first = signum
            task.cancel()


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run something to its end, or to the first signal.

    Raises:
        Interrupted: a signal came before it had an answer.
        HarnessError: as the work failed.
    """
    signals = _Signals()
    answers: list[T] = []

    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        signals.catch(task)
        answers.append(await work())

    try:
        asyncio.run(main())
    except asyncio.CancelledError:
        # A signal that comes when the answer is there takes nothing back.
        if not answers:
            raise Interrupted(signals.first or signal.SIGINT, NOT_ENDED) from None
    except _Cancelled as cut:
        act = cut.act
        raise Interrupted(signals.first or signal.SIGINT, act.message, act.thread, act.seq) from None
    return answers[0]


def with_harness(root: Path, work: Callable[[Harness], Awaitable[T]]) -> T:
    """Open a Space, do one thing with it, close it. Raises as `run` does."""

    async def opened() -> T:
        from workbench.harness.harness import Harness

        async with Harness.open(root) as harness:
            return await work(harness)

    return run(opened)


def look(root: Path, query: Callable[[Harness], T]) -> T:
    """Open a Space and ask it one thing."""

    async def asked(harness: Harness) -> T:
        return query(harness)

    return with_harness(root, asked)


async def act(
    harness: Harness, name: str, input: Any, actor: str = "user", thread: str | None = None, message: str | None = None
) -> Done:
    """Do an act; when a signal cancels it, the failure says which event recorded that."""
    return await acting(harness.perform(name, input, actor, thread, message))


async def acting(work: Awaitable[Done]) -> Done:
    """Wait for an act; when a signal cancels it, the failure says which event recorded that."""
    try:
        return await work
    except asyncio.CancelledError as cut:
        raise _Cancelled(HarnessError.of_cancellation(cut)) from None


class _Cancelled(Exception):
    """An act of ours was cancelled; `act` says what became of it."""

    def __init__(self, act: HarnessError) -> None:
        super().__init__()
        self.act = act

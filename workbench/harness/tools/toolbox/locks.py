"""Whose turn it is to change a file: one at a time for each file, in the order in which they asked."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, InvalidStateError
from pathlib import Path
from typing import TypeVar

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import ABORTED, Signal
from workbench.harness.tools.toolbox.links import Way, way_of

T = TypeVar("T")

_Ticket = Future[None]


class Turns:
    """Queues by key, for tasks of any event loop of this process. A queue that nobody stands in does not exist."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[str, deque[_Ticket]] = {}

    def __len__(self) -> int:
        """How many keys somebody has the turn of."""
        return len(self._queues)

    def join(self, key: str) -> _Ticket:
        """Stand in a queue now. The ticket is done when the turn has come; it is given back to `leave` in any case."""
        ticket: _Ticket = Future()
        with self._lock:
            queue = self._queues.setdefault(key, deque())
            queue.append(ticket)
            if queue[0] is ticket:
                _call(ticket)
        return ticket

    def leave(self, key: str, ticket: _Ticket) -> None:
        """Give the turn to the next, or stop waiting for it."""
        with self._lock:
            queue = self._queues[key]
            had_the_turn = queue[0] is ticket
            queue.remove(ticket)
            if not queue:
                del self._queues[key]
            elif had_the_turn:
                # One that gave up waiting and has not left yet passes the turn on when it does.
                _call(queue[0])

    @contextlib.asynccontextmanager
    async def turn(self, key: str, signal: Signal, ticket: _Ticket | None = None) -> AsyncGenerator[None]:
        """Wait for the turn and have it for the length of the block; `ticket` where the queue was joined before.

        Raises:
            HarnessError: `cancelled` as soon as the signal says so, while it waits.
        """
        ticket = ticket or self.join(key)
        forget = signal.on_abort(lambda: _dismiss(ticket))
        try:
            await asyncio.wrap_future(ticket)
            forget()
            yield
        finally:
            forget()
            self.leave(key, ticket)


_FILES = Turns()
_ARRIVALS = Turns()


@contextlib.asynccontextmanager
async def in_turn(path: Path, signal: Signal) -> AsyncGenerator[Way]:
    """Have a file to oneself among the tools of this process; the block is given where the path leads.

    Two paths that lead to one file share a queue: over links, and as hard links. The order is that in which this was
    entered, although links are resolved away from the event loop.

    Raises:
        HarnessError: `cancelled` as soon as the signal says so, while it waits.
        OSError: where the system does not follow the path.
    """
    async with _ARRIVALS.turn("", signal):
        way, key = await carried_out(lambda _: _followed(path), signal)
        ticket = _FILES.join(key)
    async with _FILES.turn(key, signal, ticket):
        yield way


async def carried_out(work: Callable[[Signal], T], signal: Signal) -> T:
    """Do work in a thread. A cancelled task waits until the work is over: only then is what it holds given up.

    The work is handed a signal of its own, which says that the call was aborted or its task cancelled, so that it can
    stop before its next step.
    """
    own = Signal()
    forget = signal.on_abort(own.abort)
    # A future of the executor, not a task: an event loop that ends cancels every task, and the thread would go on.
    running = asyncio.get_running_loop().run_in_executor(None, work, own)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        own.abort()
        while not running.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([running])
        running.exception()
        raise
    finally:
        forget()


def _call(ticket: _Ticket) -> None:
    with contextlib.suppress(InvalidStateError):
        ticket.set_result(None)


def _dismiss(ticket: _Ticket) -> None:
    with contextlib.suppress(InvalidStateError):
        ticket.set_exception(HarnessError("cancelled", ABORTED))


def _followed(path: Path) -> tuple[Way, str]:
    way = way_of(path)
    with contextlib.suppress(OSError):
        found = os.stat(way.real, follow_symlinks=False)
        if found.st_nlink > 1:
            return way, f"{found.st_dev}:{found.st_ino}"
    return way, str(way.real)

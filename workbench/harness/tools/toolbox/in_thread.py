"""Work beside the event loop: it stops between two steps, and its caller never waits for a step that hangs.

Each piece of work has a thread of its own. Those that asyncio shares out are few: files on a disk that is gone would
hold all of them, and then nothing that is done beside the loop would go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import ABORTED, Signal

T = TypeVar("T")

Check = Callable[[], None]
"""Raises HarnessError `cancelled` once the work is no longer wanted. Called between two steps of it."""


async def in_thread(signal: Signal, work: Callable[[Check], T]) -> T:
    """Do it in a thread and give what it gives.

    When the call is aborted, or its task cancelled, this ends at once. The thread ends with its current step, and
    closes what it has open; what it still gives is dropped.

    Raises:
        HarnessError: `cancelled` for an aborted call; as the work fails.
    """
    signal.check()
    unwanted = Signal()

    def check() -> None:
        # The thread may be quicker than whoever hands an abort on to it.
        signal.check()
        unwanted.check()

    working = beside(lambda: work(check))
    try:
        await done_or_aborted(working, signal, unwanted.abort)
        if not working.done():
            raise HarnessError("cancelled", ABORTED)
        return working.result()
    finally:
        unwanted.abort()


def beside(work: Callable[[], T]) -> asyncio.Future[T]:
    """Begin work in a thread of its own: what it will give, on the event loop that runs here.

    The thread holds up neither the end of the loop nor that of the process. A failure that nobody asks for is not
    reported.
    """
    loop = asyncio.get_running_loop()
    given: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            settle = partial(given.set_result, context.run(work))
        except BaseException as error:
            settle = partial(given.set_exception, error)
        # A loop that has ended wants nothing any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(lambda: given.done() or settle())

    given.add_done_callback(_notice)
    threading.Thread(target=run, name="toolbox", daemon=True).start()
    return given


async def done_or_aborted(working: asyncio.Future[T], signal: Signal, stop: Callable[[], object]) -> None:
    """Wait until the work is done or the call is aborted, whichever comes first; an abort calls `stop` at once."""
    loop = asyncio.get_running_loop()
    aborted: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not aborted.done():
            aborted.set_result(None)

    def abort() -> None:
        stop()
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(tell)

    forget = signal.on_abort(abort)
    try:
        await asyncio.wait((working, aborted), return_when=asyncio.FIRST_COMPLETED)
    finally:
        forget()
        aborted.cancel()


def _notice(given: asyncio.Future[T]) -> None:
    """Take notice of how work ended that nobody waits for, so that asyncio does not report it."""
    if not given.cancelled():
        given.exception()

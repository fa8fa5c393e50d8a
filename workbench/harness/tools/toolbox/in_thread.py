"""File work beside the event loop: it stops between two steps, and its caller never waits for a step that hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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
    loop = asyncio.get_running_loop()
    unwanted = Signal()
    aborted = loop.create_future()

    def tell() -> None:
        if not aborted.done():
            aborted.set_result(None)

    def abort() -> None:
        unwanted.abort()
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell)

    forget = signal.on_abort(abort)
    task = asyncio.ensure_future(asyncio.to_thread(work, unwanted.check))
    try:
        await asyncio.wait((task, aborted), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise HarnessError("cancelled", ABORTED)
        return task.result()
    finally:
        forget()
        unwanted.abort()
        aborted.cancel()
        task.add_done_callback(_drop)


def _drop(task: asyncio.Future[T]) -> None:
    """Take notice of how work ended that nobody waits for, so that asyncio does not report it."""
    if not task.cancelled():
        task.exception()

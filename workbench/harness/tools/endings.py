"""Ends that are waited for: what was started is over before anybody goes on, and a cancellation is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


async def to_the_end(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Await `work` even if the caller is cancelled meanwhile, once or more; then the cancellation goes on."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    return task.result()


async def dismiss(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel the tasks that there are and wait until they have ended, however they do.

    What comes of them is of no interest any more. A cancellation of the caller is: it goes on.
    """
    there = [task for task in tasks if task is not None]
    for task in there:
        task.cancel()
    await to_the_end(_ended(there))


async def _ended(tasks: Iterable[asyncio.Future[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)

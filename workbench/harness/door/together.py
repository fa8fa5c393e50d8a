"""The calls of one message, done beside each other or in turn; whatever ends them, each has its result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping

from workbench.harness.door.doing import Doing, Done
from workbench.harness.errors import HarnessError
from workbench.harness.verbs.act import Act


async def in_turn(acts: Mapping[int, Act], doing: Doing) -> dict[int, Done | HarnessError]:
    """Do acts one after the other: what came of each, at its place. Cancelled, those not begun are recorded so."""
    ended: dict[int, Done | HarnessError] = {}
    try:
        for place, act in acts.items():
            ended[place] = await _outcome(doing.finish(act))
    except asyncio.CancelledError:
        doing.not_run(act for place, act in acts.items() if place not in ended)
        raise
    return ended


async def beside(acts: Mapping[int, Act], doing: Doing, most: int) -> dict[int, Done | HarnessError]:
    """Do acts beside each other, so many at once: what came of each, at its place.

    Cancelled, all of them are, each with its result.
    """
    room = asyncio.Semaphore(most)

    async def finish(act: Act) -> Done:
        async with room:
            return await doing.finish(act)

    tasks = {place: asyncio.create_task(finish(act), name=f"act {act.call.id}") for place, act in acts.items()}
    try:
        return {place: await _outcome(task) for place, task in tasks.items()}
    except asyncio.CancelledError:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        # One that was cancelled before its first step has recorded nothing.
        doing.not_run(acts.values())
        raise


async def _outcome(act: Awaitable[Done]) -> Done | HarnessError:
    """What came of an act; also of one that was cancelled by itself."""
    current = asyncio.current_task()
    try:
        return await act
    except HarnessError as error:
        if current is not None and current.cancelling():
            raise asyncio.CancelledError from error
        return error
    except asyncio.CancelledError as cut:
        if current is not None and current.cancelling():
            raise
        return HarnessError.of_cancellation(cut)

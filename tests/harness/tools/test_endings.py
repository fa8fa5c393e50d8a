"""Ends that are waited for, cancelled at every turn of the loop that there is to be cancelled at."""

from __future__ import annotations

import asyncio

import pytest

from workbench.harness.tools.endings import dismiss, to_the_end

TURNS = range(1, 12)


async def stubborn(turns: int, ended: list[str], fails: bool = False) -> str:
    """Work that takes some turns of the loop to end after it was cancelled."""
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        for _ in range(turns):
            await asyncio.sleep(0)
        ended.append("ended")
        if fails:
            raise OSError("on the way out")
    return "never"


async def steady(turns: int, ended: list[str]) -> str:
    for _ in range(turns):
        await asyncio.sleep(0)
    ended.append("ended")
    return "done"


async def cancelled_after(turns: int, task: asyncio.Task) -> bool:
    """Whether a task that is cancelled after some turns still ran then."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return task.cancel()


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("turns", TURNS)
async def test_a_cancellation_during_dismissal_goes_on(turns, fails):
    ended: list[str] = []
    tasks = [asyncio.ensure_future(stubborn(number, ended, fails)) for number in (0, 3, 6)]
    await asyncio.sleep(0)
    caller = asyncio.create_task(dismiss(None, *tasks))
    ran = await cancelled_after(turns, caller)
    await asyncio.wait({caller})
    assert caller.cancelled() is ran
    assert ended == ["ended"] * 3


async def test_dismissed_work_has_ended_whatever_it_was_doing():
    ended: list[str] = []
    over = asyncio.ensure_future(steady(0, ended))
    failed = asyncio.ensure_future(stubborn(2, ended, fails=True))
    await asyncio.sleep(0)
    await dismiss(over, failed, None)
    assert over.done()
    assert failed.done()
    assert ended == ["ended"] * 2


@pytest.mark.parametrize("turns", TURNS)
async def test_work_goes_to_its_end_and_then_the_cancellation_goes_on(turns):
    ended: list[str] = []
    caller = asyncio.create_task(to_the_end(steady(6, ended)))
    ran = await cancelled_after(turns, caller)
    await asyncio.wait({caller})
    assert ended == ["ended"]
    assert caller.cancelled() is ran
    if not ran:
        assert caller.result() == "done"


async def test_what_work_raises_is_raised():
    async def failing() -> None:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        await to_the_end(failing())

"""A Space whose agent may act on the real machine, in a folder of the test's own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.harness.play import Play
from workbench import Harness
from workbench.harness.machine import AskedCall
from workbench.harness.space.agent_file import OwnerFolders

THREAD = "hands"


async def allow(harness: Harness, workdir: Path, **approvals: Any) -> None:
    """Set the surface and the working directory as the owner, and say yes to all of it on this machine."""
    content: dict[str, Any] = {"surface": "toolbox", "workdir": str(workdir)}
    if approvals:
        content["approvals"] = approvals
    await harness.perform("write", {"address": "~/self", "content": content})
    for waiting in harness.waiting():
        await harness.approve(waiting.id)


@asynccontextmanager
async def on_machine(space: Path, folders: OwnerFolders, workdir: Path, **approvals: Any) -> AsyncIterator[Play]:
    """Acts in a thread of the toolbox surface, whose working directory is made."""
    os.makedirs(workdir, exist_ok=True)
    async with Harness.open(space, folders=folders) as harness:
        await allow(harness, workdir, **approvals)
        yield Play(harness, THREAD)


async def asked(harness: Harness, count: int = 1) -> list[AskedCall]:
    """Wait until so many calls ask the owner."""
    notes = harness.subscribe()
    try:
        while len(waiting := harness.asked()) < count:
            await anext(notes)
        return waiting
    finally:
        notes.close()


async def answered(harness: Harness, act: Any, yes: bool) -> Any:
    """Do an act that asks, and answer its question; what came of it."""
    with harness.attended():
        task = asyncio.ensure_future(act)
        (call,) = await asked(harness)
        await harness.approve(call.id, yes)
        return await task

"""Memory is followed whatever is written there."""

from __future__ import annotations

import asyncio
import os

from workbench import Harness
from workbench.harness.watch import Changed, Subscription

PATIENCE_SECS = 20


async def told_of_memory(notes: Subscription) -> None:
    """Wait until a change of memory is told."""
    async with asyncio.timeout(PATIENCE_SECS):
        async for note in notes:
            if note == Changed("memory"):
                return


async def test_a_name_that_is_no_text_does_not_end_the_watch(harness: Harness) -> None:
    memory = harness.root / "memory"
    notes = harness.subscribe()
    await told_of_memory(notes)
    (memory / "before.md").write_text("a", "utf-8")
    await told_of_memory(notes)
    os.close(os.open(os.fsencode(memory) + b"/bad\xff", os.O_CREAT | os.O_WRONLY))
    await told_of_memory(notes)
    for _ in range(2):
        (memory / "after.md").write_text("b", "utf-8")
        await told_of_memory(notes)

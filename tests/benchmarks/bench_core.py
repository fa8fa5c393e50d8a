"""What the core's queries and acts cost. Prints figures; run it with `python tests/benchmarks/bench_core.py`."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from workbench import Harness
from workbench.harness.space.agent_file import OwnerFolders

TOOLS = 1_000


def median_ms(act: Callable[[], object], times: int = 20) -> float:
    """The median duration of a call, in milliseconds."""
    taken: list[float] = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        taken.append((time.perf_counter() - started) * 1000)
    return statistics.median(taken)


async def measure(folder: Path) -> None:
    """Fill a Space with tools and time what faces ask of it."""
    folders = OwnerFolders(folder / "config", folder / "state")
    async with Harness.open(folder / "space", folders=folders) as harness:
        started = time.perf_counter()
        for number in range(TOOLS):
            content = {
                "description": f"Tool number {number}. It does what its number says.",
                "source": "def main(input):\n    return input\n",
                "runtime": "python",
                "input": {"type": "object", "properties": {"text": {"type": "string"}}},
            }
            await harness.perform("write", {"address": f"~/tools/tool_{number}", "content": content})
        print(f"saving one of {TOOLS} tools          {(time.perf_counter() - started) * 1000 / TOOLS:8.2f} ms")
    async with Harness.open(folder / "space", folders=folders) as harness:
        started = time.perf_counter()
        harness.index()
        print(f"index, first in a process         {(time.perf_counter() - started) * 1000:8.2f} ms")
        print(f"index, after that                 {median_ms(harness.index):8.2f} ms")
        print(f"tools with states                 {median_ms(harness.tools):8.2f} ms")
        for number in range(50):
            await harness.perform("read", {"address": f"~/tools/tool_{number}"}, "agent", "demo")
        print(f"promoted, 50 touched              {median_ms(lambda: harness.promoted('demo')):8.2f} ms")
        print(f"request, 50 promoted              {median_ms(lambda: harness.request('demo')):8.2f} ms")
        started = time.perf_counter()
        for _ in range(50):
            await harness.perform("read", {"address": "~/tools/tool_7"})
        print(f"an act (read, two durable events) {(time.perf_counter() - started) * 1000 / 50:8.2f} ms")
        print(f"fsck                              {median_ms(harness.fsck, 1):8.2f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(measure(Path(name)))

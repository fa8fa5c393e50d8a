"""What running a command costs. Prints figures: `python -m tests.benchmarks.bench_toolbox_bash [--runs 40]`.

The overhead of `true`, by turns with a bare `bash -c true` that is started and waited for by the same loop; and the
peak memory and the time of 200 MB of output, in a process of its own, also by turns with reading them from a pipe and
dropping them.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from workbench.harness.tools.toolbox.bash import BASH, Parameters
from workbench.harness.tools.toolbox.host_tool import HostContext, Signal

LARGE = "yes 0123456789012345678 | head -c 200000000"


async def ours(command: str) -> None:
    """Run a command with the tool."""
    ctx = HostContext(cwd=Path("/"))
    await BASH.execute("call-1", Parameters(command=command), Signal(), lambda update: None, ctx)


async def bare(command: str) -> None:
    """Run a command with nothing around it."""
    process = await asyncio.create_subprocess_exec("/bin/bash", "-c", command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    while await process.stdout.read(1 << 18):
        pass
    await process.wait()


async def measure(command: str, runs: int) -> None:
    """Print the medians of both, taken by turns."""
    times: dict[str, list[float]] = {"ours": [], "bare": []}
    for _ in range(runs):
        for name, run in (("ours", ours), ("bare", bare)):
            began = time.perf_counter()
            await run(command)
            times[name].append((time.perf_counter() - began) * 1000)
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(
        f"{command:<46} ours {medians['ours']:8.1f} ms   bare {medians['bare']:8.1f} ms   "
        f"overhead {medians['ours'] - medians['bare']:8.1f} ms"
    )


def peak_mib() -> float:
    """The most memory that this process has had."""
    # Not getrusage: what that has begins with the memory of the parent.
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


async def memory() -> None:
    """Print the peak before and after the large output."""
    await ours("seq 1 3000")
    before = peak_mib()
    await ours(LARGE)
    print(f"{'peak memory of 200 MB of output':<46} {before:.1f} MiB before, {peak_mib():.1f} MiB after")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--memory", action="store_true", help="only the peak memory, in this process")
    given = parser.parse_args()
    if given.memory:
        asyncio.run(memory())
        return
    asyncio.run(measure("true", given.runs))
    asyncio.run(measure(LARGE, max(1, given.runs // 10)))
    subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_toolbox_bash", "--memory"], check=True)


if __name__ == "__main__":
    main()

"""What the last page of a file of 1 GB costs `read`. Prints figures: `python tests/benchmarks/bench_toolbox_read.py`.

The read happens in a fresh process; the file was just written, so the system has it in memory. Peak memory is that of
the whole process, and beside it what the process had before the call.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GIGABYTE = 1_000_000_000
LINE_BYTES = 100
LINES = GIGABYTE // LINE_BYTES
BLOCK_LINES = 10_000
LAST_LINES = 500


def write(path: Path) -> None:
    """Write the file: numbered lines of one length, all of it on disk."""
    with path.open("wb") as file:
        for first in range(1, LINES + 1, BLOCK_LINES):
            rows = (f"{number:010} ".ljust(LINE_BYTES - 1, "x") + "\n" for number in range(first, first + BLOCK_LINES))
            file.write("".join(rows).encode())


def megabytes() -> float:
    """The most memory that this process has had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_last_page(path: Path) -> None:
    """Read it, and print what that took, as JSON."""
    from workbench.harness.tools.toolbox.host_tool import HostContext, Signal
    from workbench.harness.tools.toolbox.read import READ

    before = megabytes()
    params = READ.parameters(path=str(path), offset=float(LINES - LAST_LINES + 1))
    started = time.perf_counter()
    answer = asyncio.run(READ.execute("call-1", params, Signal(), lambda so_far: None, HostContext(cwd=path.parent)))
    seconds = time.perf_counter() - started
    lines = answer.text.splitlines()
    assert (len(lines), lines[-1][:10]) == (LAST_LINES, f"{LINES:010}")
    print(json.dumps({"seconds": seconds, "before": before, "peak": megabytes()}))


def main() -> None:
    """Write the file, read its last page, print the figures, remove the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbered.log"
        write(path)
        print(f"-- the last {LAST_LINES} of {LINES:,} lines, {path.stat().st_size / GIGABYTE:.2f} GB")
        started = time.perf_counter()
        done = subprocess.run([sys.executable, __file__, str(path)], capture_output=True, text=True, check=True)
        whole = time.perf_counter() - started
    figures = json.loads(done.stdout)
    print(f"{'the call':<40}{figures['seconds']:9.3f} s")
    print(f"{'the process, from its start to its end':<40}{whole:9.3f} s")
    print(f"{'peak memory of the process':<40}{figures['peak']:9.1f} MB")
    print(f"{'of it before the call':<40}{figures['before']:9.1f} MB")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        read_last_page(Path(sys.argv[1]))
    else:
        main()

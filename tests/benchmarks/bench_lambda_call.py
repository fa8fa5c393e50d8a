"""What a sandboxed call costs over a bare start of the same interpreter, measured side by side.

    python tests/benchmarks/bench_lambda_call.py [rounds]

Calls and bare starts alternate, so that a busy machine slows both. Prints medians, 95th percentiles and their ratio;
it judges nothing.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from workbench.harness.tools.lambdas import interpreters
from workbench.harness.tools.lambdas.sandbox import Job, Limits, Runtime, run

PYTHON = "def main(input):\n    return {'echo': input['text']}\n"
TYPESCRIPT = "export default function (input: {text: string}) { return {echo: input.text} }\n"


def bare(command: Sequence[str]) -> float:
    """Milliseconds of one bare start."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


async def call(runtime: Runtime, source: str, workspace: Path) -> float:
    """Milliseconds of one call, from the job to the outcome."""
    kind = "code" if runtime == "shell" else "lambda"
    job = Job(runtime, kind, source, {"text": "hello"}, workspace, Limits())
    began = time.perf_counter()
    await run(job)
    return (time.perf_counter() - began) * 1000


async def measure(runtime: Runtime, source: str, command: Sequence[str], rounds: int) -> None:
    """Print the figures of one runtime."""
    starts: list[float] = []
    calls: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            bare(command)
            await call(runtime, source, Path(folder))
        for _ in range(rounds):
            starts.append(bare(command))
            calls.append(await call(runtime, source, Path(folder)))
    for what, times in (("bare start", starts), ("call", calls)):
        print(
            f"{runtime:<11} {what:<11} median {statistics.median(times):6.1f} ms   p95 {percentile(times, 95):6.1f} ms"
        )
    print(f"{runtime:<11} ratio       {statistics.median(calls) / statistics.median(starts):6.2f}")


def percentile(times: Sequence[float], share: int) -> float:
    """The value that `share` per cent of `times` do not pass."""
    return statistics.quantiles(times, n=100)[share - 1]


async def main(rounds: int) -> None:
    """Measure every runtime."""
    await measure("python", PYTHON, (interpreters.python().path, "-I", "-S", "-c", "pass"), rounds)
    await measure("typescript", TYPESCRIPT, (interpreters.deno().path, "eval", "0"), rounds)
    await measure("shell", "true", (interpreters.shell().path, "-c", "true"), rounds)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))

"""Calls of one message beside each other and one after the other; what the loop itself takes for an answer.

    python -m tests.benchmarks.bench_turn [--secs 2]

Figures, and the ratio to the time that a single call takes.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.agent.answers import calls, model, says
from workbench import Harness
from workbench.agent.models.model import Answer
from workbench.agent.turn import turn

SLEEP = "import time\n\ndef main(input):\n    time.sleep(input['secs'])\n    return input['secs']\n"
ANSWERS = 40


async def took(harness: Harness, *answers: Answer) -> float:
    """Seconds of a turn."""
    began = time.perf_counter()
    await turn(harness, "bench", model(*answers), "go")
    return time.perf_counter() - began


async def main(secs: float) -> None:
    content = {"description": "Sleeps.", "runtime": "python", "source": SLEEP}
    # Each in a Space of its own, in which the tool was touched before.
    for what, extra in (("one call", 0), ("two calls", 1), ("two calls and a write", 2)):
        with tempfile.TemporaryDirectory() as folder:
            async with Harness.open(Path(folder) / "space") as harness:
                await harness.perform("write", {"address": "~/tools/sleep", "content": content})
                await harness.perform("read", {"address": "~/tools/sleep"}, "agent", "bench")
                call = ("call", {"tool": "sleep", "input": {"secs": secs}})
                write = ("write", {"address": "~/memory/a", "content": "a"})
                acts = [call, *([call] if extra else []), *([write] if extra == 2 else [])]
                total = await took(harness, calls(*acts), says("Done."))
                print(f"{what:<24} of {secs:g} s each  {total:6.2f} s  {total / secs:5.2f} times one")
    with tempfile.TemporaryDirectory() as folder:
        async with Harness.open(Path(folder) / "space") as harness:
            look = calls(("read", {"address": "~/memory/"}))
            total = await took(harness, *[look] * ANSWERS, says("Done."))
            print(f"{ANSWERS} answers with a call each, nothing waited for  {total / ANSWERS * 1000:6.1f} ms an answer")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--secs", type=float, default=2.0)
    asyncio.run(main(parser.parse_args().secs))

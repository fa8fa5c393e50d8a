"""What the Source pane costs with a source of 256 KiB: opening it, editing it, a key in it, looking it over.

python tests/benchmarks/bench_source.py

Prints medians and, where there is one, the most that was agreed. The app runs without a terminal; figures end when
what was asked for is painted.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

ROUNDS = 5
LINE = '    total = total + len(str(input["text"])) * {number}  # a line like many others\n'


def source() -> str:
    """Python of just under 256 KiB."""
    lines = ["def main(input):\n", "    total = 0\n"]
    size, number = sum(map(len, lines)), 0
    while size < 256 * 1024 - 200:
        lines.append(LINE.format(number=number))
        size += len(lines[-1])
        number += 1
    return "".join([*lines, "    return total\n"])


async def figure(what: str, most: float | None, act: Callable[[], Awaitable[float]]) -> None:
    """Print the median of what an act says that it took, in milliseconds."""
    taken = [await act() for _ in range(ROUNDS)]
    limit = f"   (at most {most:.0f})" if most is not None else ""
    print(f"{what:<58} {statistics.median(taken):9.1f} ms{limit}", flush=True)


async def main() -> None:
    """Measure one after the other."""
    from tests.app.desk import at_desk, elsewhere, save
    from workbench.app.tools.source.editor import Editor
    from workbench.app.tools.source.findings import look_over
    from workbench.app.tools.source.pane import SourcePane

    with tempfile.TemporaryDirectory() as folder:
        space = Path(folder) / "space"
        async with elsewhere(space) as harness:
            for name in ("large", "small"):
                text = source() if name == "large" else "def main(input):\n    return 1\n"
                await save(harness, name, source=text)
        async with at_desk(space) as desk:
            pane, editor = desk.app.query_one(SourcePane), desk.app.query_one(Editor)
            await desk.select("small")
            await desk.press("s")

            async def settled(begin: Callable[[], object]) -> float:
                began = time.perf_counter()
                begin()
                painted = asyncio.Event()
                desk.app.call_after_refresh(painted.set)
                await painted.wait()
                return (time.perf_counter() - began) * 1000

            async def opens() -> float:
                await desk.select("small")
                shown = desk.tools.shown
                await desk.pilot.pause()
                desk.tools.selected = "large"
                large = shown()
                assert large is not None
                return await settled(lambda: pane.show(large))

            await figure("open a source of 256 KiB", 500, opens)

            async def edits() -> float:
                if pane.editing:
                    pane.close()
                await desk.select("large")
                await desk.pilot.pause()
                return await settled(desk.tools.action_edit)

            await figure("open it in the editor", 500, edits)

            async def keys() -> float:
                return await settled(lambda: editor.area("source").insert("x"))

            await figure("a key in it, until it is painted", None, keys)
            assert editor.draft is not None
            draft = editor.draft

            async def looks() -> float:
                began = time.perf_counter()
                await look_over(draft)
                return (time.perf_counter() - began) * 1000

            await figure("look it over (beside the app, a quarter second after a key)", None, looks)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own:
        for each in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
            os.environ[each] = own
        asyncio.run(main())

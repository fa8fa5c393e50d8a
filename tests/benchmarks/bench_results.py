"""What a large result and a long history cost. Prints figures: `python tests/benchmarks/bench_results.py`."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from textual.app import App, ComposeResult

from workbench import Harness
from workbench.app.tools.call.outcome import Outcome, Where, succeeded
from workbench.app.widgets.outline.view import Outline
from workbench.app.widgets.text_view import TextView, lines_of_text
from workbench.harness.log.payloads import dumps
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.store.store import Store

EVENTS = 100_000
RESULT_BYTES = 5 * 1024 * 1024


def timed(what: str, act: Callable[[], Any]) -> Any:
    """Do it once, and print how long it took."""
    started = time.perf_counter()
    value = act()
    print(f"{what:<58}{(time.perf_counter() - started) * 1000:9.2f} ms")
    return value


class Results(App[None]):
    """A tree and a text, as the Call pane has them."""

    def compose(self) -> ComposeResult:
        yield Outline(id="tree")
        yield TextView(id="text")


def large_answer() -> dict[str, Any]:
    """An answer of five megabytes: half of it rows, half of it one text."""
    rows = [{"n": number, "name": f"row {number}", "ok": True} for number in range(RESULT_BYTES // 2 // 45)]
    text = "a line of a long text, as programs print them\n" * (RESULT_BYTES // 2 // 46)
    return {"status": "ok", "tool": "el", "cid": "bafy", "output": {"rows": rows, "text": text}, "duration_ms": 5}


async def results() -> None:
    """Open an answer of five megabytes and read it to its end."""
    answer = large_answer()
    print(f"-- a result of {len(dumps(answer)) / 1024 / 1024:.1f} MB")
    outcome: Outcome = timed("made ready (in a thread)", lambda: succeeded(answer, {}, Where("workshop", 1)))
    lines = timed("its text made ready (in a thread)", lambda: tuple(lines_of_text(answer["output"]["text"])))
    app = Results()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        tree, text = app.query_one(Outline), app.query_one(TextView)

        def painted(view: Outline | TextView) -> None:
            view.render_lines(view.region.reset_offset)

        timed("opened", lambda: (tree.show(outcome.twigs, open=outcome.unfolded, anew=True), painted(tree)))
        tree.go("output.rows")
        timed("rows unfolded", lambda: (tree.action_open(), painted(tree)))
        timed("to its end", lambda: (tree.action_follow(), painted(tree)))
        timed("the text opened", lambda: (text.show(lines), painted(text)))
        timed("the text to its end", lambda: (text.action_follow(), painted(text)))


def fill(root: Path) -> None:
    """A log of so many events, half of them calls of twenty tools and of one that is called seldom."""
    store = Store.open(root)
    with store.writing():
        for number in range(EVENTS // 2):
            call, thread = f"call-{number:016x}", "workshop" if number % 2 else f"thread-{number % 50}"
            tool = "seldom" if number % 5_000 == 7 else f"tool_{number % 20}"
            given = {"tool": tool, "input": {"text": "some words " * 20}}
            body = {"id": call, "name": "call", "input": given, "message": "m", "process": store.process}
            answer = {"status": "ok", "tool": tool, "cid": "bafy", "output": {"text": "words " * 20}, "duration_ms": 3}
            store.append(thread, "user", "tool_call", dumps(body), call)
            store.append(thread, "user", "tool_result", dumps({"id": call, "name": "call", "output": answer}), call)
    store.close()


async def histories(folder: Path) -> None:
    """Ask for the history of tools in a long log."""
    folders = OwnerFolders(folder / "config", folder / "state")
    async with Harness.open(folder / "space", folders=folders):
        pass
    fill(folder / "space")
    async with Harness.open(folder / "space", folders=folders) as harness:
        print(f"-- a log of {EVENTS:,} events")
        timed("history of a tool: its newest 100 calls", lambda: harness.calls("tool_3"))
        timed("history of a tool that is called seldom, whole", lambda: harness.calls("seldom"))
        timed("history of a tool that was never called", lambda: harness.calls("search"))
        timed("one step of the search, as the app does it", lambda: harness.calls_page("search"))


if __name__ == "__main__":
    asyncio.run(results())
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(histories(Path(name)))

"""What a person waits for: the start, a key in a long list, the opening of what is large.

    python -m tests.benchmarks.bench_app [--tools 1500] [--runs 7]

Everything is measured from outside, in a pseudo-terminal, by what is painted. The start is held against a bare Textual
app that paints one line, started by turns with ours.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.terminal import Terminal
from workbench import Harness

BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("a bare app is ready")

Bare().run()
"""


class Opening(NamedTuple):
    """A tool, the pane that is seen before, the key that opens something of it, and a text that only that paints."""

    what: str
    tool: str
    before: str
    key: str
    text: str


OPENINGS = (
    Opening("44 KB schema, the form of it", "large_schema", "i", "r", "field_000"),
    Opening("256 KiB source", "large_source", "i", "s", "def helper_0"),
    Opening("256 KiB source in the editor", "large_source", "s", "e", "editing"),
    Opening("50 KB contract", "large_contract", "i", "c", "bytes as a model reads it"),
)


def schema_of(size: int) -> dict[str, object]:
    """A schema of about so many bytes, nested as real ones are."""
    properties: dict[str, object] = {}
    number = 0
    while len(json.dumps(properties)) < size:
        properties[f"field_{number:03}"] = {
            "type": "object" if number % 5 == 4 else ["string", "integer", "boolean", "number"][number % 4],
            "description": f"The field number {number}, which says something of what is asked for.",
            **({"properties": {"inner": {"type": "string", "enum": ["a", "b"]}}} if number % 5 == 4 else {}),
        }
        number += 1
    return {"type": "object", "properties": properties, "required": ["field_000"]}


async def fill(folder: Path, tools: int) -> None:
    """Write the tools."""
    small = "def main(input):\n    return input\n"
    lines = "".join(f"def helper_{n}(value):\n    return value + {n}\n\n\n" for n in range(5_500))
    documents: dict[str, dict[str, object]] = {
        f"tool_{number:04}": {"description": f"Do thing number {number} and say what came of it.", "source": small}
        for number in range(tools)
    }
    documents["large_schema"] = {"description": "Has a large schema.", "source": small, "input": schema_of(44_000)}
    documents["large_source"] = {"description": "Has a large source.", "source": lines[: 255 * 1024] + "\n\n" + small}
    documents["large_contract"] = {
        "description": "Word. " * 2_600,
        "source": small,
        "input": schema_of(25_000),
    }
    async with Harness.open(folder) as harness:
        for name, content in documents.items():
            await harness.perform("write", {"address": f"~/tools/{name}", "content": {**content, "runtime": "python"}})


def start(command: list[str], text: str) -> float:
    """Seconds until a command painted a text."""
    terminal = Terminal(command)
    try:
        return terminal.until_text(text)
    finally:
        terminal.close()


def in_ms(seconds: list[float]) -> str:
    """Median and range."""
    return (
        f"median {statistics.median(seconds) * 1000:6.1f} ms   {min(seconds) * 1000:.1f} to {max(seconds) * 1000:.1f}"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, default=1_500)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--keys", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("CONFIG", "STATE", "DATA"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(scratch) / name)
        space = Path(scratch) / "space"
        asyncio.run(fill(space, options.tools))
        ours = [sys.executable, "-m", "workbench", "--space", str(space)]
        fresh = [sys.executable, "-m", "workbench", "--space", str(Path(scratch) / "fresh")]
        bare = [sys.executable, "-c", BARE]
        starts: dict[str, list[float]] = {"bare Textual app": [], "workbench": [], f"with {options.tools:,} tools": []}
        for _ in range(options.runs):
            starts["bare Textual app"].append(start(bare, "a bare app is ready"))
            starts["workbench"].append(start(fresh, "/ 2,048 B"))
            starts[f"with {options.tools:,} tools"].append(start(ours, "/ 2,048 B"))
        print("start, to a true status line")
        for name, seconds in starts.items():
            ratio = statistics.median(seconds) / statistics.median(starts["bare Textual app"])
            print(f"  {name:<20} {in_ms(seconds)}   {ratio:.2f} times bare")
        keys(ours, options.tools, options.keys)
        large(ours, options.runs)


def keys(command: list[str], tools: int, presses: int) -> None:
    """A key in the list, to the frame that shows it."""
    terminal = Terminal(command)
    try:
        terminal.until_text("/ 2,048 B")
        terminal.quiet(1.0)
        cursor: list[float] = []
        panes: list[float] = []
        for press in range(presses):
            at = terminal.press(b"j" if press % 8 else b"\x1b[6~")
            first, last = terminal.until_painted()
            cursor.append(first - at)
            panes.append(last - at)
            terminal.quiet(0.15)
        print(f"key to paint, {tools:,} tools listed   {in_ms(cursor)}")
        print(f"  and the pane beside the list      {in_ms(panes)}")
    finally:
        terminal.close()


def large(command: list[str], runs: int) -> None:
    """What is large, from the key to its text on the screen."""
    print("opening")
    for opening in OPENINGS:
        took: list[float] = []
        for _ in range(runs):
            terminal = Terminal(command)
            try:
                terminal.until_text("/ 2,048 B")
                # Keys wait until all of it is loaded; that belongs to the start.
                terminal.quiet(1.0)
                # Another pane first, so that what is timed is shown for the first time.
                terminal.press(opening.before.encode())
                terminal.press(b"/" + opening.tool.encode() + b"\r")
                terminal.quiet(0.5)
                at = terminal.press(opening.key.encode())
                took.append(terminal.until_text(opening.text) - at)
            finally:
                terminal.close()
        print(f"  {opening.what:<30} {in_ms(took)}")


if __name__ == "__main__":
    main()

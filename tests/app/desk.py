"""The real app on a real Space, with a hand on its keys and eyes on its screen."""

from __future__ import annotations

import contextlib
import time
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from textual import events
from textual.keys import _character_to_key  # pyright: ignore[reportPrivateUsage]
from textual.pilot import Pilot
from textual.widgets import TextArea

from workbench import Harness
from workbench.agent.models.model import Model
from workbench.app.app import WorkbenchApp
from workbench.app.status.line import StatusLine
from workbench.app.tools.tab import ToolsTab
from workbench.app.tools.tool_list import ToolList

DEADLINE_SECS = 20
"""How long a condition is waited for; anywhere it comes about in a moment."""

WORD_COUNT: dict[str, Any] = {
    "description": "Count the words of a text. Use it instead of guessing.",
    "input": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What is counted."},
            "unique": {"type": "boolean", "default": False},
        },
        "required": ["text"],
    },
    "runtime": "python",
    "source": 'def main(input):\n    print("counting")\n    return {"words": len(input["text"].split())}\n',
}
"""A lambda that most tests have."""


class Desk:
    """An app that runs."""

    def __init__(self, app: WorkbenchApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def harness(self) -> Harness:
        """The Space that the app has open."""
        return self.app.harness

    @property
    def tools(self) -> ToolsTab:
        """The Tools tab."""
        return self.app.query_one(ToolsTab)

    @property
    def status(self) -> str:
        """The status line."""
        return str(self.app.query_one(StatusLine).content)

    def area(self, selector: str) -> str:
        """The text of a text area."""
        return self.app.query_one(selector, TextArea).text

    def states(self) -> dict[str, str]:
        """The tools in the list, each with its glyph and its state."""
        return {row.key: f"{row.glyph} {row.state}" for row in self.app.query_one(ToolList).rows}

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something is so."""
        deadline = time.monotonic() + DEADLINE_SECS
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not come about; the screen:\n{self.screen()}"
            await self.pilot.pause(0.02)
        await self.pilot.pause()

    async def sees(self, *texts: str) -> None:
        """Wait until all of these stand on the screen."""
        await self.until(lambda: all(text in self.screen() for text in texts), f"{texts} on the screen")

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause(0)

    async def type(self, text: str) -> None:
        """Type a text, as fast as somebody pastes it; each character is a key."""
        for char in text:
            name = _KEYS.get(char) or _character_to_key(char)
            self.app.post_message(events.Key(name, None if char == "\n" else char))
        await self.pilot.pause()

    async def select(self, name: str) -> None:
        """Select a tool."""
        self.app.show_tool(name)
        await self.until(lambda: self.tools.selected == name, f"{name} is selected")

    def screen(self) -> str:
        """What stands on the screen, as text, read from the picture of it."""
        rows: dict[float, list[tuple[float, str]]] = {}
        for node in self.picture().iter("{http://www.w3.org/2000/svg}text"):
            rows.setdefault(float(node.get("y", 0)), []).append((float(node.get("x", 0)), "".join(node.itertext())))
        lines = ("".join(text for _, text in sorted(rows[y])) for y in sorted(rows))
        return "\n".join(lines).replace("\xa0", " ")

    def picture(self) -> ET.Element:
        """The screen as SVG; fails where a control character makes it no XML."""
        return ET.fromstring(self.app.export_screenshot())


_KEYS = {"\n": "enter"}


@contextlib.asynccontextmanager
async def at_desk(
    folder: Path, size: tuple[int, int] = (120, 40), answers: Model | None = None, **options: Any
) -> AsyncIterator[Desk]:
    """Run the app on a Space until the block ends; `answers` is the model of every name."""
    app = WorkbenchApp(folder, **options)
    if answers is not None:
        app.turns.choose = lambda id, settings: answers
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        desk = Desk(app, pilot)
        await desk.until(lambda: app.complete and app.focused, "the Space is open")
        yield desk


async def save(harness: Harness, name: str, **content: Any) -> str:
    """Save a lambda as the owner; its CID."""
    done = await harness.perform("write", {"address": f"~/tools/{name}", "content": {**WORD_COUNT, **content}})
    return done.result["cid"]


@contextlib.asynccontextmanager
async def elsewhere(folder: Path) -> AsyncIterator[Harness]:
    """The Space, opened a second time, as another terminal would have it."""
    async with Harness.open(folder) as harness:
        yield harness

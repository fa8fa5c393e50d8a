"""A form on a screen of its own, with a hand on its keys and eyes on it."""

from __future__ import annotations

import contextlib
import time
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Button

from workbench.app.tools.call.form.field_rows import FieldRows
from workbench.app.tools.call.form.view import FormView

DEADLINE_SECS = 20
"""How long a condition is waited for; anywhere it comes about in a moment."""

LINE, CELL = 24.4, 12.2
"""How high and how wide a character is in the picture."""

NAMED = {" ": "space", "\n": "enter", "_": "underscore", "-": "minus", ".": "full_stop", '"': "quotation_mark"}


class SheetApp(App[None]):
    """A form, and a button behind it."""

    def __init__(self, schema: Any) -> None:
        super().__init__()
        self.schema = schema
        self.changes = 0

    def compose(self) -> ComposeResult:
        yield FormView()
        yield Button("Run", id="run")

    def on_mount(self) -> None:
        form = self.query_one(FormView)
        form.open(self.schema)
        form.focus_content()

    @on(FormView.Changed)
    def _changed(self) -> None:
        self.changes += 1


class Sheet:
    """The form while it is on the screen."""

    def __init__(self, app: SheetApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.form = app.query_one(FormView)

    @property
    def field(self) -> str:
        """The name of the field at the cursor."""
        rows = self.form.query_one(FieldRows)
        assert rows.cursor is not None
        return rows.rows[rows.cursor].node.key

    @property
    def sent(self) -> Any:
        """The JSON as it would be sent."""
        return self.form._assembled.value

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.press(*(NAMED.get(char, char) for char in text))

    async def go(self, name: str) -> None:
        """Go to the field of a name, by keys."""
        await self.press("home")
        for _ in range(200):
            if self.field == name:
                return
            await self.press("down")
        raise AssertionError(f"there is no field {name}; the screen:\n{self.screen()}")

    async def click(self, text: str, *, along: int = 0) -> None:
        """Click on the first place where a text stands."""
        for y, line in enumerate(self.screen().split("\n")):
            if text in line:
                await self.pilot.click(offset=(line.index(text) + along, y))
                await self.pilot.pause()
                return
        raise AssertionError(f"{text} is not on the screen:\n{self.screen()}")

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

    def screen(self) -> str:
        """What stands on the screen, read from the picture of it, which a control character would break."""
        rows: dict[int, list[tuple[float, str]]] = {}
        for node in ET.fromstring(self.app.export_screenshot()).iter("{http://www.w3.org/2000/svg}text"):
            if not node.get("class", "").endswith("title"):
                row = int(float(node.get("y", 0)) / LINE)
                rows.setdefault(row, []).append((float(node.get("x", 0)), "".join(node.itertext())))
        lines = [""] * (max(rows) + 1)
        for row, pieces in rows.items():
            for x, text in sorted(pieces):
                lines[row] = lines[row].ljust(round(x / CELL)) + text.rstrip("\n")
        return "\n".join(lines).replace("\xa0", " ")


@contextlib.asynccontextmanager
async def on_sheet(schema: Any, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Sheet]:
    """Show the form of a schema until the block ends."""
    app = SheetApp(schema)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await pilot.pause()
        yield Sheet(app, pilot)

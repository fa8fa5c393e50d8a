"""The real app on a real Space, with a hand on its keys and eyes on its screen."""

from __future__ import annotations

import contextlib
import time
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from textual.pilot import Pilot

from workbench import Harness
from workbench.app.app import WorkbenchApp
from workbench.app.space.tab import SpaceTab
from workbench.app.transcript.line_view import LineView
from workbench.app.transcript.tab import TranscriptTab

DEADLINE_SECS = 20
"""How long a condition is waited for; on any machine it is there in a moment."""


class Desk:
    """An app that runs, with its Space open."""

    def __init__(self, app: WorkbenchApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def harness(self) -> Harness:
        """The Space that the app has open."""
        return self.app.harness

    @property
    def transcript(self) -> TranscriptTab:
        """The Transcript tab."""
        return self.app.query_one(TranscriptTab)

    @property
    def space(self) -> SpaceTab:
        """The Space tab."""
        return self.app.query_one(SpaceTab)

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
        """Press keys."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def write(self, line: str) -> None:
        """Put a line into the composer and press enter."""
        self.transcript.composer.line.focus()
        self.transcript.composer.line.value = line
        await self.pilot.pause()
        await self.press("enter")

    def screen(self) -> str:
        """What stands on the screen, as text."""
        return "\n".join(
            "".join(segment.text for segment in strip) for strip in self.app.screen._compositor.render_strips()
        )

    def log(self) -> str:
        """What stands in the log, also out of view, with white space folded."""
        return view_text(self.transcript.log_view)

    def picture(self) -> ET.Element:
        """The screen as SVG; fails when it is not XML."""
        return ET.fromstring(self.app.export_screenshot())


def view_text(view: LineView) -> str:
    """All lines of a list of lines, as folded text."""
    lines = ("".join(text for text, _ in line) for index in range(view.items) for line in view.lines_of(index, 400))
    return "\n".join(" ".join(line.split()) for line in lines)


@contextlib.asynccontextmanager
async def at_desk(
    folder: Path, *, size: tuple[int, int] = (160, 50), tab: str = "transcript", thread: str = "demo"
) -> AsyncIterator[Desk]:
    """The app on the Space in a folder, with a tab shown."""
    app = WorkbenchApp(folder, thread=thread)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        desk = Desk(app, pilot)
        await desk.until(lambda: app.opened and app.query(TranscriptTab) and app.query(SpaceTab), "the tabs")
        await pilot.pause()
        app.action_show_tab(tab)
        await pilot.pause()
        yield desk
    assert app.return_code in (0, None)

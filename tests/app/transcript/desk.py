"""The desk of `tests.app.desk`, with the two tabs at hand."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from tests.app import desk
from workbench.agent.models.model import Model
from workbench.app.space.tab import SpaceTab
from workbench.app.transcript.tab import TranscriptTab
from workbench.app.widgets.lines.view import LineView


class Desk(desk.Desk):
    """An app that runs, with the Transcript and the Space tab at hand."""

    @property
    def transcript(self) -> TranscriptTab:
        """The Transcript tab."""
        return self.app.query_one(TranscriptTab)

    @property
    def space(self) -> SpaceTab:
        """The Space tab."""
        return self.app.query_one(SpaceTab)

    async def write(self, line: str) -> None:
        """Put a line into the composer and press enter."""
        self.transcript.composer.line.focus()
        self.transcript.composer.line.value = line
        await self.pilot.pause()
        await self.press("enter")

    async def ask(self, text: str) -> None:
        """Say something to the agent."""
        while self.transcript.composer.voice != "message":
            self.transcript.composer.next_voice()
        await self.write(text)

    async def answered(self) -> None:
        """Wait until no turn runs, and the log shows all of it."""
        await self.until(lambda: not len(self.app.turns), "the turn's end")
        rows = self.transcript.reading.rows
        total = len(self.harness.events(rows.thread))
        await self.until(lambda: rows.last >= total, "the log")

    def log(self) -> str:
        """What stands in the log, also out of view, with white space folded."""
        return view_text(self.transcript.log_view)


def view_text(view: LineView) -> str:
    """All lines of a list of lines, as folded text."""
    lines = ("".join(text for text, _ in line) for index in range(view.items) for line in view.lines_of(index, 400))
    return "\n".join(" ".join(line.split()) for line in lines)


@contextlib.asynccontextmanager
async def at_desk(
    folder: Path,
    *,
    size: tuple[int, int] = (160, 50),
    tab: str = "transcript",
    thread: str = "demo",
    model: Model | None = None,
) -> AsyncIterator[Desk]:
    """The app on the Space in a folder, with a tab shown, and a model that answers."""
    id = model.id if model is not None else None
    async with desk.at_desk(folder, size, answers=model, thread=thread, model=id) as plain:
        here = Desk(plain.app, plain.pilot)
        here.app.action_show_tab(tab)
        await here.pilot.pause()
        yield here
    assert here.app.return_code in (0, None)

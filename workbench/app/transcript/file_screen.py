"""The screen that shows a file of this machine, to be read, at a line."""

from __future__ import annotations

import asyncio

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from workbench.app.actions import bindings
from workbench.app.key_footer import KeyFooter
from workbench.app.seams import workbench
from workbench.app.transcript.file_actions import FILE
from workbench.app.transcript.file_part import FilePart, read_part
from workbench.app.widgets.drawn import DrawnLine, ShownLine, code_lines, drawn_lines
from workbench.app.widgets.drawn_view import DrawnView
from workbench.app.widgets.literal import title
from workbench.app.widgets.modal import Modal
from workbench.app.widgets.text_view import TextLine, lines_of_text
from workbench.app.widgets.wrapping import fit_end
from workbench.harness.errors import HarnessError
from workbench.harness.text import fold
from workbench.harness.tools.toolbox.drawn import Place, Places

MARGIN = 4
"""Cells of the title's row that are the frame's."""

LEAST_PATH = 12
"""Cells of the path that are shown however much is said of the file."""


class FileScreen(Modal[None]):
    """Covers everything. Nothing is written from here."""

    BINDINGS = bindings(*FILE)
    DEFAULT_CSS = """
    FileScreen { background: $background; }
    FileScreen > #file { height: 1fr; border-top: heavy $accent; border-title-color: $text-primary;
        background: $surface; }
    """

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """The lines, and the keys."""
        with Vertical(id="file") as box:
            self._head(box, "reading…")
            yield DrawnView(id="file-lines")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.view.focus()
        self.run_worker(self._load(), name="read a file", group="file", exclusive=True, exit_on_error=False)

    @property
    def view(self) -> DrawnView:
        """The lines."""
        return self.query_one(DrawnView)

    def _head(self, box: Widget, says: str) -> None:
        """The title: the end of the path, as much as there is room for, and all that is said of the file."""
        line = f":{self._place.line}" if self._place.line is not None else ""
        rest = f"{line} · as it is now · {says}"
        room = max(self.app.size.width - cell_len(rest) - MARGIN, LEAST_PATH)
        title(box, f"{fit_end(fold(self._place.path), room)}{rest}")

    async def _load(self) -> None:
        place = self._place
        try:
            lines, says, at = await asyncio.to_thread(_lines, place)
        except HarnessError as error:
            lines, says, at = [TextLine(line.text) for line in lines_of_text(error.message)], "it cannot be shown", None
        self.view.show_lines(lines)
        self._head(self.query_one("#file"), says)
        if at is not None:
            self.view.mark(at)
        for code in self.view.code_texts():
            # A megabyte takes seconds to colour; it can be read meanwhile.
            await asyncio.to_thread(code.colour)
            self.view.repaint_items()

    @on(DrawnView.Chosen)
    def _chosen(self, message: DrawnView.Chosen) -> None:
        message.stop()
        self.app.push_screen(FileScreen(message.place))

    def action_close(self) -> None:
        """Back."""
        self.leave(None)

    def action_copy_path(self) -> None:
        """Copy the path, with the line."""
        line = f":{self._place.line}" if self._place.line is not None else ""
        workbench(self).copy(f"{self._place.path}{line}", "the path")

    async def action_editor(self) -> None:
        """Open the file in the person's own editor."""
        from workbench.app.tools.source.external_editor import visit

        try:
            await visit(self.app, self._place.path, self._place.line)
        except HarnessError as error:
            workbench(self).say_error(error.message)
            return
        await self._load()


def _lines(place: Place) -> tuple[list[ShownLine], str, int | None]:
    """The lines of a file, what is said of it, and the index of the line that was asked for."""
    part = read_part(place.path, place.line)
    if part.names is not None:
        more = "" if part.whole else f" of over {len(part.names):,}"
        empty: list[ShownLine] = [TextLine("This folder is empty.", "quiet")]
        lines = drawn_lines((Places(part.names),)) if part.names else empty
        return lines, f"a folder: {len(part.names):,}{more} names · enter opens", None
    if not part.text:
        return [TextLine("This file is empty.", "quiet")], "0 B", None
    shown = code_lines(part.text, place.path, part.first)
    below = [] if part.whole else [TextLine("… only this part of the file is shown; f4 opens all of it", "quiet")]
    return [*shown, *below], _says(part, shown), _index(shown, part, place)


def _index(lines: list[DrawnLine], part: FilePart, place: Place) -> int | None:
    if place.line is None:
        return None
    wanted = place.line - part.first
    return next((index for index, line in enumerate(lines) if line.row == wanted), None)


def _says(part: FilePart, lines: list[DrawnLine]) -> str:
    said = f"{part.size:,} B"
    if not part.whole:
        last = part.first + lines[-1].row
        said += f" · only lines {part.first:,} to {last:,}"
    return f"{said} · binary, shown as text" if part.binary else said

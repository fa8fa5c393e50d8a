"""A text of any length to scroll through, of which only the lines in view are broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import estimate, wrap
from workbench.harness.text import printable

PIECE_CHARS = 2_000
"""A longer line is shown in pieces of this many characters: finding where a line breaks is work for each of them."""

Look = Literal["heading", "text", "quiet"]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line to look at, printable, and what it is."""

    text: str
    look: Look = "text"


def lines_of_text(text: str) -> list[TextLine]:
    """A text as lines to look at, printable, in pieces where a line is very long; none for no text."""
    if not text:
        return []
    return [
        TextLine(line[at : at + PIECE_CHARS])
        for line in printable(text).split("\n")
        for at in range(0, max(len(line), 1), PIECE_CHARS)
    ]


_LOOKS = {"heading": "heading", "quiet": "quiet", "text": ""}


class TextView(LineView):
    """Lines of any number, of which those in view are broken."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[TextLine, ...] = ()

    def show(self, lines: tuple[TextLine, ...]) -> None:
        """Show these lines, from the first."""
        self._shown = lines
        self.reset(len(lines))

    def extend(self, lines: tuple[TextLine, ...]) -> None:
        """Show these lines, which begin with those that are shown."""
        self._shown = lines
        self.update_items(len(lines), ())

    def action_move(self, step: int) -> None:
        """Scroll by a line: nothing in here can be chosen."""
        self.scroll_by_lines(step)

    def action_first(self) -> None:
        """Go to the first line."""
        self.scroll_by_lines(-self.virtual_size.height)

    def action_open(self) -> None:
        """Nothing in here can be opened."""

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        return estimate(self._shown[index].text, width)

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The line, broken."""
        line = self._shown[index]
        return [[(text, _LOOKS[line.look])] for text in wrap(line.text, width)]

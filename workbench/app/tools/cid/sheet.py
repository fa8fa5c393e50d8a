"""A long text of lines that look differently, such as a comparison: scrolled, broken where it does not fit, copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.app.widgets.lines.flow import flow
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.wrapping import cells
from workbench.harness.text import printable


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line in printable pieces; what does not fit goes on `hang` cells in."""

    pieces: Line
    hang: int = 0

    @property
    def text(self) -> str:
        """The line without its looks."""
        return "".join(text for text, _ in self.pieces)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines, what they are called, and the text to copy."""

    title: str
    lines: tuple[SheetLine, ...]
    text: str


def sheet(title: str, lines: Sequence[SheetLine], *heads: str) -> Sheet:
    """A sheet that is copied as it is shown, below its title and some more heads."""
    text = "\n".join([title, *heads, "", *(line.text.rstrip() for line in lines)])
    return Sheet(title, tuple(lines), f"{text}\n")


def said(text: str, look: str = "", hang: int = 0) -> SheetLine:
    """A line of one look."""
    return SheetLine(((printable(text), look),), hang)


class SheetView(LineView):
    """Shows a sheet."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines_shown: tuple[SheetLine, ...] = ()
        self._words = ""

    def show(self, lines: tuple[SheetLine, ...], words: str = "") -> None:
        """Show these lines from the first; where there are none, `words`."""
        self._lines_shown, self._words = lines, words
        self.reset(len(lines))

    def nothing(self) -> Sequence[str]:
        """Why there is nothing, or what will be here."""
        return (self._words,)

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        line = self._lines_shown[index]
        room = max(width - line.hang, 8)
        return max(1, -(-sum(cells(text) for text, _ in line.pieces) // room))

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The line, broken."""
        line = self._lines_shown[index]
        if not line.hang or sum(cells(text) for text, _ in line.pieces) <= width:
            return flow(line.pieces, width)
        hang = min(line.hang, width // 2)
        first, rest = line.pieces[:-1], line.pieces[-1]
        lead = sum(cells(text) for text, _ in first)
        if lead > width - 8:
            return flow(line.pieces, width)
        broken = flow((rest,), max(width - max(lead, hang), 8))
        return [[*first, *broken[0]], *([(" " * max(lead, hang), ""), *each] for each in broken[1:])]

    def action_move(self, step: int) -> None:
        """Scroll by a line."""
        self.scroll_by_lines(step)

    def action_first(self) -> None:
        """Go to the first line."""
        self.scroll_by_lines(-self.virtual_size.height)

    def action_follow(self) -> None:
        """Go to the last line."""
        self.scroll_by_lines(self.virtual_size.height)

    def action_open(self) -> None:
        """Nothing in here can be opened."""

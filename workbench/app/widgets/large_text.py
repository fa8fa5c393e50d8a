"""What a text area holds, quick also with tens of thousands of lines.

Textual joins and counts all lines for every line that it paints, measures them all at every key, and breaks them all
three times before it shows a text. Here that is done once, and what is known without looking is not looked for.
"""

from __future__ import annotations

from rich.cells import cell_len
from textual.document._document import Document, EditResult, Location
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import get_tab_widths
from textual.geometry import Size


class LargeDocument(Document):
    """The lines of a text. `edits` counts how often they changed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.edits = 0
        self._joined: str | None = None

    @property
    def text(self) -> str:
        """The whole text, with one kind of line end."""
        if self._joined is None:
            self._joined = super().text
        return self._joined

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Put a text where another one is."""
        self.edits += 1
        self._joined = None
        return super().replace_range(start, end, text)

    def get_size(self, tab_width: int) -> Size:
        """The cells of the longest line, and how many lines there are."""
        lines = self._lines
        if self.text.isascii() and "\t" not in self.text:
            # The others that take no cell of their own are painted as one.
            return Size(max(map(len, lines), default=0), len(lines))
        return Size(max((_cells(line, tab_width) for line in lines), default=0), len(lines))


class LargeWrapped(WrappedDocument):
    """The lines of a `LargeDocument` as they are broken."""

    _broken: tuple[int, int, int] | None = None

    def __init__(self, document: LargeDocument, width: int = 0, tab_width: int = 4) -> None:
        """Break a document at a width, 0 for not at all; `wrap` does it anew."""
        self._edits = lambda: document.edits
        super().__init__(document, width, tab_width)

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        """Break all lines, unless they are broken so already."""
        wanted = (width, tab_width or self._tab_width, self._edits())
        if wanted == self._broken:
            return
        if width:
            super().wrap(width, tab_width)
        else:
            self._leave_whole(wanted[1])
        self._broken = wanted

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        """Break those lines that an edit concerns."""
        super().wrap_range(start, old_end, new_end)
        self._broken = (self._width, self._tab_width, self._edits())

    @property
    def height(self) -> int:
        """How many lines there are once they are broken."""
        return len(self._offset_to_line_info)

    def _leave_whole(self, tab_width: int) -> None:
        lines = self.document.lines
        self._width, self._tab_width = 0, tab_width
        self._wrap_offsets = [[] for _ in lines]
        self._offset_to_line_info = [(row, 0) for row in range(len(lines))]
        self._line_index_to_offsets = [[row] for row in range(len(lines))]
        self._tab_width_cache = [_tabs(line, tab_width) for line in lines]


def _cells(line: str, tab_width: int) -> int:
    return len(line) if line.isascii() and "\t" not in line else cell_len(line.expandtabs(tab_width))


def _tabs(line: str, tab_width: int) -> list[int]:
    """The widths of a line's tabs as Textual keeps them: one more for what stands behind the last."""
    if "\t" in line:
        return [width for _, width in get_tab_widths(line, tab_width)]
    return [0] if line else []

"""What the tools of the toolbox draw, as lines with looks. Pure; every text that leaves here is printable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from workbench.app.widgets.drawn_words import picture_words
from workbench.app.widgets.highlight import Span as Colour
from workbench.app.widgets.text_view import PIECE_CHARS, TextLine, lines_of_text
from workbench.app.widgets.wrapping import TAB, fit, wrap
from workbench.harness.text import printable
from workbench.harness.tools.toolbox.drawn import (
    Code,
    Diff,
    DiffRow,
    Drawn,
    Output,
    Picture,
    Place,
    Places,
    Span,
    Style,
    Words,
)

Piece = tuple[str, str]
"""A printable text and the name of its look."""

LOOKS: dict[Style, str] = {
    "plain": "",
    "name": "strong",
    "path": "path",
    "number": "number",
    "command": "command",
    "dim": "quiet",
    "match": "match",
    "added": "added",
    "removed": "removed",
    "warning": "warning",
    "error": "bad",
}
"""The look of each style that a tool may use."""

NEW_LINE = " ⏎ "
"""What a line break is shown as where there is one line."""

PLACE_CHARS = 600
"""Characters of a line of a file that is listed as a place: as many as `grep` gives, and a little more."""

COLOURED_CHARS = 1024 * 1024 + 64 * 1024
"""A longer text stays plain."""

_BREAK = re.compile(r"\r?\n")
_WHITE = re.compile(r"[ \t]+")


@dataclass(eq=False, slots=True)
class CodeText:
    """The lines of a file, printable. Their colours come once somebody worked them out, which takes a while."""

    path: str
    lines: list[str]
    colours: list[list[Colour]] = field(default_factory=list)
    coloured: bool = False

    @property
    def chars(self) -> int:
        """How long it is."""
        return sum(map(len, self.lines))

    def colour(self) -> None:
        """Work the colours out, of a text that is not too long. Not for the thread that answers keys."""
        from workbench.app.widgets.highlight_path import FileHighlighter

        if self.chars <= COLOURED_CHARS:
            self.colours = FileHighlighter(self.path).all_spans(self.lines)
        self.coloured = True


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line to look at. `gutter` stands before its first line on the screen; `place` is where it leads, if it does.

    Of a line of code, `row` is its place in `code`, and `start` the column that it begins with: a very long one is
    shown in pieces.
    """

    pieces: tuple[Piece, ...]
    gutter: Piece = ("", "")
    place: Place | None = None
    code: CodeText | None = None
    row: int = 0
    start: int = 0

    @property
    def text(self) -> str:
        """The text of it, with what stands before."""
        return self.gutter[0] + "".join(text for text, _ in self.pieces)

    def coloured(self) -> Sequence[Piece]:
        """The pieces, in the colours of the code where they are known."""
        if self.code is None or self.row >= len(self.code.colours):
            return self.pieces
        text = self.pieces[0][0] if self.pieces else ""
        return list(_in_colours(text, self.code.colours[self.row], self.start))


ShownLine = TextLine | DrawnLine


def one_line(line: Iterable[Span], most: int) -> tuple[tuple[Piece, ...], bool]:
    """A line of spans in at most so many characters, and whether something was cut."""
    pieces: list[Piece] = []
    left = most
    for span in line:
        # A character is at most nine when it is made visible.
        text = printable(_WHITE.sub(" ", _BREAK.sub(NEW_LINE, span.text[: most * 2])))
        cut = len(text) > left or len(span.text) > most * 2
        if text:
            pieces.append((f"{text[: max(left - 1, 0)]}…" if cut else text, LOOKS[span.style]))
        left -= len(text)
        if cut:
            return tuple(pieces), True
    return tuple(pieces), False


def drawn_lines(blocks: Iterable[Drawn]) -> list[ShownLine]:
    """Blocks as lines, with an empty one between."""
    lines: list[ShownLine] = []
    for block in blocks:
        if lines:
            lines.append(TextLine(""))
        lines += _lines(block)
    return lines


def code_texts(lines: Iterable[ShownLine]) -> list[CodeText]:
    """The texts that these lines are of and that can be coloured."""
    found = {id(line.code): line.code for line in lines if isinstance(line, DrawnLine) and line.code is not None}
    return list(found.values())


def code_lines(text: str, path: str, first: int) -> list[DrawnLine]:
    """The lines of a file, numbered from `first`."""
    lines = printable(text).replace("\t", TAB).split("\n")
    ended = len(lines) > 1 and not lines[-1]
    if ended:
        lines.pop()
    if all(line.endswith("␍") for line in (lines if ended else lines[:-1])):
        # A file that ends its lines as Windows does is shown as any other.
        lines = [line.removesuffix("␍") for line in lines]
    code = CodeText(path, lines)
    digits = len(str(first + len(lines) - 1))
    shown: list[DrawnLine] = []
    for row, line in enumerate(lines):
        for start in range(0, max(len(line), 1), PIECE_CHARS):
            number = f"{first + row:>{digits}} " if not start else " " * (digits + 1)
            pieces = ((line[start : start + PIECE_CHARS], ""),)
            shown.append(DrawnLine(pieces, (number, "quiet"), code=code, row=row, start=start))
    return shown


def broken(pieces: Sequence[Piece], width: int) -> list[list[Piece]]:
    """Pieces as lines of at most so many cells, broken between words."""
    pieces = [(text.replace("\t", TAB), look) for text, look in pieces]
    text = "".join(text for text, _ in pieces)
    lines: list[list[Piece]] = []
    at = 0
    for line in wrap(text, width):
        at = max(text.find(line, at), at)
        lines.append(_sliced(pieces, at, at + len(line)))
        at += len(line)
    return lines


def fitted(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """Pieces on one line of at most so many cells."""
    text = "".join(text for text, _ in pieces)
    short = fit(text, width)
    if short == text:
        return list(pieces)
    kept = _sliced(pieces, 0, max(len(short) - 1, 0))
    return [*kept, ("…", kept[-1][1] if kept else "")]


def diff_rows(removed: str, added: str) -> Iterator[DiffRow]:
    """What stands in place of what, line by line, where its place in the file is not known."""
    for kind, text in (("removed", removed), ("added", added)):
        for line in text.removesuffix("\n").split("\n") if text else ():
            yield DiffRow("removed" if kind == "removed" else "added", None, line)


def _sliced(pieces: Sequence[Piece], begin: int, end: int) -> list[Piece]:
    found: list[Piece] = []
    at = 0
    for text, look in pieces:
        piece = text[max(begin - at, 0) : max(end - at, 0)]
        if piece:
            found.append((piece, look))
        at += len(text)
    return found


def _in_colours(text: str, colours: Sequence[Colour], start: int) -> Iterator[Piece]:
    at = 0
    for begin, end, kind in colours:
        begin, end = max(begin - start, at), min(end - start, len(text))
        if begin >= end:
            continue
        if begin > at:
            yield text[at:begin], ""
        yield text[begin:end], f"syntax {kind}"
        at = end
    if at < len(text) or not text:
        yield text[at:], ""


def _lines(block: Drawn) -> Sequence[ShownLine]:
    match block:
        case Code():
            return code_lines(block.text, block.path, block.first)
        case Diff():
            return _diff_lines(block)
        case Output():
            return [_plain(line) for line in lines_of_text(block.text.removesuffix("\n"))]
        case Places():
            return [_place_line(place) for place in block.rows]
        case Picture():
            return [DrawnLine(((f"picture: {picture_words(block)}. It is not shown here.", ""),))]
        case Words():
            look = LOOKS[block.style]
            return [DrawnLine(((line.text, look),)) for line in lines_of_text(block.text)]


def _plain(line: TextLine) -> DrawnLine:
    return DrawnLine(((line.text.replace("\t", TAB), ""),))


_SIGNS = {"added": "+", "removed": "-", "context": " ", "skipped": " "}


def _diff_lines(diff: Diff) -> list[ShownLine]:
    digits = max((len(str(row.number)) for row in diff.rows if row.number is not None), default=0)
    lines: list[ShownLine] = []
    for row in diff.rows:
        look = row.kind if row.kind in ("added", "removed") else "quiet" if row.kind == "skipped" else ""
        number = f"{'' if row.number is None else row.number:>{digits}} " if digits else ""
        gutter = (f"{_SIGNS[row.kind]} {number}", look or "quiet")
        text = printable(row.text).replace("\t", TAB).replace("\n", NEW_LINE)
        if row.kind == "skipped" and not text.strip(" ."):
            text = "…"
        for start in range(0, max(len(text), 1), PIECE_CHARS):
            lines.append(DrawnLine(((text[start : start + PIECE_CHARS], look),), gutter))
            gutter = (" " * len(gutter[0]), look)
    return lines


def _place_line(place: Place) -> DrawnLine:
    shown = printable(place.shown).replace("\n", NEW_LINE).replace("\t", TAB)
    pieces: list[Piece] = [(shown, "place")]
    if place.line is not None:
        sign = ":" if place.matched else "-"
        pieces.append((f"{sign}{place.line}{sign}", "number"))
    if place.text:
        text = printable(place.text[:PLACE_CHARS]).replace("\t", TAB).replace("\n", NEW_LINE)
        pieces.append((f" {text}", "" if place.matched else "quiet"))
    return DrawnLine(tuple(pieces), place=place)

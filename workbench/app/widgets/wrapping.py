"""Breaking text into lines of so many terminal cells, and guessing how many lines that will be. Pure."""

from __future__ import annotations

import re

from rich.cells import cell_len, chop_cells

TAB = "    "
"""What a tab is shown as; its real width would depend on the column."""

_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0001faff]"
)


def wrap(text: str, width: int) -> list[str]:
    """Break text that is printable already at newlines and, at most `width` cells wide, between words.

    A word that is wider than a line is broken inside. White space at a break goes; the beginning of a line keeps its
    own, because indentation says something. There is always at least one line.
    """
    width = max(width, 1)
    return [line for paragraph in text.replace("\t", TAB).split("\n") for line in _wrap_line(paragraph, width)]


def estimate(text: str, width: int) -> int:
    """How many lines `wrap` will give, roughly, without measuring a character."""
    width = max(width, 1)
    if "\n" not in text:
        return max(1, -(-cells(text) // width))
    return sum(max(1, -(-cells(line) // width)) for line in text.split("\n"))


def cells(text: str) -> int:
    """How many cells a text takes, roughly: one a character, two for those that are known to be wide."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def fit(text: str, width: int) -> str:
    """The text on one line of at most `width` cells, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    kept = chop_cells(text, width - 1)[0] if width > 1 else ""
    return f"{kept.rstrip(' ')}…"


def clipped(text: str, width: int, most: int) -> list[str]:
    """The text in at most so many lines of at most `width` cells, with an ellipsis where the rest was cut."""
    lines = wrap(text, width)
    return lines if len(lines) <= most else [*lines[: most - 1], fit(f"{lines[most - 1]} {lines[most]}…", width)]


def fit_end(text: str, width: int) -> str:
    """The end of the text on one line of at most `width` cells, behind an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    # No character takes less than a cell but those that join others.
    kept = text[-4 * width :]
    while cell_len(kept) > width - 1:
        kept = kept[1:]
    return f"…{kept}"


def overprinted(line: str) -> str:
    """Of a line of output what is left to see: what was printed since the cursor last went back to its beginning."""
    return line.rstrip("\r").rpartition("\r")[2]


def _wrap_line(text: str, width: int) -> list[str]:
    if cell_len(text) <= width:
        return [text]
    lines: list[str] = []
    line, used = "", 0
    for piece in re.findall(r" *[^ ]+| +$", text):
        size = cell_len(piece)
        if used + size <= width:
            line, used = line + piece, used + size
            continue
        if line.strip(" "):
            lines.append(line)
            piece = piece.lstrip(" ")
        elif line or piece.startswith(" "):
            piece = line + piece
        if not piece:
            line, used = "", 0
            continue
        *full, line = chop_cells(piece, width)
        lines += full
        used = cell_len(line)
    if line or not lines:
        lines.append(line)
    return lines

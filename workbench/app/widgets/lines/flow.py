"""Breaking a line of differently looking pieces into lines of so many cells. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.wrapping import TAB, wrap


def flow(line: Line, width: int) -> list[list[Piece]]:
    """The pieces, broken where `wrap` breaks their text; each keeps its look. There is always at least one line."""
    pieces = [(text.replace("\t", TAB), look) for text, look in line]
    text = "".join(text for text, _ in pieces)
    lines = wrap(text, width)
    if len(lines) == 1 and len(lines[0]) == len(text):
        return [[piece for piece in pieces if piece[0]]]
    broken: list[list[Piece]] = []
    at = 0
    for one in lines:
        at = text.index(one, at)
        broken.append(_slice(pieces, at, at + len(one)))
        at += len(one)
    return broken


def _slice(pieces: Sequence[Piece], begin: int, end: int) -> list[Piece]:
    """The pieces of the characters from `begin` to `end`."""
    out: list[Piece] = []
    at = 0
    for text, look in pieces:
        part = text[max(begin - at, 0) : max(end - at, 0)]
        if part:
            out.append((part, look))
        at += len(text)
        if at >= end:
            break
    return out

"""The form in which texts are compared where they do not match as they stand.

Models write plain quotes, hyphens and spaces where a file has typographic ones, and leave out blanks at the ends of
lines. Blanks before and between words keep their meaning, as does case.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.harness.tools.toolbox.editing.composed import composed

BLANK = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
"""Stripped at the end of a line. Written out, because `str.strip` also takes NEL and what separates records."""

_PLAIN = (
    dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b"), "'")
    | dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f"), '"')
    | dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
    | dict.fromkeys([0xA0, *range(0x2002, 0x200B), 0x202F, 0x205F, 0x3000], " ")
)


_LINES = 1024


def normalised_line(line: str, check: Callable[[], None] = lambda: None) -> str:
    """One line, without its ending, in the form for comparing. `check` is asked now and then, and may raise."""
    return line.rstrip(BLANK) if line.isascii() else normalised_part(line, check).rstrip(BLANK)


def normalised_part(part: str, check: Callable[[], None]) -> str:
    """A part of a line that does not reach to its end: blanks at the end of the part end no line."""
    return part if part.isascii() else composed(part, check).translate(_PLAIN)


def normalised_lines(text: str, check: Callable[[], None] = lambda: None) -> list[str]:
    """The lines of a text, which end in `\\n`, in the form for comparing."""
    lines = text.split("\n")
    if text.isascii():
        return [line.rstrip(BLANK) for line in lines]
    forms: list[str] = []
    for first in range(0, len(lines), _LINES):
        check()
        forms += [normalised_line(line, check) for line in lines[first : first + _LINES]]
    return forms


def normalised(text: str, check: Callable[[], None] = lambda: None) -> str:
    """A text whose lines end in `\\n`, in the form for comparing. It has as many lines as before.

    Line by line it is the same as over the whole: composing characters never reaches over the end of a line.
    """
    return "\n".join(normalised_lines(text, check))

"""Unicode's compatibility form (NFKC) of a text that may be made to hurt.

Putting the combining marks behind a letter into their order takes time that grows with the square of their number,
during which nothing else in this process runs. So more than 30 of them in a row, which no writing has (it is also the
bound of Unicode's stream-safe text format), stay as they are: such a text is still found as it stands. Everything else
is done in pieces, with the same result as in one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

from msgspec import Struct

from workbench.harness.tools.toolbox.limits import MARKS_IN_A_ROW

_PIECE = 64 * 1024
# All characters that have to do with the ones before them are in the first two planes of Unicode.
_PLANES = 0x20000
# Vowels and final consonants of Korean, which become one with what is before them by a rule and not by a table.
_KOREAN = range(0x1160, 0x1200)


class _Signs(Struct, frozen=True):
    """`apart` finds a character that has nothing to do with the ones before it, `crowd` a row of too many marks."""

    apart: re.Pattern[str]
    crowd: re.Pattern[str]


def composed(text: str, check: Callable[[], None], size: int = _PIECE) -> str:
    """The text in NFKC, but for rows of too many combining marks. `check` is asked between pieces and may raise.

    `size` is how many characters a piece has at least, where the text is longer.
    """
    if len(text) <= min(MARKS_IN_A_ROW, size):
        return unicodedata.normalize("NFKC", text)
    signs = _signs()
    pieces: list[str] = []
    done = 0
    while done < len(text):
        check()
        cut = signs.apart.search(text, done + size)
        end = cut.start() if cut else len(text)
        for number, part in enumerate(signs.crowd.split(text[done:end])):
            pieces.append(part if number % 2 else unicodedata.normalize("NFKC", part))
        done = end
    return "".join(pieces)


@cache
def _signs() -> _Signs:
    seconds = set(map(chr, _KOREAN))
    for code in range(_PLANES):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    marks: list[int] = []
    bound: list[int] = []
    for code in range(_PLANES):
        plain = unicodedata.normalize("NFKD", chr(code))
        if all(map(unicodedata.combining, plain)):
            marks.append(code)
        if unicodedata.combining(plain[0]) or plain[0] in seconds:
            bound.append(code)
    mark = _class(marks)
    # From the first of a row only: in a row that is not too long, it would be tried again from each of them.
    return _Signs(re.compile(f"[^{_class(bound)}]"), re.compile(f"(?<![{mark}])([{mark}]{{{MARKS_IN_A_ROW + 1},}})"))


def _class(codes: Iterable[int]) -> str:
    """Characters in order, as they stand between the brackets of a regular expression."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)

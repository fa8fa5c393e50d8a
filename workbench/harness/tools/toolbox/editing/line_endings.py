"""A text with the line endings that it has, seen as one whose lines all end in `\\n`."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

ENDING = re.compile(r"\r\n|\r|\n")
"""What ends a line in one of the three ways."""

_MODERN = re.compile(r"\r?\n")


class Change(Struct, frozen=True):
    """New text for a part of a text. Places are characters of the text with `\\n` endings."""

    start: int
    end: int
    new: str


class Endings:
    """`raw` is the text as it is, `text` the same with `\\n` for every `\\r\\n` and lone `\\r`."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = with_newlines(raw)
        # Where in `text` the newlines stand that are two characters in `raw`.
        self._pairs: array[int] = array("Q")
        if len(self.text) != len(raw):
            self._pairs.extend(at.start() - before for before, at in enumerate(re.finditer("\r\n", raw)))

    def at(self, place: int) -> int:
        """Where a place of `text` is in `raw`; never between `\\r` and `\\n`."""
        return place + bisect_left(self._pairs, place)

    def of(self, place: int) -> int:
        """Where a place of `raw` is in `text`; one between `\\r` and `\\n` is where the newline is."""
        if not self._pairs:
            return place
        return bisect_right(range(len(self.text) + 1), place, key=self.at) - 1

    def ending_near(self, start: int, end: int) -> str:
        """How a new line ends that comes between these places of `text`.

        As the lines there do: the first of the part itself, else the line that the part ends in, else the line before.
        A lone `\\r` ends lines only in a text that has no `\\n`; in any other it is a stray character.
        """
        first, last = self.at(start), self.at(end)
        found = _MODERN.search(self.raw, first, last) or _MODERN.search(self.raw, last)
        if found is not None:
            return found[0]
        before = self.raw.rfind("\n", 0, first)
        if before >= 0:
            return "\r\n" if self.raw.startswith("\r", before - 1) and before > 0 else "\n"
        return "\r" if "\r" in self.raw else "\n"

    def changed(self, changes: Sequence[Change]) -> str:
        """`raw` with changes, which are in order and do not overlap. What they leave alone keeps its characters.

        The beginning and the end that old and new text of a change have in common count as left alone.
        """
        pieces: list[str] = []
        done = 0
        for change in changes:
            old = self.text[change.start : change.end]
            head = common_start(old, change.new)
            tail = common_end(old, change.new, min(len(old), len(change.new)) - head)
            start, end = change.start + head, change.end - tail
            new = change.new[head : len(change.new) - tail]
            if "\n" in new:
                inside = "\n" in self.text[start:end]
                place = (start, end) if inside else (change.start, change.end)
                new = new.replace("\n", self.ending_near(*place))
            pieces += (self.raw[done : self.at(start)], new)
            done = self.at(end)
        pieces.append(self.raw[done:])
        return "".join(pieces)


def replaced(text: str, changes: Sequence[Change]) -> str:
    """A text with changes, which are in order and do not overlap."""
    pieces: list[str] = []
    done = 0
    for change in changes:
        pieces += (text[done : change.start], change.new)
        done = change.end
    pieces.append(text[done:])
    return "".join(pieces)


def with_newlines(text: str) -> str:
    """The text with `\\n` for every line ending."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def common_start(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_end(one: str, other: str, most: int) -> int:
    """How many characters, up to `most`, two texts have in common at their end."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low

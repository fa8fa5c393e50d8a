"""Two texts, line by line: what went, what came, with the numbers of the lines. In a time that follows their length.

Lines that stand once in each text anchor the rest (patience); what lies between anchors is compared exactly while it is
small, and is otherwise given as replaced, which is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT = 3
"""Unchanged lines that are shown around a change."""

MOST_ROWS = 10_000
"""Rows of a comparison; what is left over is counted."""

EXACT_PAIRS = 40_000
"""Lines of the one times lines of the other part, up to which parts without anchors are compared exactly."""

MOST_ROUNDS = 24
"""How often what lies between anchors is searched for anchors again."""

Sign = Literal["+", "-", " ", "@"]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line of the old text (`-`), of the new one (`+`), of both (space), or the gap before some lines (`@`).

    `old` and `new` are its numbers, from 1; None where the text does not have it. A gap has the numbers of the line
    behind it.
    """

    sign: Sign
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class TextDiff:
    """The difference of two texts. `notes` say what is not shown, or not compared exactly."""

    rows: tuple[DiffRow, ...]
    added: int
    removed: int
    notes: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether the texts are the same."""
        return not self.added and not self.removed


Span = tuple[int, int, int, int]
"""Lines of the old text from and to, and of the new one."""


def compare_texts(old: str, new: str) -> TextDiff:
    """Compare two texts. Lines end at "\\n" alone, so that a changed line end shows as a changed line."""
    if old == new:
        return TextDiff((), 0, 0, ())
    first, second = old.split("\n"), new.split("\n")
    lines = _Lines(first, second)
    changes = lines.changes()
    rows: list[DiffRow] = []
    total = 0
    for row in _rows(first, second, changes):
        total += 1
        if total <= MOST_ROWS:
            rows.append(row)
    notes: list[str] = []
    if lines.rough:
        notes.append("Parts whose lines repeat too often are shown as replaced as a whole.")
    if total > MOST_ROWS:
        notes.append(f"{total - MOST_ROWS:,} more lines of the comparison are not shown.")
    added = sum(change[3] - change[2] for change in changes)
    removed = sum(change[1] - change[0] for change in changes)
    return TextDiff(tuple(rows), added, removed, tuple(notes))


class _Lines:
    """The search for what is the same in two lists of lines."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        # Numbers in place of lines: a comparison of two long lines costs no more than one of two short ones.
        known: dict[str, int] = {}
        self._old = [known.setdefault(line, len(known)) for line in old]
        self._new = [known.setdefault(line, len(known)) for line in new]
        self.rough = False

    def changes(self) -> list[Span]:
        """The spans that differ, in order; none touches the next."""
        found: list[Span] = []
        waiting: list[tuple[Span, int]] = [((0, len(self._old), 0, len(self._new)), 0)]
        while waiting:
            span, rounds = waiting.pop()
            span = self._trimmed(span)
            if span[0] == span[1] or span[2] == span[3]:
                if span[0] != span[1] or span[2] != span[3]:
                    found.append(span)
                continue
            anchors = self._anchors(span) if rounds < MOST_ROUNDS else []
            if anchors:
                waiting.extend((between, rounds + 1) for between in _between(span, anchors))
            elif (span[1] - span[0]) * (span[3] - span[2]) <= EXACT_PAIRS:
                found.extend(self._exact(span))
            else:
                self.rough = True
                found.append(span)
        return _joined(sorted(found))

    def _trimmed(self, span: Span) -> Span:
        """Without what is the same at both ends."""
        a, b, c, d = span
        while a < b and c < d and self._old[a] == self._new[c]:
            a, c = a + 1, c + 1
        while a < b and c < d and self._old[b - 1] == self._new[d - 1]:
            b, d = b - 1, d - 1
        return a, b, c, d

    def _anchors(self, span: Span) -> list[tuple[int, int]]:
        """Lines that stand once in each part, as many as stand in the same order."""
        a, b, c, d = span
        once = Counter(self._old[a:b])
        other = Counter(self._new[c:d])
        place = {self._new[at]: at for at in range(c, d) if other[self._new[at]] == 1}
        pairs = [
            (at, place[self._old[at]]) for at in range(a, b) if once[self._old[at]] == 1 and self._old[at] in place
        ]
        return _longest_rising(pairs)

    def _exact(self, span: Span) -> Iterator[Span]:
        a, b, c, d = span
        matcher = SequenceMatcher(None, self._old[a:b], self._new[c:d], autojunk=False)
        for kind, i, j, k, m in matcher.get_opcodes():
            if kind != "equal":
                yield a + i, a + j, c + k, c + m


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of pairs whose second numbers rise, as their first ones do."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, second) in enumerate(pairs):
        at = bisect_left(ends, second)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(second)
            last.append(index)
        else:
            ends[at], last[at] = second, index
    chosen: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def _between(span: Span, anchors: list[tuple[int, int]]) -> Iterator[Span]:
    a, b, c, d = span
    for old, new in anchors:
        yield a, old, c, new
        a, c = old + 1, new + 1
    yield a, b, c, d


def _joined(spans: list[Span]) -> list[Span]:
    """Spans that touch, as one."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1][1] == span[0] and found[-1][3] == span[2]:
            found[-1] = (found[-1][0], span[1], found[-1][2], span[3])
        else:
            found.append(span)
    return found


def _rows(old: Sequence[str], new: Sequence[str], changes: list[Span]) -> Iterator[DiffRow]:
    at = 0  # the first line of the old text that was not given yet
    for number, (a, b, c, d) in enumerate(changes):
        before = max(at, a - CONTEXT)
        shift = c - a
        if before > at or (number == 0 and before > 0):
            yield DiffRow("@", before + 1, before + shift + 1, "")
        for line in range(before, a):
            yield DiffRow(" ", line + 1, line + shift + 1, old[line])
        for line in range(a, b):
            yield DiffRow("-", line + 1, None, old[line])
        for line in range(c, d):
            yield DiffRow("+", None, line + 1, new[line])
        following = changes[number + 1][0] if number + 1 < len(changes) else len(old)
        at = min(b + CONTEXT, following)
        for line in range(b, at):
            yield DiffRow(" ", line + 1, line + d - b + 1, old[line])

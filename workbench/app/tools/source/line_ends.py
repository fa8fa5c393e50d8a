"""Line ends of a text while it is edited in an area that knows one kind of them: all stay but what is edited. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

PLAIN = ("\n", "\r\n", "\r")
"""The ends behind which an area begins a line even where nothing follows."""


def carried(exact: str, after: Sequence[str]) -> str:
    """The text that has the lines `after`, and the line ends of `exact` on every line that was not edited.

    A line that was edited keeps its end, a new one gets the end that most lines have.
    """
    pieces = _pieces(exact)
    before = [line for line, _ in pieces]
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    rest = most - head
    tail = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    old = [end for _, end in pieces[head : len(pieces) - tail]]
    new = len(after) - tail - head
    usual = _usual(pieces)
    ends = [end for _, end in pieces[:head]]
    # Of the lines that were edited the last ones are the old ones: whoever breaks a line leaves its end to the second.
    ends += [usual] * (new - len(old)) + old[max(len(old) - new, 0) :]
    ends += [end for _, end in pieces[len(pieces) - tail :]]
    ends = [end or usual for end in ends]
    same_last = tail or (old and new) or head == len(pieces) == len(after)
    ends[-1] = pieces[-1][1] if same_last else ""
    if len(after) > 1 and not after[-1] and not ends[-1] and ends[-2] not in PLAIN:
        # Behind any other end nothing would be seen of the empty line.
        ends[-2] = usual
    for at in range(len(ends) - 2, -1, -1):
        if ends[at] == "\r" and not after[at + 1] and ends[at + 1].startswith("\n"):
            # These two would be taken for one.
            ends[at] = "\n"
    return "".join(line + end for line, end in zip(after, ends, strict=True))


class LineEnds:
    """Follows what an area shows of a text, and tells the text itself."""

    def __init__(self, exact: str = "", shown: str = "") -> None:
        """`shown` is what the area makes of `exact`."""
        self._known = {shown: exact}
        self._exact, self._shown = exact, shown

    def know(self, exact: str, shown: str) -> None:
        """When the area shows this, it stands for that."""
        self._known[shown] = exact

    def follow(self, shown: str, lines: Sequence[str]) -> str:
        """The text, now that the area shows this, in these lines."""
        exact = self._known.get(shown)
        if exact is None:
            exact = shown if self._exact == self._shown else carried(self._exact, lines)
        self._exact, self._shown = exact, shown
        return exact


def _pieces(text: str) -> list[tuple[str, str]]:
    """The lines of a text as an area has them, each with its end."""
    whole = text.splitlines(keepends=True)
    pieces = [(line, each[len(line) :]) for line, each in zip(text.splitlines(), whole, strict=True)]
    return [*pieces, ("", "")] if text.endswith(PLAIN) or not text else pieces


def _usual(pieces: Sequence[tuple[str, str]]) -> str:
    common = Counter(end for _, end in pieces if end in PLAIN).most_common(1)
    return common[0][0] if common else "\n"

"""What is streamed, as items behind the rows of the log. Pure.

However much comes, a frame takes in a bounded part of it and changes only what is at the end; so an answer of
megabytes costs a frame no more than one of a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.app.transcript.rows import one_line
from workbench.app.widgets.wrapping import estimate, fit, wrap
from workbench.harness.text import printable

if TYPE_CHECKING:
    from workbench.app.live import Live

FRAME_CHARS = 64_000
"""Characters that a frame takes in: making them printable takes a few milliseconds."""

CHUNK_CHARS = 2_000
"""Characters of an item of streamed text; all of it is broken anew with each frame, but for what is whole."""

CHUNK_LINES = 40
"""Line breaks in an item of streamed text."""

Piece = tuple[str, str]


class Growing:
    """A text that grows, in items of bounded size."""

    def __init__(self) -> None:
        self.chunks: list[str] = []
        self._taken = 0

    def take(self, pieces: Sequence[str], most: int) -> tuple[int, int]:
        """Take in pieces that were not taken yet, about so many characters: how many, and the first changed item."""
        changed, took = len(self.chunks), 0
        begin = self._taken
        while self._taken < len(pieces) and took < most:
            took += len(pieces[self._taken])
            self._taken += 1
        if took:
            changed = self._add(printable("".join(pieces[begin : self._taken])))
        return took, changed

    @property
    def taken(self) -> int:
        """How many pieces were taken in."""
        return self._taken

    def _add(self, text: str) -> int:
        changed = max(len(self.chunks) - 1, 0)
        # As in the row that the answer becomes, it does not begin with empty lines.
        rest = self.chunks.pop() + text if self.chunks else text.lstrip("\n")
        while (cut := _cut_at(rest)) is not None:
            upto, begin = cut
            self.chunks.append(rest[:upto])
            rest = rest[begin:]
        self.chunks.append(rest)
        return changed


def _cut_at(text: str) -> tuple[int, int] | None:
    """Where an item that has grown too long ends and the next one begins: between lines, words, or anywhere."""
    lines = -1
    for _ in range(CHUNK_LINES):
        lines = text.find("\n", lines + 1)
        if lines < 0:
            break
    else:
        if lines < CHUNK_CHARS:
            return lines, lines + 1
    if len(text) <= CHUNK_CHARS:
        return None
    line = text.rfind("\n", 0, CHUNK_CHARS)
    if line >= 0:
        return line, line + 1
    space = text.rfind(" ", CHUNK_CHARS // 2, CHUNK_CHARS)
    return (space, space + 1) if space >= 0 else (CHUNK_CHARS, CHUNK_CHARS)


class LiveItems:
    """The items: what it does, what it thinks if that is opened, what it says, the calls that it writes."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._fault = ""
        self._answer = -1
        self._said = Growing()
        self._thought = Growing()
        self._calls: list[str] = []
        self._count = 0
        self.opened = False
        """Whether what it thinks is shown."""

    def __len__(self) -> int:
        return self._count

    @property
    def behind(self) -> bool:
        """Whether more came than was taken in."""
        live = self._live
        if live is None:
            return False
        return self._said.taken < len(live.text) or (self.opened and self._thought.taken < len(live.thinking))

    def show(self, live: Live | None, fault: str | None) -> int | None:
        """Take in what is so now; answers from which item on something is different, None for nothing."""
        fault = fault if live is None and fault else ""
        if live is not self._live or fault != self._fault or (live is not None and live.answer != self._answer):
            self._live, self._fault = live, fault
            self._answer = live.answer if live is not None else -1
            self._said, self._thought, self._calls = Growing(), Growing(), []
            self._take()
            self._count = self._counted()
            return 0
        if live is None:
            return None
        changed = self._take()
        self._count = self._counted()
        return changed

    def toggle(self) -> None:
        """Show what it thinks, or no more."""
        self.opened = not self.opened
        self._thought = Growing()
        self._take()
        self._count = self._counted()

    def estimate(self, place: int, width: int) -> int:
        """About how many lines an item has."""
        text, _ = self._item(place)
        return estimate(text, max(width, 1)) if place else 1

    def lines(self, place: int, width: int) -> list[Piece]:
        """An item as lines of at most so many cells, each with its look."""
        text, look = self._item(place)
        if place == 0 and not self._fault:
            return [(fit(text, width), look)]
        return [(line, look) for line in wrap(text, width)]

    def _take(self) -> int | None:
        live = self._live
        if live is None:
            return None
        changed: int | None = None
        room = FRAME_CHARS
        if self.opened:
            took, first = self._thought.take(live.thinking, room)
            room -= took
            if took:
                changed = 1 + first
        took, first = self._said.take(live.text, max(room, 1))
        said_at = 1 + (len(self._thought.chunks) if self.opened else 0)
        if took and changed is None:
            changed = said_at + first
        calls = [_call_words(name, head, chars) for name, head, chars in _calls(live)]
        if calls != self._calls:
            same = next((at for at, (a, b) in enumerate(zip(calls, self._calls, strict=False)) if a != b), None)
            place = min(len(calls), len(self._calls)) if same is None else same
            at = said_at + len(self._said.chunks) + place
            changed = at if changed is None else min(changed, at)
            self._calls = calls
        return changed

    def _counted(self) -> int:
        if self._live is None:
            return 1 if self._fault else 0
        thought = len(self._thought.chunks) if self.opened else 0
        return 1 + thought + len(self._said.chunks) + len(self._calls)

    def _item(self, place: int) -> tuple[str, str]:
        live = self._live
        if live is None:
            return f"✗ {printable(self._fault)}", "bad"
        if place == 0:
            return _head(live, self.opened), "quiet"
        place -= 1
        for texts, look in ((self._thought.chunks if self.opened else [], "quiet"), (self._said.chunks, "")):
            if place < len(texts):
                return texts[place], look
            place -= len(texts)
        return self._calls[place], "strong"


def _head(live: Live, opened: bool) -> str:
    if live.doing == "waiting":
        return f"{live.words} · {one_line(live.wait_reason)[0]}"
    said = [live.words]
    if live.thought:
        said.append(f"thought {live.thought:,} chars, enter {'folds' if opened else 'shows'} it")
    if live.doing != "opening":
        said.append(one_line(live.model, 60)[0])
    return " · ".join(said)


def _calls(live: Live) -> list[tuple[str, str, int]]:
    return [(call.name, call.head, call.chars) for _, call in sorted(live.calls.items())]


def _call_words(name: str, head: str, chars: int) -> str:
    shown, _ = one_line(head, 200)
    more = f" · {chars:,} characters so far" if chars > len(head) else ""
    return f"writing call {one_line(name, 80)[0]} {shown}{'' if more else '…'}{more}"

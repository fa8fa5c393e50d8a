"""What the supervisor of a command tells, read from bytes that may be anything. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

_MAX_LINE_BYTES = 64 * 1024
_MAX_DIGITS = 9
_PLACES = frozenset((b"watch", b"start", b"directory", b"shell"))

What = Literal["failed", "started", "exit", "signal", "left"]


class News(Struct, frozen=True):
    """One line: what happened, its numbers, and the place where a start failed."""

    what: What
    numbers: tuple[int, ...]
    place: str = ""


class Telling:
    """Bytes go in, in any pieces; news come out.

    Only of lines that begin with the token, which no command is given, and that are as they should be. Others are
    passed over.
    """

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._begun = b""
        self._passing = False

    def take(self, data: bytes) -> list[News]:
        """Add what came; gives what is whole by it."""
        *lines, begun = (self._begun + data).split(b"\n")
        found: list[News] = []
        for line in lines:
            passed, self._passing = self._passing, False
            if not passed and (news := self._read(line)) is not None:
                found.append(news)
        # Of a line that is too long nothing is held; its end is passed over with it.
        self._passing = self._passing or len(begun) > _MAX_LINE_BYTES
        self._begun = b"" if self._passing else begun
        return found

    def _read(self, line: bytes) -> News | None:
        token, *words = line.split(b" ")
        if token != self._token:
            return None
        match words:
            case [b"failed", place, number] if place in _PLACES:
                numbers = _numbers([number])
                return None if numbers is None else News("failed", numbers, place.decode())
            case [(b"started" | b"exit" | b"signal") as what, number]:
                numbers = _numbers([number])
            case [b"left" as what, *many]:
                numbers = _numbers(many)
            case _:
                return None
        return None if numbers is None else News(_WHATS[what], numbers)


_WHATS: dict[bytes, What] = {b"started": "started", b"exit": "exit", b"signal": "signal", b"left": "left"}


def _numbers(words: list[bytes]) -> tuple[int, ...] | None:
    if all(word.isdigit() and len(word) <= _MAX_DIGITS for word in words):
        return tuple(map(int, words))
    return None

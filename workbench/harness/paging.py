"""Pages of a long text: exact slices by lines, so that the pages joined are the text.

A page holds at most 2,000 lines and 50 KB. Lines end at "\\n" only. A line that is longer than a page is given in
pieces: the position inside it is `(line, byte)`, the bytes of that line that were already given. Pages are cut from
bytes, so a file of any size is paged with the same rules and without holding it in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from msgspec import Struct

from workbench.harness.errors import HarnessError

MAX_LINES = 2000
"""Lines of one page at most."""

MAX_BYTES = 50 * 1024
"""Bytes of one page at most, in UTF-8."""

NOTICE_BYTES = 256
"""Bytes that a closing notice takes at most."""

HOW = "options.offset"
"""How a reader asks for the next page of what the verb `read` gives."""

Position = int | tuple[int, int]
"""Where a page begins: a line, counted from 1, or `(line, byte)` inside a long line, bytes counted from 0."""

_CHUNK = 256 * 1024
_STEP = 1024


class Source(Protocol):
    """Bytes of UTF-8 to be paged: something that can be read from any place."""

    @property
    def size(self) -> int:
        """All its bytes."""
        ...

    def read(self, start: int, length: int) -> bytes:
        """Give the bytes from `start` on, fewer than `length` only at the end."""
        ...


class Page(Struct, frozen=True):
    """One page: `content` is an exact slice, `next_offset` is None on the last one.

    `first` is where it begins, `last` the last line that it touches (0 for an empty text), `total_lines` counts the
    whole text.
    """

    content: str
    first: Position
    next_offset: Position | None
    total_lines: int
    last: int

    @property
    def whole(self) -> bool:
        """Whether this page is the whole text."""
        return self.first == 1 and self.next_offset is None


class _Bytes(Struct, frozen=True):
    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, start: int, length: int) -> bytes:
        return self.data[start : start + length]


def position(value: object, what: str = HOW) -> Position:
    """Read a position from untrusted input: a line from 1, or `[line, byte]` as a `next_offset` gave it.

    Raises HarnessError `bad_input`, naming `what`.
    """
    if _counts(value, least=1):
        return cast(int, value)
    if isinstance(value, (list, tuple)):
        pair = cast("Sequence[object]", value)
        if len(pair) == 2 and _counts(pair[0], least=1) and _counts(pair[1], least=0):
            line, byte = cast("Sequence[int]", pair)
            return (line, byte) if byte else line
    raise HarnessError(
        "bad_input",
        f"{what} must be a line number from 1, or [line, byte] inside a long line, as a next_offset gave it",
    )


def line_limit(value: object, what: str = "options.limit") -> int | None:
    """Read a number of lines from untrusted input; None if it is absent.

    More than a page holds is allowed and means a full page. Raises HarnessError `bad_input`, naming `what`.
    """
    if value is None:
        return None
    if _counts(value, least=1):
        return min(cast(int, value), MAX_LINES)
    raise HarnessError("bad_input", f"{what} must be a number of lines from 1 (a page holds at most {MAX_LINES:,})")


def page(
    text: str,
    offset: Position = 1,
    limit: int | None = None,
    *,
    max_lines: int = MAX_LINES,
    max_bytes: int = MAX_BYTES,
) -> Page:
    """Cut the page that begins at `offset`, with at most `limit` lines.

    Never empty but for an empty text. Raises HarnessError `bad_input` for a position that the text does not have.
    """
    source = _Bytes(text.encode("utf-8", "surrogatepass"))
    return page_source(source, offset, limit, max_lines=max_lines, max_bytes=max_bytes)


def page_source(
    source: Source,
    offset: Position = 1,
    limit: int | None = None,
    *,
    max_lines: int = MAX_LINES,
    max_bytes: int = MAX_BYTES,
) -> Page:
    """Do what `page` does for bytes of valid UTF-8, holding no more of them than one page and one chunk."""
    line, byte = offset if isinstance(offset, tuple) else (offset, 0)
    begin, total_lines = _find_line(source, line)
    if begin is None:
        raise HarnessError("bad_input", f"there is no line {line}: the text has {_lines(total_lines)}")
    start = begin + byte
    if byte:
        _check_inside(source, line, begin, byte)

    lines = min(max_lines, limit) if limit is not None else max_lines
    window = source.read(start, max_bytes + 1)
    end = _page_end(window, lines, max_bytes)
    given = window[:end]
    content = given.decode("utf-8", "surrogatepass")
    breaks = given.count(b"\n")
    ends_line = given.endswith(b"\n")
    last = line + breaks - (1 if ends_line else 0) if given else 0

    following: Position | None = None
    if start + end < source.size and given:
        if ends_line:
            following = line + breaks
        else:
            following = (line + breaks, end - given.rfind(b"\n") - 1 if breaks else byte + end)
    return Page(content, (line, byte) if byte else line, following, total_lines, last)


def notice(page: Page, how: str = HOW) -> str:
    """Say on one line which part a page is and how to go on; empty if the page is the whole text.

    At most `NOTICE_BYTES` long. `how` names what the position is given to.
    """
    if page.whole:
        return ""
    begin, inside = page.first if isinstance(page.first, tuple) else (page.first, 0)
    if begin == page.last:
        part = f"line {begin} of {page.total_lines}"
    else:
        part = f"lines {begin}-{page.last} of {page.total_lines}"
    if inside:
        part += f", from byte {inside} of line {begin}"
    following = page.next_offset
    if following is None:
        return f"[{part}; the end]"
    if isinstance(following, tuple):
        return f"[{part}, up to byte {following[1]} of line {following[0]}; go on with {how} {list(following)}]"
    return f"[{part}; go on with {how} {following}]"


def page_with_notice(text: str, offset: Position = 1, limit: int | None = None, *, how: str = HOW) -> tuple[str, Page]:
    """Cut a page that carries its own notice as a last line: the text to show, and the page that is in it.

    The text, notice included, is at most 2,000 lines and 50 KB. A text that fits a page is given as it is. For texts
    that travel without a `next_offset` beside them, as contracts do.
    """
    whole = page(text, offset, limit)
    if whole.whole:
        return whole.content, whole
    part = page(text, offset, limit, max_lines=MAX_LINES - 1, max_bytes=MAX_BYTES - NOTICE_BYTES)
    between = "" if part.content.endswith("\n") else "\n"
    return f"{part.content}{between}{notice(part, how)}", part


def _counts(value: object, *, least: int) -> bool:
    """Whether this is an integer from `least` on; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _find_line(source: Source, line: int) -> tuple[int | None, int]:
    """Find the byte at which a line begins (None if there is no such line), and count all lines, in one pass."""
    begin = 0 if line == 1 else None
    breaks = 0
    last = b"\n"
    for at in range(0, source.size, _CHUNK):
        chunk = source.read(at, _CHUNK)
        found = chunk.count(b"\n")
        if begin is None and breaks + found >= line - 1:
            begin = at + nth_break(chunk, line - 1 - breaks) + 1
        breaks += found
        last = chunk[-1:] or last
    if begin is not None and begin >= source.size and line > 1:
        begin = None
    return begin, breaks + (0 if last == b"\n" else 1)


def nth_break(data: bytes | bytearray, nth: int, end: int | None = None) -> int:
    """Find the place of the nth newline before `end`, which is there.

    Halves are counted first, because a step for each line is slow.
    """
    low, high = 0, len(data) if end is None else end
    while high - low > _STEP:
        middle = (low + high) // 2
        before = data.count(b"\n", low, middle)
        if before >= nth:
            high = middle
        else:
            low, nth = middle, nth - before
    at = low - 1
    for _ in range(nth):
        at = data.index(b"\n", at + 1)
    return at


def _check_inside(source: Source, line: int, begin: int, byte: int) -> None:
    """Refuse a byte that is past the line's end or inside a character."""
    for at in range(begin, min(begin + byte, source.size), _CHUNK):
        stop = source.read(at, min(_CHUNK, begin + byte - at)).find(b"\n")
        if stop >= 0:
            raise HarnessError("bad_input", f"line {line} has {at + stop - begin} bytes, so there is no byte {byte}")
    follows = source.read(begin + byte, 1)
    if not follows:
        raise HarnessError("bad_input", f"line {line} has {source.size - begin} bytes, so there is no byte {byte}")
    if follows[0] & 0xC0 == 0x80:
        raise HarnessError(
            "bad_input", f"byte {byte} of line {line} is inside a character: take a next_offset as given"
        )


def _page_end(window: bytes, lines: int, max_bytes: int) -> int:
    """Find where the page ends in the bytes from its start on, of which there are more than fit or no more at all."""
    end = len(window)
    if end > max_bytes:
        end = window.rfind(b"\n", 0, max_bytes) + 1
        if not end:
            end = max_bytes
            while window[end] & 0xC0 == 0x80:
                end -= 1
    if window.count(b"\n", 0, end) >= lines:
        end = nth_break(window[:end], lines) + 1
    return end

"""A page of a text file of any size, in one pass over it and in little memory.

A newline ends a line and starts none, as `wc -l` counts; a last line without one counts as well. No more than one
chunk and one page are held, however long the file or a line of it is.
"""

from __future__ import annotations

import os
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from workbench.harness.errors import HarnessError
from workbench.harness.paging import nth_break
from workbench.harness.tools.toolbox.in_thread import Check
from workbench.harness.tools.toolbox.limits import MAX_BYTES
from workbench.harness.tools.toolbox.truncate import Truncation, head, size_words

_CHUNK = 1024 * 1024
_WINDOW = MAX_BYTES + 2
"""Bytes from the page's start on that are looked at: with one line's end and one more byte, the cut is known."""

_NEWLINE = "\n"


class TextPage(Struct, frozen=True):
    """What was found: the text of the answer, with its notice, and the details of it."""

    text: str
    details: dict[str, Any] | None = None


class _Scan(Struct, frozen=True):
    """A pass over a file: its lines, its bytes, where the lines that were asked for begin, and what follows the first.

    A line is missing among the places where the file ends before it.
    """

    lines: int
    size: int
    places: dict[int, int]
    window: bytes


def text_page(descriptor: int, first: int, limit: int | None, quoted: str, check: Check) -> TextPage:
    """The page that begins with a line, counted from 1, of `limit` lines at most.

    `quoted` is the file's path as a shell takes it.

    Raises:
        HarnessError: `bad_input` for a line that the file does not have; `cancelled` as `check` raises it.
    """
    scan = _scan(descriptor, first, limit, check)
    if first > max(scan.lines, 1):
        raise HarnessError("bad_input", f"Offset {first} is beyond end of file ({scan.lines} lines total)")
    left = scan.lines - (first - 1)
    wanted = left if limit is None else min(left, limit)
    size = (scan.places[first + wanted] if wanted < left else scan.size) - scan.places.get(first, 0)
    cut = head(scan.window[:size].decode("utf-8", "replace"))
    return _answer(replace(cut, total_lines=wanted, total_bytes=size), scan, first, quoted)


def _answer(cut: Truncation, scan: _Scan, first: int, quoted: str) -> TextPage:
    wanted = cut.total_lines
    if cut.first_exceeds:
        size = size_words(_line_bytes(scan, first))
        return TextPage(
            f"[Line {first} is {size}, exceeds {size_words(MAX_BYTES)} limit. "
            f"Use bash: sed -n '{first}p' {quoted} | head -c {MAX_BYTES}]",
            {"truncation": cut.details()},
        )
    last = first + cut.lines - 1
    if cut.lines < wanted:
        why = "" if cut.by == "lines" else f" ({size_words(MAX_BYTES)} limit)"
        notice = f"[Showing lines {first}-{last} of {scan.lines}{why}. Use offset={last + 1} to continue.]"
        return TextPage(f"{cut.content}\n\n{notice}", {"truncation": cut.details()})
    following = scan.lines - (first - 1) - wanted
    if following > 0:
        notice = f"[{following} more lines in file. Use offset={first + wanted} to continue.]"
        return TextPage(f"{cut.content.removesuffix(_NEWLINE)}\n\n{notice}")
    return TextPage(cut.content)


def _line_bytes(scan: _Scan, line: int) -> int:
    """How long a line is, in the file, or as text where only its replaced bytes make it too long."""
    following = scan.places.get(line + 1)
    raw = (scan.size if following is None else following - 1) - scan.places[line]
    return raw if raw > MAX_BYTES else len(scan.window[:raw].decode("utf-8", "replace").encode())


def _scan(descriptor: int, first: int, limit: int | None, check: Check) -> _Scan:
    """Read the file once, to its end: the bytes of one page are kept, and the rest is only counted."""
    targets = sorted({first, first + 1} | ({first + limit} if limit else set()))
    places: dict[int, int] = {1: 0} if 1 in targets else {}
    targets = [line for line in targets if line > 1]
    buffer = bytearray(_CHUNK)
    window = bytearray()
    at = breaks = 0
    last = 0x0A
    while True:
        check()
        got = os.readv(descriptor, [buffer])
        if not got:
            break
        found = buffer.count(b"\n", 0, got)
        while targets and breaks + found >= targets[0] - 1:
            line = targets.pop(0)
            places[line] = at + nth_break(buffer, line - 1 - breaks, got) + 1
        begin = places.get(first)
        if begin is not None and len(window) < _WINDOW:
            start = max(begin - at, 0)
            window += buffer[start : min(got, start + _WINDOW - len(window))]
        breaks += found
        at += got
        last = buffer[got - 1]
    return _Scan(breaks + (0 if last == 0x0A else 1), at, places, bytes(window))

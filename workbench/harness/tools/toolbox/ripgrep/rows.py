"""The lines that ripgrep prints, as rows: matches and context merged, the first matches in the order of paths.

ripgrep searches files side by side and prints each as it is done. What cannot be among the first matches is dropped as
soon as that is certain, so a pattern that is everywhere takes no more memory than one that is rare.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from workbench.harness.tools.toolbox.limits import GREP_LINE_CHARS, MAX_BYTES
from workbench.harness.tools.toolbox.ripgrep.names import one_row, swapped

CUT = "... [truncated]"
"""Stands behind a line of which the end is missing."""

LINE_BYTES = 4 * GREP_LINE_CHARS + 4
"""Bytes of a line that are kept. A longer one has more characters than are shown, whatever they are."""

FORMAT = (
    "--no-heading",
    "--with-filename",
    "--line-number",
    "--null",
    "--no-context-separator",
    f"--max-columns={LINE_BYTES}",
    "--max-columns-preview",
)
"""How ripgrep is to print what `Matches` takes."""

MOST = MAX_BYTES // 6
"""Matches that an answer can hold at most: `a:1: ` and a newline are the least of a row."""

_ROOM = 64
_LONGEST = 64 * 1024
_FILE_BYTES = 4 * MAX_BYTES
_HEAD = re.compile(rb"(\d+)([:-])")
_BROKEN_OFF = b": WARNING: stopped searching binary file after match"
_REMARKS = (_BROKEN_OFF, b": binary file matches")


class Row(Struct, frozen=True):
    """A line of a file, as bytes: its beginning, and whether that is not all of it."""

    number: int
    matched: bool
    text: bytes
    long: bool


class _File(Struct):
    key: bytes
    rows: list[Row]
    matches: int = 0
    bytes: int = 0
    unkept: int = 0
    unkept_bytes: int = 0
    broken_off: bool = False


class Found(Struct, frozen=True):
    """The rows of an answer, whether there were more matches than asked for, and whether lines were cut.

    `unkept` and `unkept_bytes` count rows that belong to it and lie far behind all that an answer has room for.
    `broken_off` are the files with rows in it that were searched only up to a NUL byte.
    """

    rows: tuple[str, ...]
    more: bool
    cut: bool
    unkept: int = 0
    unkept_bytes: int = 0
    broken_off: tuple[str, ...] = ()


class Matches:
    """Takes what ripgrep prints, and keeps the first `limit` matches and one more, of files that `wanted` admits."""

    def __init__(self, wanted: Callable[[str], bool] | None, *, limit: int, context: int) -> None:
        self._wanted = wanted
        self._limit = limit
        self._context = context
        self._keep = min(limit, MOST) + 1
        self._counting = limit > MOST
        self._count = 0
        self._files: list[_File] = []
        self._held = 0
        self._last: bytes | None = None
        self._path: bytes | None = None
        self._open: _File | None = None
        self._begun = bytearray()
        self._printed = b""
        self._cleared = b""
        self._rest = b""

    def take(self, data: bytes) -> None:
        """Take a piece of what was printed, which may end anywhere."""
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > _LONGEST:
            self._rest = self._rest[: _LONGEST // 2]
        for line in lines:
            path, nul, row = line.partition(b"\0")
            if not nul:
                # The beginning of a name with a newline in it, or a remark about a binary file.
                self._begun += line
                self._begun += b"\n"
                if len(self._begun) > 2 * _LONGEST:
                    del self._begun[:-_LONGEST]
                continue
            if self._begun:
                self._look_for_break()
                path = self._without_remarks(bytes(self._begun) + path)
                self._begun.clear()
            if path != self._path:
                self._enter(path)
            if self._open is not None:
                self._add(self._open, row)

    def found(self) -> Found:
        """The answer. Within a file rows ascend and none comes twice."""
        self._look_for_break()
        self._close()
        self._trim()
        rows: list[str] = []
        left = self._limit
        more = self._counting and self._count > self._limit
        cut = False
        unkept = unkept_bytes = 0
        broken_off: list[str] = []
        for file in self._files:
            if left == 0:
                more = True
                break
            shown, over = _first(file, left, self._context)
            more = more or over
            left -= min(left, file.matches)
            unkept += file.unkept
            unkept_bytes += file.unkept_bytes
            name = one_row(_name(swapped(file.key)))
            if file.broken_off and not over:
                broken_off.append(name)
            for row in shown:
                text, shortened = _text(row)
                cut = cut or shortened
                mark = ":" if row.matched else "-"
                rows.append(f"{name}{mark}{row.number}{mark} {text}")
        return Found(tuple(rows), more, cut, unkept, unkept_bytes, tuple(broken_off))

    def _without_remarks(self, printed: bytes) -> bytes:
        """What was printed before a row, without what it says about other files; every row of a file has it anew."""
        if printed != self._printed:
            self._printed, self._cleared = printed, _behind_remarks(printed)
        return self._cleared

    def _look_for_break(self) -> None:
        """Take up the remark that the file of the last row ends with, where it was searched only up to a NUL byte."""
        if self._open is not None and self._path is not None and self._begun.startswith(self._path + _BROKEN_OFF):
            self._open.broken_off = True

    def _enter(self, path: bytes) -> None:
        self._close()
        self._path = path
        key = swapped(path)
        if self._last is not None and key > self._last and not self._counting:
            return
        if self._wanted is None or self._wanted(_name(path).decode("utf-8", "replace")):
            self._open = _File(key, [])

    def _add(self, file: _File, line: bytes) -> None:
        head = _HEAD.match(line)
        if head is None:
            return
        matched = head[2] == b":"
        file.matches += matched
        if file.bytes >= _FILE_BYTES:
            # Behind so much of one file nothing can be shown any more.
            if file.matches <= self._limit:
                file.unkept += 1
                file.unkept_bytes += len(_name(file.key)) + min(len(line), GREP_LINE_CHARS) + 3
            return
        text = line[head.end() : head.end() + LINE_BYTES]
        file.rows.append(Row(int(head[1]), matched, text, len(line) - head.end() > LINE_BYTES))
        file.bytes += len(text) + head.end()

    def _close(self) -> None:
        file, self._open = self._open, None
        if file is None:
            return
        self._count += file.matches
        if self._last is None or file.key < self._last:
            self._files.append(file)
            self._held += file.matches
            if self._held >= 2 * self._keep + _ROOM:
                self._trim()

    def _trim(self) -> None:
        self._files.sort(key=lambda file: file.key)
        held = 0
        for place, file in enumerate(self._files):
            held += file.matches
            if held >= self._keep:
                del self._files[place + 1 :]
                self._last = file.key
                break
        self._held = held


def _behind_remarks(printed: bytes) -> bytes:
    """The path behind the last remark, which ends with its line."""
    last = printed.rfind(b"\n")
    at = max(printed.rfind(remark, 0, last) for remark in _REMARKS)
    return printed if at < 0 else printed[printed.index(b"\n", at) + 1 :]


def _name(path: bytes) -> bytes:
    return path.removeprefix(b"./")


def _first(file: _File, left: int, context: int) -> tuple[list[Row], bool]:
    """The rows of a file up to its first so many matches with their context, and whether it has more matches."""
    if file.matches <= left:
        return file.rows, False
    numbers = [row.number for row in file.rows if row.matched]
    last = numbers[left - 1] if left <= len(numbers) else file.rows[-1].number
    shown = [row for row in file.rows if row.number <= last]
    # A match that is too many may still be context of the last one.
    after = [row for row in file.rows if last < row.number <= last + context]
    return shown + [Row(row.number, False, row.text, row.long) for row in after], True


def _text(row: Row) -> tuple[str, bool]:
    text = row.text.decode("utf-8", "replace").replace("\r", "").replace("\0", "\ufffd")
    if row.number == 1:
        text = text.removeprefix("\ufeff")
    if row.long or len(text) > GREP_LINE_CHARS:
        return text[:GREP_LINE_CHARS] + CUT, True
    return text, False

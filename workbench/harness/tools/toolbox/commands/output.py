"""The output of a command as it comes: its end is held, the rest is counted. Pure, and bounded in memory."""

from __future__ import annotations

import codecs

import msgspec

from workbench.harness.tools.toolbox.limits import MAX_BYTES, MAX_LINES
from workbench.harness.tools.toolbox.truncate import Truncation, size_words, tail

# More than is shown by a newline and a character that is cut: a text of which more came is then never taken for whole.
_HELD = MAX_BYTES + 8

NOTHING = "(no output)"
"""What stands for an output that is empty."""


class Output:
    """Bytes go in, in any pieces; text comes out, as UTF-8 with U+FFFD for what is none."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._end = bytearray()
        self._whole = True
        self._newlines = 0
        self._ended = True
        self.total_bytes = 0
        self.line_bytes = 0
        """Bytes of the last line, without its newline, also where only the end of it is held."""

    def take(self, data: bytes) -> None:
        """Add what came."""
        self._add(self._decoder.decode(data).encode())

    def finish(self) -> None:
        """Nothing comes any more: a character that was begun stays unfinished."""
        self._add(self._decoder.decode(b"", final=True).encode())

    @property
    def total_lines(self) -> int:
        """Lines so far. A newline ends a line and starts none."""
        return self._newlines + (0 if self._ended else 1)

    @property
    def passed(self) -> bool:
        """Whether it is more than is shown of it."""
        return self.total_lines > MAX_LINES or self.total_bytes > MAX_BYTES

    def shown(self) -> Truncation:
        """What is shown of it so far, and what it is."""
        cut = tail(self._end.decode())
        if self._whole:
            return cut
        return msgspec.structs.replace(cut, total_lines=self.total_lines, total_bytes=self.total_bytes)

    def _add(self, text: bytes) -> None:
        if not text:
            return
        self.total_bytes += len(text)
        self._newlines += text.count(b"\n")
        if self._ended:
            self.line_bytes = 0
        self._ended = text.endswith(b"\n")
        line_end = len(text) - 1 if self._ended else len(text)
        before = text.rfind(b"\n", 0, line_end)
        self.line_bytes = self.line_bytes + line_end if before < 0 else line_end - before - 1
        if len(text) >= _HELD:
            self._end = bytearray(text[-_HELD:])
        else:
            self._end += text
            if len(self._end) > 2 * _HELD:
                del self._end[:-_HELD]
        self._whole = len(self._end) == self.total_bytes
        while not self._whole and self._end[0] & 0xC0 == 0x80:
            del self._end[0]


def notice(cut: Truncation, line_bytes: int, rest: str) -> str:
    """The row in brackets below an output that was cut; `rest` says where the rest of it is."""
    if cut.last_partial:
        kept, whole = size_words(cut.bytes), size_words(line_bytes)
        return f"[Showing last {kept} of line {cut.total_lines} (line is {whole}). {rest}]"
    lines = f"{cut.total_lines - cut.lines + 1}-{cut.total_lines} of {cut.total_lines}"
    limit = f" ({size_words(cut.max_bytes)} limit)" if cut.by == "bytes" else ""
    return f"[Showing lines {lines}{limit}. {rest}]"

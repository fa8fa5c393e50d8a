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


class _Size:
    """How many bytes there are, and in the last line without its newline. A newline ends a line and starts none."""

    def __init__(self) -> None:
        self.total = 0
        self.line = 0
        self._ended = False

    def add(self, piece: bytes) -> None:
        if not piece:
            return
        if self._ended:
            self.line = 0
        self._ended = piece.endswith(b"\n")
        end = len(piece) - 1 if self._ended else len(piece)
        before = piece.rfind(b"\n", 0, end)
        self.line = self.line + end if before < 0 else end - before - 1
        self.total += len(piece)


class Output:
    """Bytes go in, in any pieces; text comes out, as UTF-8 with U+FFFD for what is none.

    Sizes are told of the bytes that went in. What is shown is bounded by those of the text, which are what a model is
    given; they are more where U+FFFD stands for one or two.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = b""
        self._end = bytearray()
        self._newlines = 0
        self._ended = True
        self._given = _Size()
        self._text = _Size()

    def take(self, data: bytes) -> None:
        """Add what came."""
        text = self._decoder.decode(data).encode()
        begun, self._begun = self._begun, self._decoder.getstate()[0]
        # A character that is begun counts when it is there, or will never be: sizes and text are of the same bytes.
        self._add(text, (begun + data).removesuffix(self._begun))

    def finish(self) -> None:
        """Nothing comes any more: a character that was begun stays unfinished."""
        begun, self._begun = self._begun, b""
        self._add(self._decoder.decode(b"", final=True).encode(), begun)

    @property
    def total_bytes(self) -> int:
        """Bytes so far."""
        return self._given.total

    @property
    def line_bytes(self) -> int:
        """Bytes of the last line, without its newline, also where only the end of it is held."""
        return self._given.line

    @property
    def line_grew(self) -> bool:
        """Whether the last line has more bytes as text than it came with."""
        return self._text.line > self._given.line

    @property
    def total_lines(self) -> int:
        """Lines so far. A newline ends a line and starts none."""
        return self._newlines + (0 if self._ended else 1)

    @property
    def passed(self) -> bool:
        """Whether it is more than is shown of it."""
        return self.total_lines > MAX_LINES or self._text.total > MAX_BYTES

    def shown(self) -> Truncation:
        """What is shown of it so far, and what it is."""
        cut = tail(self._end.decode())
        return msgspec.structs.replace(cut, total_lines=self.total_lines, total_bytes=self.total_bytes)

    def notice(self, cut: Truncation, rest: str) -> str:
        """The row in brackets below what is shown of it, where that is cut; `rest` says where the rest of it is."""
        if cut.last_partial:
            kept, whole = size_words(cut.bytes), size_words(self.line_bytes)
            signs = "What is not UTF-8 takes 3 bytes here, as U+FFFD. " if self.line_grew else ""
            return f"[Showing last {kept} of line {cut.total_lines} (line is {whole}). {signs}{rest}]"
        lines = f"{cut.total_lines - cut.lines + 1}-{cut.total_lines} of {cut.total_lines}"
        limit = f" ({size_words(cut.max_bytes)} limit)" if cut.by == "bytes" else ""
        return f"[Showing lines {lines}{limit}. {rest}]"

    def _add(self, text: bytes, given: bytes) -> None:
        self._given.add(given)
        self._text.add(text)
        if not text:
            return
        self._newlines += text.count(b"\n")
        self._ended = text.endswith(b"\n")
        if len(text) >= _HELD:
            self._end = bytearray(text[-_HELD:])
        else:
            self._end += text
            if len(self._end) > 2 * _HELD:
                del self._end[:-_HELD]
        while len(self._end) < self._text.total and self._end[0] & 0xC0 == 0x80:
            del self._end[0]

"""What a call prints: read to the end at any speed, kept up to a limit, its newest part at hand."""

from __future__ import annotations

import asyncio
import codecs
import os
from collections.abc import Callable

from workbench.harness.tools.lambdas.values import TAIL_CHARS

_CHUNK = 65_536


class Tail:
    """The newest characters of several streams, in the order in which they arrived."""

    def __init__(self, on_output: Callable[[], None]) -> None:
        self._text = ""
        self._on_output = on_output

    def add(self, text: str) -> None:
        """Append `text`."""
        if text:
            self._text = (self._text + text[-TAIL_CHARS:])[-TAIL_CHARS:]
            self._on_output()

    @property
    def text(self) -> str:
        """At most the last `TAIL_CHARS` characters."""
        return self._text


class Stream:
    """One output pipe. `ended` is done when nobody can write to it any more.

    Of more than `limit` bytes the first and the last half are kept.
    """

    def __init__(self, limit: int, tail: Tail) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_fd, self.child_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self._limit = limit
        self._total = 0
        self._head = bytearray()
        self._last = bytearray()
        self._tail = tail
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._loop.add_reader(self._read_fd, self._readable)

    def close_child_end(self) -> None:
        """Close our copy of the end that the child writes to, so that its end is noticed."""
        os.close(self.child_fd)

    def close(self) -> None:
        """Stop reading."""
        self._loop.remove_reader(self._read_fd)
        os.close(self._read_fd)

    @property
    def truncated(self) -> bool:
        """Whether anything was cut."""
        return self._total > self._limit

    @property
    def text(self) -> str:
        """What was printed; of more than the limit the first and the last part, with a line between them that says how
        much is missing."""
        if not self.truncated:
            return (self._head + self._last).decode("utf-8", "replace")
        cut = self._total - len(self._head) - len(self._last)
        head = self._head.decode("utf-8", "ignore")
        last = self._last.decode("utf-8", "ignore")
        return (
            f"{head}\n[... {cut:,} bytes cut here: {self._total:,} were printed, {self._limit:,} are kept ...]\n{last}"
        )

    def last_lines(self, lines: int = 20, chars: int = TAIL_CHARS) -> str:
        """The end of what was printed, in whole lines as far as they fit."""
        text = self._last.decode("utf-8", "ignore") if self._last else self._head.decode("utf-8", "ignore")
        if len(self._last) < chars and self._last:
            text = self._head[-chars:].decode("utf-8", "ignore") + text
        return "\n".join(text.rstrip().splitlines()[-lines:])[-chars:]

    def _readable(self) -> None:
        try:
            data = os.read(self._read_fd, _CHUNK)
        except BlockingIOError:
            return
        self._keep(data)
        self._tail.add(self._decoder.decode(data, final=not data))
        if not data:
            self._loop.remove_reader(self._read_fd)
            self.ended.set_result(None)

    def _keep(self, data: bytes) -> None:
        self._total += len(data)
        half = self._limit // 2
        room = half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._last += data
        del self._last[: max(0, len(self._last) - (self._limit - half))]

"""The bytes that a provider sends, within bounds: how many, and how long without an event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import httpx2

MOST_OF_AN_EVENT = 16 * 1024 * 1024
"""How many bytes an event may have. The library holds one until it is whole."""

MOST_OF_AN_ANSWER = 256 * 1024 * 1024
"""How many bytes an answer may have with everything around its words, which is most of it."""

MOST_OF_A_FAULT = 64 * 1024
"""How much is read of what a server says to a request that it does not answer."""


class TooMuch(Exception):
    """More came than an answer may have."""


class Compressed(Exception):
    """An answer came compressed, which it was asked not to be."""


class Events:
    """Watches a stream of server-sent events go by, in pieces of any size."""

    def __init__(self) -> None:
        self._in_line = False
        self._after_return = False
        self._has_data = False
        self._event = 0
        self._all = 0

    def ended(self, part: bytes) -> bool:
        """Whether an event with data ends in this part. Comments are no events.

        Raises:
            TooMuch: an event, or all of them, are longer than they may be.
        """
        if self._after_return and part.startswith(b"\n"):
            part = part[1:]
        if part:
            self._after_return = part.endswith(b"\r")
        self._all += len(part)
        ended = False
        for line in part.splitlines(keepends=True):
            whole = line.endswith((b"\n", b"\r"))
            if not self._in_line and line in {b"\n", b"\r", b"\r\n"}:
                ended = ended or self._has_data
                self._has_data, self._event = False, 0
                continue
            if not self._in_line and line.startswith(b"d"):
                self._has_data = True
            self._in_line = not whole
            self._event += len(line)
            if self._event > MOST_OF_AN_EVENT:
                raise TooMuch
        if self._all > MOST_OF_AN_ANSWER:
            raise TooMuch
        return ended


class Answering(httpx2.AsyncByteStream):
    """The body of an answer. Without an event for `secs` it is a timeout, whatever else comes."""

    def __init__(self, inner: httpx2.AsyncByteStream, secs: float) -> None:
        self._inner = inner
        self._secs = secs
        self._left = secs
        self._events = Events()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The parts, as they come."""
        parts = aiter(self._inner)
        while (part := await self._next(parts)) is not None:
            if self._events.ended(part):
                self._left = self._secs
            yield part

    async def _next(self, parts: AsyncIterator[bytes]) -> bytes | None:
        """The next part; None at the end. Only this wait counts: whoever reads may take their time."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(max(self._left, 0)):
                return await anext(parts, None)
        except TimeoutError:
            raise httpx2.ReadTimeout("no event came") from None
        finally:
            self._left -= time.monotonic() - began

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._inner.aclose()


class Failing(httpx2.AsyncByteStream):
    """The body of an error: its beginning, as far as it comes within `secs`."""

    def __init__(self, inner: httpx2.AsyncByteStream, secs: float, *, readable: bool) -> None:
        self._inner = inner
        self._secs = secs
        self._readable = readable

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The beginning, in one part."""
        read = bytearray()
        try:
            async with asyncio.timeout(self._secs):
                if self._readable:
                    async for part in self._inner:
                        read += part
                        if len(read) >= MOST_OF_A_FAULT:
                            break
        except (TimeoutError, httpx2.TransportError):
            pass  # the status is known, and says more than that its words did not come
        yield bytes(read[:MOST_OF_A_FAULT])

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._inner.aclose()

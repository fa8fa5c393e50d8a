"""A server that answers every request with bytes of the test, slowly and without an end if need be."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

from tests.agent.servers.fake_provider import FakeProvider

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


@asynccontextmanager
async def raw_server(parts: Callable[[], Iterator[bytes]], every_secs: float = 0) -> AsyncIterator[FakeProvider]:
    """Its addresses. Each part goes out by itself; after the last one the connection stays open."""
    open_ones: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_ones.add(task)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await reader.readuntil(b"\r\n\r\n")
            for part in parts():
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(every_secs)
            await asyncio.Event().wait()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield FakeProvider(port=server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for task in list(open_ones):
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)

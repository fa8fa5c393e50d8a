"""A model provider on loopback: real sockets, HTTP/1.1, server-sent events, both protocols, answers from the test.

    async with FakeProvider() as server:
        server.answer(text="Good day", calls=[("read", {"address": "~"})])
        ...  # ask at server.openai_base or server.anthropic_base
        assert server.bodies[0] == ...

Replies are used in the order in which they were given; a request without one is answered with status 500.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from tests.agent.servers.protocols import anthropic_events, encoded, error_body, openai_events
from tests.agent.servers.reply import Reply

Finish = Literal["stop", "calls", "length", "refusal"]


@dataclass
class Received:
    """A request as it came over the socket. Header names are in small letters."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return json.loads(self.body)


@dataclass(eq=False)
class FakeProvider:
    """The server. `requests` holds what came, in order."""

    requests: list[Received] = field(default_factory=list)
    port: int = 0
    _replies: list[Reply] = field(default_factory=list)
    _server: asyncio.Server | None = None
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def bodies(self) -> list[bytes]:
        """The bodies of the requests, byte for byte."""
        return [request.body for request in self.requests]

    @property
    def openai_base(self) -> str:
        """The `base_url` for a model `openai:…`."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_base(self) -> str:
        """The `base_url` for a model `anthropic:…`."""
        return f"http://127.0.0.1:{self.port}"

    def answer(
        self,
        text: str = "",
        *,
        calls: Sequence[tuple[str, Any]] = (),
        finish: Finish | None = None,
        **more: Any,
    ) -> Reply:
        """Answer the next request with this; `more` are fields of `Reply`."""
        chosen: Finish = finish or ("calls" if calls else "stop")
        reply = Reply(text=text, calls=tuple(calls), finish=chosen, **more)
        self._replies.append(reply)
        return reply

    def fail(
        self,
        status: int,
        message: str = "no",
        *,
        kind: str = "error",
        retry_after: str | None = None,
        body: bytes | None = None,
    ) -> Reply:
        """Answer the next request with an error, or with a body of whatever kind."""
        headers = {} if retry_after is None else {"Retry-After": retry_after}
        reply = Reply(status=status, error_text=message, error_kind=kind, headers=headers, body=body)
        self._replies.append(reply)
        return reply

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                received = await _receive(reader)
                self.requests.append(received)
                reply = self._replies.pop(0) if self._replies else Reply(status=500, error_text="no reply was scripted")
                await self._reply(reply, received, reader, writer)
        finally:
            self._open.discard(task)
            writer.close()

    async def _reply(
        self, reply: Reply, received: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        protocol = "anthropic" if received.path.split("?")[0].endswith("/messages") else "openai"
        if reply.status != 200 or reply.body is not None:
            await _whole(reply, protocol, writer)
            return
        sending = asyncio.ensure_future(_stream(reply, protocol, writer))
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done():
                reply.gone.set()
        finally:
            for part in (sending, leaving):
                part.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)


async def _receive(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:-2])}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, body)


async def _whole(reply: Reply, protocol: str, writer: asyncio.StreamWriter) -> None:
    body = reply.body
    if body is None:
        body = json.dumps(error_body(protocol, reply.error_kind, reply.error_text)).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    await _write(writer, _head(reply.status, headers | reply.headers) + body)


async def _stream(reply: Reply, protocol: str, writer: asyncio.StreamWriter) -> None:
    headers = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", "Connection": "close"}
    await _write(writer, _head(200, headers | reply.headers))
    events = openai_events(reply) if protocol == "openai" else anthropic_events(reply)
    for number, event in enumerate(events):
        if number == reply.hold_after:
            await reply.hold()
        if number == reply.cut_after:
            writer.close()
            return
        if number == reply.error_after:
            name = "error" if protocol == "anthropic" else None
            await _chunked(reply, encoded((name, error_body(protocol, reply.error_kind, reply.error_text))), writer)
            break
        await _chunked(reply, encoded(event), writer)
    await _write(writer, b"0\r\n\r\n")


async def _chunked(reply: Reply, data: bytes, writer: asyncio.StreamWriter) -> None:
    size = reply.split or len(data)
    for at in range(0, len(data), size):
        piece = data[at : at + size]
        await _write(writer, f"{len(piece):x}\r\n".encode() + piece + b"\r\n")


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Status\r\n{lines}\r\n".encode("latin-1")

"""The HTTP client under a provider's library: our headers, our bounds, and a transport that sends nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2

from workbench.agent.models.model import Body
from workbench.agent.models.providers.sdk.incoming import Answering, Compressed, Failing
from workbench.agent.models.providers.shared import Way

NO_KEY = "none"
"""Stands where a library wants a key and none is sent; the header is left out."""

_AS_THE_LIBRARY_SAYS = ("Accept", "Anthropic-Version")
_ACCOUNT = ("OpenAI-Organization", "OpenAI-Project")


class Caught(BaseException):
    """A request on its way out. No Exception, because the libraries would take one for a broken connection."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self.body = body


class Catching(httpx2.AsyncBaseTransport):
    """Ends every request right where its bytes would go to a socket."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raise the request, whole, without its headers."""
        raise Caught(Body(request.method, str(request.url), await request.aread()))


class Client(httpx2.AsyncClient):
    """A client that waits for the beginning of a response as a whole, however slowly it comes."""

    head_secs: float

    async def send(self, request: httpx2.Request, **more: Any) -> httpx2.Response:
        """Send a request."""
        try:
            async with asyncio.timeout(self.head_secs):
                return await super().send(request, **more)
        except TimeoutError:
            raise httpx2.ReadTimeout("the response did not begin", request=request) from None


def timeouts(way: Way) -> httpx2.Timeout:
    """How long to wait for a connection, and for each word."""
    return httpx2.Timeout(way.read_secs, connect=way.connect_secs)


def client(way: Way, key: str | None, *, sending: bool) -> Client:
    """A client of our own: the libraries' have other timeouts, and send what they find in the environment.

    What goes out in the headers is listed here, and the key is the one of the settings or none; the owner's account
    with a provider is no other address's business. No proxy stands before this machine itself.
    """
    allowed = (*_AS_THE_LIBRARY_SAYS, *_ACCOUNT) if way.own else _AS_THE_LIBRARY_SAYS

    async def dress(request: httpx2.Request) -> None:
        headers = {name: request.headers[name] for name in allowed if name in request.headers}
        headers |= {
            "Host": request.url.netloc.decode("ascii"),
            "User-Agent": "harness-workbench",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "Content-Length": str(len(await request.aread())),
        }
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        request.headers = httpx2.Headers(headers)

    async def bound(response: httpx2.Response) -> None:
        compressed = response.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}
        inner = response.stream
        assert isinstance(inner, httpx2.AsyncByteStream)
        if response.is_success:
            if compressed:
                raise Compressed
            response.stream = Answering(inner, way.read_secs)
        else:
            # what is compressed is not read: a few bytes of it may be a gigabyte
            response.headers.pop("Content-Encoding", None)
            response.stream = Failing(inner, way.read_secs, readable=not compressed)

    made = Client(
        transport=None if sending else Catching(),
        timeout=timeouts(way),
        trust_env=not way.local,
        event_hooks={"request": [dress], "response": [bound]},
    )
    # the request goes out in this time too, however long it is
    made.head_secs = way.connect_secs + 2 * way.read_secs
    return made

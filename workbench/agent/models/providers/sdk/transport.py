"""The HTTP client under a provider's library: our timeouts, and a transport that takes a request and sends nothing."""

from __future__ import annotations

import httpx2

from workbench.agent.models.model import Body
from workbench.agent.models.providers.shared import Way

NO_KEY = "none"
"""Stands where a library wants a key and none is sent; the header is left out."""

_KEY_HEADERS = ("Authorization", "X-Api-Key")
_ACCOUNT_HEADERS = ("OpenAI-Organization", "OpenAI-Project")


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


def timeouts(way: Way) -> httpx2.Timeout:
    """How long to wait for a connection, and for each word."""
    return httpx2.Timeout(way.read_secs, connect=way.connect_secs)


def client(way: Way, *, sending: bool, key: bool) -> httpx2.AsyncClient:
    """A client of our own: the libraries' have other timeouts, and send what they find in the environment.

    Without a `key` there is no such header, and the owner's account with a provider is no other address's business.
    No proxy stands before this machine itself.
    """
    left_out = () if key else _KEY_HEADERS
    if not way.own:
        left_out += _ACCOUNT_HEADERS

    async def leave_out(request: httpx2.Request) -> None:
        for name in left_out:
            request.headers.pop(name, None)

    return httpx2.AsyncClient(
        transport=None if sending else Catching(),
        timeout=timeouts(way),
        trust_env=not way.local,
        event_hooks={"request": [leave_out]},
    )

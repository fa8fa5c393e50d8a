"""What the models of all providers have in common: lazy loading, one connection a turn, words for faults."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import Any, ClassVar, Literal, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from workbench.agent.models.keys import KeySource, key_source
from workbench.agent.models.model import Ask, Body, Choice, ModelFault, Piece, Price, Projection
from workbench.agent.models.projection import Rules, project
from workbench.harness.errors import HarnessError

CONNECT_SECS = 10.0
"""How long a provider may take to accept a connection."""

READ_SECS = 120.0
"""How long a provider may be silent before its first word, and between two."""


class Way(Struct, frozen=True):
    """How a provider is reached, and what of it is named where that fails.

    `id` is the model as the owner calls it, `name` as the provider does. `own` is False for another address than the
    provider's own. `key_from` is None where no key is sent. `images` is True where images are sent.
    """

    id: str
    name: str
    provider: str
    base_url: str
    own: bool
    key_from: KeySource | None
    rules: Rules
    max_tokens: int | None
    options: Mapping[str, Any]
    images: bool = False
    connect_secs: float = CONNECT_SECS
    read_secs: float = READ_SECS

    @property
    def local(self) -> bool:
        """Whether the address is this machine."""
        host = urlsplit(self.base_url).hostname or ""
        return host == "localhost" or host == "::1" or host.startswith("127.")


class Line(Protocol):
    """A provider's library, ready to be asked."""

    def stream(self, ask: Ask) -> AsyncGenerator[Piece, None]:
        """Send, and give what comes."""
        ...

    async def body(self, ask: Ask) -> Body:
        """What `stream` would send."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class ProviderModel:
    """A model behind a provider's protocol. Nothing is loaded, and no key read, before it is asked."""

    provider: ClassVar[Literal["openai", "anthropic"]]
    order: ClassVar[Sequence[Literal["system", "tools", "messages"]]]
    rules: ClassVar[Rules]
    own_url: ClassVar[str]
    own_key: ClassVar[str]
    answer_tokens: ClassVar[int | None] = None

    def __init__(
        self,
        id: str,
        name: str,
        choice: Choice,
        *,
        connect_secs: float = CONNECT_SECS,
        read_secs: float = READ_SECS,
    ) -> None:
        self.id = id
        self.context_tokens = choice.context
        self.price: Price = choice.price
        self.takes_images = takes_images(choice, self.own_url)
        own = _is_own(choice, self.own_url)
        self._way = Way(
            id=id,
            name=name,
            provider=self.provider,
            base_url=choice.base_url or self.own_url,
            own=own,
            key_from=_key_from(choice.key, self.own_key if own else None),
            rules=self.rules,
            max_tokens=choice.max_tokens or self.answer_tokens,
            options=choice.options,
            images=self.takes_images is True,
            connect_secs=connect_secs,
            read_secs=read_secs,
        )
        self._lines: dict[bool, Line] = {}
        self._opening = asyncio.Lock()

    def project(self, tools: Sequence[Mapping[str, Any]]) -> Projection:
        """The tools as this provider is given them."""
        return project(tools, self.rules)

    async def body(self, ask: Ask) -> Body:
        """The request that `stream` would send; nothing is sent, and no key is needed."""
        line = await self._line(sending=False)
        return await line.body(ask)

    async def stream(self, ask: Ask) -> AsyncGenerator[Piece, None]:
        """Ask, and give what comes as it comes; the last piece is the `Answer`."""
        line = await self._line(sending=True)
        async with aclosing(line.stream(ask)) as pieces:
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        """Let go of connections."""
        async with self._opening:
            lines = list(self._lines.values())
            self._lines.clear()
        for line in lines:
            await line.close()

    async def _line(self, *, sending: bool) -> Line:
        async with self._opening:
            if sending not in self._lines:
                self._lines[sending] = await asyncio.to_thread(self._open, sending)
            return self._lines[sending]

    def _open(self, sending: bool) -> Line:
        """Read the key and load the library: off the event loop, because it takes up to two seconds."""
        try:
            key = self._way.key_from.read() if sending and self._way.key_from else None
        except HarnessError as error:
            raise ModelFault(error.code, f"{self.id} cannot be asked. {error.message}") from None
        with _uncollected():
            return self._load(self._way, key, sending)

    def _load(self, way: Way, key: str | None, sending: bool) -> Line:
        raise NotImplementedError


@contextmanager
def _uncollected() -> Generator[None]:
    """No garbage collection for a while: a library's ten thousands of new objects set off whole ones again and again.

    Each stops every thread, the one that draws the screen too: for 300 ms, where a third of that is enough.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def takes_images(choice: Choice, own_url: str) -> bool | None:
    """Whether a model is sent images: the owner's word; else at the provider's own address, whose models see.

    What answers at another address may be any model, and many refuse a request with an image. So it is not known there.
    """
    if choice.images is not None:
        return choice.images
    return True if _is_own(choice, own_url) else None


def _is_own(choice: Choice, own_url: str) -> bool:
    return choice.base_url is None or _same_host(choice.base_url, own_url)


def _same_host(url: str, own: str) -> bool:
    """Whether an address is at the provider's own: the same host, by https, at the usual port."""
    parts = urlsplit(url)
    return parts.scheme == "https" and parts.hostname == urlsplit(own).hostname and parts.port in {None, 443}


def _key_from(reference: str | None, own: str | None) -> KeySource | None:
    """The owner's reference; else the provider's usual variable, which goes to the provider's own address only."""
    chosen = reference or own
    return key_source(chosen) if chosen else None

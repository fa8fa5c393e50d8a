"""One scripted reply of the fake provider, and the handle by which a test holds it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(eq=False)
class Reply:
    """What the server answers to one request.

    `calls` are `(name, input)`; an input that is a text is written as it is, JSON or not. `split` is how many bytes
    go out at a time. `hold_after` events the stream stands still until `release()`; `cut_after` events the connection
    is closed; `error_after` events an error of `error_kind` comes instead of the rest.
    """

    text: str = ""
    thinking: str = ""
    signature: str | None = None
    redacted: str | None = None
    refusal: str | None = None
    calls: tuple[tuple[str, Any], ...] = ()
    finish: Literal["stop", "calls", "length", "refusal"] = "stop"
    usage: dict[str, int] | None = None
    split: int | None = None
    finishes: bool = True
    hold_after: int | None = None
    cut_after: int | None = None
    error_after: int | None = None
    error_kind: str = "overloaded_error"
    error_text: str = "too much to do"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    held: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    def release(self) -> None:
        """Let a held stream go on."""
        self._open.set()

    async def wait_until_held(self) -> None:
        """Until everything before the gate is on the socket."""
        await asyncio.wait_for(self.held.wait(), 30)

    async def wait_until_gone(self) -> None:
        """Until whoever asked has hung up before the end."""
        await asyncio.wait_for(self.gone.wait(), 30)

    async def hold(self) -> None:
        """Stand still; the server's side of `release`."""
        self.held.set()
        await self._open.wait()

"""The body that a model's adapter sends for a request, without sending it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from workbench.agent.images import images_in
from workbench.agent.models.model import Ask, Body, Model
from workbench.harness.errors import HarnessError
from workbench.harness.request import Request

if TYPE_CHECKING:
    from workbench.harness.harness import Harness

SHOWN_DATA = 64
"""How many characters of an image's base64 are shown to people."""

_DATA = re.compile(
    r'("data": ?"|"url": ?"data:image/[\w.+-]+;base64,)'
    rf'([A-Za-z0-9+/]{{{SHOWN_DATA}}})([A-Za-z0-9+/]{{{SHOWN_DATA},}}={{0,2}})(?=")'
)


class Blocks:
    """The images of one request after the other: what the one before had too is not loaded again."""

    def __init__(self, load: Callable[[str], bytes]) -> None:
        """`load` gives the bytes of a CID, as `Harness.block` does."""
        self._load = load
        self._held: Mapping[str, bytes] = {}

    async def of(self, cids: Iterable[str]) -> Mapping[str, bytes]:
        """The bytes of these CIDs, without those that are gone or not what they were."""
        found: dict[str, bytes] = {}
        for cid in cids:
            data = self._held.get(cid) or found.get(cid)
            if data is None:
                # Megabytes are read and hashed here, where the log is: others get their turn between two.
                await asyncio.sleep(0)
                data = self._loaded(cid)
            if data is not None:
                found[cid] = data
        self._held = found
        return found

    def _loaded(self, cid: str) -> bytes | None:
        try:
            return self._load(cid)
        except HarnessError as error:
            if error.code not in ("corrupt", "not_found"):
                raise
            return None


async def ask_of(
    request: Request, model: Model, max_tokens: int | None = None, answered: int = 0, blocks: Blocks | None = None
) -> Ask:
    """What a model is asked for a request.

    `max_tokens` is what its turn has left for answers, `answered` how many it has given in the thread; `blocks` is
    where images are, which only a model that takes them is given.
    """
    images: Mapping[str, bytes] = {}
    if blocks is not None and model.takes_images:
        images = await blocks.of(str(image["cid"]) for image in images_in(request.messages))
    return Ask(
        system=request.system,
        tools=model.project(request.tools).tools,
        messages=request.messages,
        answered=answered,
        max_tokens=max_tokens,
        images=images,
    )


async def body_of(harness: Harness, thread: str, request: Request, model: Model) -> Body:
    """The body of a request of a thread, caught where the adapter would send it. No key is needed.

    Raises:
        HarnessError: `unavailable` for a model that sends nothing; as the adapter fails.
    """
    left = _tokens_left(harness, thread, request)
    body = await model.body(await ask_of(request, model, left, blocks=Blocks(harness.block)))
    if body is None:
        raise HarnessError(
            "unavailable",
            f"{model.id} sends nothing: its answers are known before it is asked. --wire is for models behind a "
            "provider, openai:NAME or anthropic:NAME.",
        )
    return body


def shown(body: bytes) -> tuple[str, int]:
    """The text of a body for people, still JSON, and of how many images most of the data is left away in it.

    An image is a line of millions of letters that nobody reads.
    """

    def cut(found: re.Match[str]) -> str:
        return f"{found[1]}{found[2]}… {len(found[3]):,} more characters"

    return _DATA.subn(cut, body.decode("utf-8", "replace"))


def _tokens_left(harness: Harness, thread: str, request: Request) -> int | None:
    """What the answer may have: as it was recorded; for the next request by `turn.max_tokens` of today."""
    if request.recorded is not None:
        return request.max_tokens
    most = harness.settings().settings.max_tokens
    live = harness.live_run(thread)
    if most is None or live is None:
        return most
    ends = [one.ended for one in harness.requests(thread) if one.sent.run == live.run and one.ended is not None]
    return max(1, most - sum((end.usage.output or 0) for end in ends if end.usage is not None))

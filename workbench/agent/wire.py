"""The wire: what a provider is sent at an event, part by part, what it keeps of the request before, what it cost."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from workbench.agent.images import Images, images_of
from workbench.agent.models.choose import takes_images
from workbench.agent.models.model import Loss, Model
from workbench.agent.parts import ORDER, Kept, Kind, Part, kept_of, parts_in
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Fork, RequestEnded, RequestSent, Usage
from workbench.harness.log.payloads import dumps
from workbench.harness.names import VERBS
from workbench.harness.request import Request, declaration
from workbench.harness.text import size

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.space.settings import Settings
    from workbench.harness.views import SentRequest

__all__ = ["Images", "Kept", "Kind", "NewTool", "Part", "Wire", "order_of", "wire_of"]

MAX_FORKS = 64
"""Through how many forks the previous request of a thread is looked for."""


GONE = ("corrupt", "not_found")
"""The codes of what the log has no longer, or no longer as it was."""


class NewTool(Struct, frozen=True):
    """A tool that the previous request did not have: the event that touched it first, its bytes in this request.

    `seq` is None where no touch of this thread is known.
    """

    name: str
    seq: int | None
    bytes: int


class Wire(Struct, frozen=True, kw_only=True):
    """A request and everything there is to say of it.

    `seq` is the event that it is looked at from, None for the next one. `order` is the one in which the provider reads
    it, and `parts` stand in it. `sent` is the event that recorded it and `ended` how it ended: None where it was put
    together now (`request.note` says what in it is of today), or has no end yet. `previous` is the request that was
    sent before it in the thread, or in the one that this was forked from; `kept` what is left of that one's beginning.
    `unsent_tools` could be called too and are not declared: their contracts, as they are today, have `unsent_bytes`.
    `losses` are what the model's provider is not sent of the contracts. `images` are those that the messages name, and
    whether the model is sent them by the settings of today; None where there are none. `notes` say in words what
    cannot be told, because something beside this request is not in the log any more as it was: then `kept` is None
    although there is a previous request, or no tool counts as new or unsent.
    """

    thread: str
    seq: int | None
    model: str | None
    order: tuple[Kind, ...]
    request: Request
    parts: tuple[Part, ...]
    sent: RequestSent | None = None
    ended: RequestEnded | None = None
    previous: RequestSent | None = None
    kept: Kept | None = None
    new_tools: tuple[NewTool, ...] = ()
    unsent_tools: int = 0
    unsent_bytes: int = 0
    losses: tuple[Loss, ...] = ()
    images: Images | None = None
    notes: tuple[str, ...] = ()

    @property
    def bytes(self) -> Mapping[str, int]:
        """Bytes of each kind, as `workbench request` tells them: with brackets and commas, without images."""
        return self.request.bytes

    @property
    def total(self) -> int:
        """Bytes of the three kinds together, and of the images that are sent."""
        sent = self.images.bytes if self.images is not None and self.images.sent else 0
        return sum(self.request.bytes.values()) + sent

    @property
    def all_schemas_bytes(self) -> int:
        """What the tools of this request would have if every contract that can be called were sent."""
        return self.request.bytes["tools"] + self.unsent_bytes + self.unsent_tools

    @property
    def usage(self) -> Usage | None:
        """The tokens that the provider reported."""
        return self.ended.usage if self.ended is not None else None


def wire_of(
    harness: Harness,
    thread: str,
    seq: int | None = None,
    model: Model | None = None,
    sizes: MutableMapping[str, int] | None = None,
) -> Wire:
    """The request at an event: the recorded one where one was sent there, else put together now.

    Without `seq` it is the next one. It is in the order of the given model; without one in that of the model that it
    was sent to, or would be. `sizes` has what contracts were found to have in bytes, by CID: whoever asks again and
    again among many tools hands in the same one.

    Raises:
        HarnessError: there is no such event, or a part of this request is not there any more. What is gone of others
            is only noted.
    """
    request = harness.request(thread, seq, model.context_tokens if model is not None else None)
    settings = harness.settings().settings
    id = model.id if model is not None else request.model or settings.model
    order = tuple(model.order) if model is not None else order_of(id, settings)
    requests = harness.requests(thread)
    this = next((one for one in requests if one.sent.request == request.recorded), None)
    sent = this.sent if this is not None else None
    takes = model.takes_images if model is not None else takes_images(id, settings)
    pictures = takes is True
    parts = parts_in(request, order, sent, images=pictures)
    before = _before(harness, thread, requests, sent.seq - 1 if sent is not None else seq)
    notes: list[str] = []
    earlier = _earlier(harness, before, notes)
    had = {str(tool["name"]) for tool in earlier.tools} if earlier is not None else set[str]()
    # Which tools are new cannot be told where those of the request before cannot be read.
    known = before is None or earlier is not None
    declared = {part.name for part in parts if part.kind == "tools"}
    # On the real machine every tool that may be used is declared, and none is promoted.
    promotes = harness.surface(thread) == "verbs"
    unsent = _unsent(harness, sent, declared, sizes if sizes is not None else {}, notes) if promotes else []
    then = parts_in(earlier, order, before, images=pictures) if earlier is not None else ()
    return Wire(
        thread=thread,
        seq=seq,
        model=id,
        order=order,
        request=request,
        parts=parts,
        sent=sent,
        ended=this.ended if this is not None else None,
        previous=before,
        kept=kept_of(then, parts, order, promotes=promotes) if earlier is not None else None,
        new_tools=_new_tools(harness, thread, sent.seq if sent is not None else seq, parts, had)
        if known and promotes
        else (),
        unsent_tools=len(unsent),
        unsent_bytes=sum(unsent),
        losses=model.project(request.tools).losses if model is not None else (),
        images=images_of(request.messages, id, takes),
        notes=tuple(notes),
    )


def order_of(id: str | None, settings: Settings) -> tuple[Kind, ...]:
    """The order in which the provider of a model reads a request, by the model's name; nothing is opened or loaded."""
    table: Any = settings.models.get(id or "")
    target: Any = cast("Mapping[str, Any]", table).get("model", id) if isinstance(table, Mapping) else id
    match str(target).partition(":")[0]:
        case "anthropic":
            from workbench.agent.models.providers.anthropic import Anthropic

            return tuple(Anthropic.order)
        case "openai":
            from workbench.agent.models.providers.openai import OpenAI

            return tuple(OpenAI.order)
        case "scripted" | "replay":
            return ("system", "tools", "messages")
        case _:
            return ORDER


def _before(harness: Harness, thread: str, requests: Sequence[SentRequest], upto: int | None) -> RequestSent | None:
    """The newest request that was sent up to an event, with it included; also before the thread was forked."""
    for _ in range(MAX_FORKS):
        found = [one.sent for one in requests if upto is None or one.sent.seq <= upto]
        if found:
            return found[-1]
        first = next(iter(harness.events(thread, upto=1)), None)
        if not isinstance(first, Fork):
            return None
        thread, upto = first.parent, first.parent_seq
        requests = harness.requests(thread)
    return None


def _earlier(harness: Harness, before: RequestSent | None, notes: list[str]) -> Request | None:
    """The request before, as it was sent; None where there is none, or it cannot be read any more, which is noted."""
    if before is None:
        return None
    try:
        return harness.request(before.thread, before.seq)
    except HarnessError as error:
        if error.code not in GONE:
            raise
        where = f"event {before.seq} of {before.thread}"
        notes.append(f"What is kept of the request before ({where}) cannot be told: {error.message}")
        return None


def _new_tools(
    harness: Harness, thread: str, at: int | None, parts: Sequence[Part], had: Collection[str]
) -> tuple[NewTool, ...]:
    promotion = harness.promoted(thread, at)
    seqs = {tool.name: tool.seq for tool in (*promotion.promoted, *promotion.withheld)}
    return tuple(
        NewTool(part.name, seqs.get(part.name), part.bytes)
        for part in parts
        if part.kind == "tools" and part.name not in had and part.name not in VERBS
    )


def _unsent(
    harness: Harness,
    sent: RequestSent | None,
    declared: Collection[str],
    sizes: MutableMapping[str, int],
    notes: list[str],
) -> list[int]:
    """Of each tool that could be called and was not declared, what its contract has in bytes, as it is today."""
    states = harness.tools()
    could = {state.name for state in states if state.callable}
    if sent is not None:
        try:
            could = set(cast("list[str]", json.loads(harness.block(sent.callables))))
        except HarnessError as error:
            if error.code not in GONE:
                raise
            notes.append(f"Which tools could be called then cannot be told: {error.message}")
            return []
    found: list[int] = []
    for state in states:
        if state.name not in could or state.name in declared:
            continue
        if state.cid not in sizes:
            # One whose block cannot be trusted could not be sent either.
            with contextlib.suppress(HarnessError):
                tool = harness.tool(state.name)
                if tool is not None:
                    sizes[state.cid] = size(dumps(declaration(tool)))
        if state.cid in sizes:
            found.append(sizes[state.cid])
    return found

"""A request as the parts that a provider reads one after the other, and what it keeps of the request before. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, cast

from msgspec import Struct

from workbench.agent.images import base64_bytes
from workbench.harness.log.events import RequestSent
from workbench.harness.log.payloads import dumps
from workbench.harness.request import Request
from workbench.harness.text import size

Kind = Literal["system", "tools", "messages"]

ORDER: tuple[Kind, ...] = ("tools", "system", "messages")
"""The order of a request whose provider is not known."""


class Part(Struct, frozen=True):
    """A piece of a request that stays or changes as a whole: the system text, or the JSON of one tool or message.

    `name` is `system`, the tool's name or the message's role; `bytes` counts UTF-8; `cid` is that of its block in the
    log, None where the request was not recorded. `images` is what the images that it names have in the body, in bytes:
    0 where they are not sent.
    """

    kind: Kind
    name: str
    text: str
    bytes: int
    cid: str | None = None
    images: int = 0

    @property
    def all_bytes(self) -> int:
        """Its bytes and those of its images."""
        return self.bytes + self.images


class Kept(Struct, frozen=True):
    """How much of the previous request's beginning is this request's beginning too.

    `of` is what the previous one's parts have together, in bytes, and `parts` how many of them are kept whole and in
    place; the images of a part count with it. `differs` is the first part of this request that is not the previous
    one's, None where there is no such part; `why` says in words what made the difference.
    """

    bytes: int
    of: int
    parts: int
    differs: Part | None
    why: str

    @property
    def whole(self) -> bool:
        """Whether nothing of the previous request was lost: what is new stands behind all of it."""
        return self.bytes == self.of


def parts_in(
    request: Request, order: Sequence[Kind] = ORDER, sent: RequestSent | None = None, *, images: bool = False
) -> tuple[Part, ...]:
    """The parts of a request in a provider's order; with `sent`, the event that recorded it, each has its CID.

    `images` says whether its images are sent, and so have bytes.
    """
    tools = [(str(tool["name"]), dumps(tool)) for tool in request.tools]
    messages = [(str(message["role"]), dumps(message)) for message in request.messages]
    listed: dict[Kind, tuple[list[tuple[str, str]], Sequence[str]]] = {
        "system": ([("system", request.system)], (sent.system,) if sent else ()),
        "tools": (tools, sent.tools if sent else ()),
        "messages": (messages, sent.messages if sent else ()),
    }
    pictures = [base64_bytes([message]) if images else 0 for message in request.messages]
    return tuple(
        Part(
            *(kind, name, text, size(text), cids[place] if cids else None),
            images=pictures[place] if kind == "messages" else 0,
        )
        for kind in order
        for texts, cids in (listed[kind],)
        for place, (name, text) in enumerate(texts)
    )


def kept_of(old: Sequence[Part], new: Sequence[Part], order: Sequence[Kind] = ORDER, *, promotes: bool = True) -> Kept:
    """What a request keeps of the one before it, both in the same order.

    `promotes` is False for a thread in which a tool is there because the owner let it, and not because it was touched.
    """
    before, now = _joined(old), _joined(new)
    same = next(
        (place for place, (one, other) in enumerate(zip(old, new, strict=False)) if not _same(one, other)),
        min(len(old), len(new)),
    )
    differs = new[same] if same < len(new) else None
    # A part names its images by what they are, so where it is the same they are.
    pictures = sum(part.images for part in old[:same])
    of = len(before) + sum(part.images for part in old)
    return Kept(_common(before, now) + pictures, of, same, differs, _why(old, new, same, order, promotes))


def _joined(parts: Sequence[Part]) -> bytes:
    return "".join(part.text for part in parts).encode("utf-8")


def _same(one: Part, other: Part) -> bool:
    return one.kind == other.kind and one.text == other.text


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with. Halving, because comparing whole stretches is what the machine is fast at."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def _why(old: Sequence[Part], new: Sequence[Part], same: int, order: Sequence[Kind], promotes: bool) -> str:
    """Why two requests part where they do, in words."""
    if same == len(old) == len(new):
        return "it is the same request again"
    if same == len(old):
        return f"{_count(len(new) - same, new[same].kind)} added at its end"
    if same == len(new):
        return f"it ends sooner: {_count(len(old) - same, old[same].kind)} taken from its end"
    kind = min(old[same].kind, new[same].kind, key=order.index)
    then = [part for part in old if part.kind == kind]
    now = [part for part in new if part.kind == kind]
    place = sum(part.kind == kind for part in new[:same])
    if kind == "system":
        return _system(then[0].text, now[0].text)
    return _tools(then, now, place, promotes) if kind == "tools" else _messages(then, now, place)


def _count(number: int, kind: Kind) -> str:
    one = {"system": "the system text", "tools": "a tool", "messages": "a message"}[kind]
    return f"{one} was" if number == 1 else f"{number} {kind if kind != 'system' else 'parts'} were"


def _tools(then: Sequence[Part], now: Sequence[Part], place: int, promotes: bool) -> str:
    if place == len(then):
        names = [part.name for part in now[place:]]
        if not promotes:
            return f"{_listed(names)} added at the end of the tools"
        added = "a tool was" if len(names) == 1 else f"{len(names)} tools were"
        return f"{_listed(names)} promoted: {added} added at the end of the tools"
    left = {part.name for part in now}
    gone = [part.name for part in then[place:] if part.name not in left]
    if gone and (place == len(now) or then[place].name == gone[0]):
        return f"{_listed(gone)} taken from the tools"
    if then[place].name == now[place].name:
        return f"the contract of {now[place].name} was changed"
    return f"{now[place].name} came back to its place among the tools, before {then[place].name}"


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:4]) + ([f"{len(names) - 4} more"] if len(names) > 4 else [])
    return f"{shown[0]} was" if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]} were"


def _system(then: str, now: str) -> str:
    prompt, _, block = then.partition("<space>")
    prompt_now, _, block_now = now.partition("<space>")
    if prompt != prompt_now:
        return "the prompt was changed"
    lines, lines_now = block.split("\n"), block_now.split("\n")
    gone = sum(line not in lines_now for line in lines)
    came = sum(line not in lines for line in lines_now)
    return f"the Space index was built anew: {_lines(gone)} of it gone, {came} new"


def _lines(number: int) -> str:
    return "1 line" if number == 1 else f"{number} lines"


def _messages(then: Sequence[Part], now: Sequence[Part], place: int) -> str:
    if place == len(then):
        return f"{_count(len(now) - place, 'messages')} added at the end of the messages"
    if place == len(now):
        return f"{_count(len(then) - place, 'messages')} taken from the end of the messages"
    message: Any = json.loads(now[place].text)
    if isinstance(message, dict) and cast("dict[str, Any]", message).get("from") == []:
        return "older messages were left out, to leave room"
    return f"message {place + 1} ({now[place].name}) is not what it was then"

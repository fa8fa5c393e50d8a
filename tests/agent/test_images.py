"""Images of a conversation: who is sent them, what they have, and how they are shown."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from msgspec import structs

from tests.agent.answers import calls, model, says
from tests.agent.pictures import BASE64_BYTES, PNG, keep, looked_at, recorded
from tests.agent.test_wire import damage
from tests.harness.play import Play
from workbench.agent.body import SHOWN_DATA, Blocks, ask_of, body_of, shown
from workbench.agent.images import images_of
from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Ask, Choice
from workbench.agent.models.providers.anthropic import Anthropic
from workbench.agent.models.providers.openai import OpenAI
from workbench.agent.parts import kept_of, parts_in
from workbench.agent.turn import turn
from workbench.agent.wire import wire_of
from workbench.harness.errors import HarnessError
from workbench.harness.request import Request


class Seeing(KnownAnswers):
    """A model that takes images, and remembers what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__("scripted:seeing", "scripted", answers, lambda: says("That is all."))
        self.asked: list[Ask] = []

    @property
    def takes_images(self) -> bool | None:
        return True

    async def stream(self, ask: Ask) -> Any:
        self.asked.append(ask)
        async for piece in super().stream(ask):
            yield piece


def a_request(*cids: str) -> Request:
    return Request(system="", tools=(), messages=looked_at(*cids), bytes={})


async def test_only_a_model_that_takes_images_is_given_their_bytes(play: Play) -> None:
    cid = keep(play.harness)
    blocks = Blocks(play.harness.block)
    assert (await ask_of(a_request(cid, cid), Seeing(), blocks=blocks)).images == {cid: PNG}

    def never(_: str) -> bytes:
        raise AssertionError("no model here takes images")

    for one in (model(), OpenAI("m", "m", Choice(images=False)), OpenAI("m", "m", Choice(base_url="http://x/v1"))):
        assert (await ask_of(a_request(cid), one, blocks=Blocks(never))).images == {}


async def test_an_image_is_loaded_once_while_requests_have_it() -> None:
    loaded: list[str] = []

    def load(cid: str) -> bytes:
        loaded.append(cid)
        return cid.encode()

    blocks = Blocks(load)
    assert await blocks.of(["a", "a", "b"]) == {"a": b"a", "b": b"b"}
    assert await blocks.of(["a", "b", "c"]) == {"a": b"a", "b": b"b", "c": b"c"}
    assert await blocks.of(["c"]) == {"c": b"c"}
    assert loaded == ["a", "b", "c"]
    await blocks.of(["a"])
    assert loaded[3:] == ["a"], "what no request needs is not held"


@pytest.mark.parametrize("code", ["not_found", "corrupt"])
async def test_an_image_that_is_gone_is_left_out_and_another_fault_is_none_of_that(code: Any) -> None:
    def gone(cid: str) -> bytes:
        raise HarnessError(code if cid == "a" else "unavailable", "no")

    assert await Blocks(gone).of(["a"]) == {}
    with pytest.raises(HarnessError, match="no"):
        await Blocks(gone).of(["b"])


async def test_a_turn_gives_its_model_the_images_and_loads_each_once(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    cid = keep(play.harness)
    plain, block, loaded = play.harness.request, play.harness.block, list[str]()

    def with_an_image(*where: Any, **more: Any) -> Request:
        found = plain(*where, **more)
        return structs.replace(found, messages=(*looked_at(cid), *found.messages))

    def counted(asked: str) -> bytes:
        loaded.append(asked)
        return block(asked)

    monkeypatch.setattr(play.harness, "request", with_an_image)
    monkeypatch.setattr(play.harness, "block", counted)
    seeing = Seeing(calls(("read", {"address": "~"})), says("I saw."))
    await turn(play.harness, "demo", seeing, "go")

    assert [ask.images for ask in seeing.asked] == [{cid: PNG}] * 2
    assert loaded == [cid]


@pytest.mark.parametrize(
    ("id", "takes", "why"),
    [
        ("openai:some", True, ""),
        ("openai:some", False, 'the setting models."openai:some".images is false'),
        ("local", None, 'whether local takes images is not known; models."local".images = true in the settings has'),
        ("scripted:x.toml", None, "scripted:x.toml is sent nothing"),
        (None, None, "no model is set"),
    ],
)
def test_whether_images_are_sent_and_why_not(id: str | None, takes: bool | None, why: str) -> None:
    found = images_of(looked_at("a", "b"), id, takes)
    assert found is not None
    assert (found.count, found.bytes, found.sent) == (2, 2 * BASE64_BYTES, takes is True)
    assert found.why.startswith(why)
    assert bool(found.why) is not found.sent
    assert images_of(looked_at(), id, takes) is None


def test_the_images_of_a_part_count_where_they_are_sent() -> None:
    *_, text = parts_in(a_request("a"))
    *_, part = parts_in(a_request("a"), images=True)
    assert (text.images, part.images, part.bytes) == (0, BASE64_BYTES, text.bytes)
    assert part.all_bytes == part.bytes + BASE64_BYTES


def test_what_is_kept_counts_the_images_of_what_is_the_same() -> None:
    def parts(*messages: dict[str, Any]) -> Any:
        return parts_in(Request(system="", tools=(), messages=messages, bytes={}), images=True)

    old = parts(*looked_at("a"))
    longer = kept_of(old, parts(*looked_at("a"), {"role": "user", "text": "And?", "from": [4]}))
    assert longer.whole
    assert longer.bytes == sum(part.all_bytes for part in old)
    other = kept_of(old, parts(*looked_at("b")))
    assert not other.whole
    assert other.of - other.bytes > BASE64_BYTES


def test_a_tool_of_the_real_machine_is_not_promoted() -> None:
    def parts(*names: str) -> Any:
        declared = tuple({"name": name, "description": "", "input_schema": {}} for name in names)
        return parts_in(Request(system="", tools=declared, messages=(), bytes={}))

    kept = kept_of(parts("read"), parts("read", "bash"), promotes=False)
    assert kept.why == "bash was added at the end of the tools"


async def test_the_wire_says_what_images_there_are_and_whether_they_were_sent(play: Play) -> None:
    cid = keep(play.harness)
    seq = await recorded(play.harness, "demo", cid)
    wire = wire_of(play.harness, "demo", seq)
    assert wire.images is not None
    assert (wire.images.count, wire.images.sent) == (1, True)
    assert wire.total == sum(wire.bytes.values()) + BASE64_BYTES
    assert [part.images for part in wire.parts if part.kind == "messages"] == [0, 0, BASE64_BYTES]

    without = wire_of(play.harness, "demo", seq, OpenAI("local", "m", Choice(base_url="http://127.0.0.1:1/v1")))
    assert without.images is not None
    assert not without.images.sent
    assert without.total == sum(without.bytes.values())


@pytest.mark.parametrize("kind", [OpenAI, Anthropic])
async def test_a_body_is_shown_without_the_millions_of_letters_of_an_image(play: Play, kind: Any) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'models' is not installed")
    cid = keep(play.harness)
    seq = await recorded(play.harness, "demo", cid)
    request = play.harness.request("demo", seq)
    one = kind("m", "m", Choice())
    body = await body_of(play.harness, "demo", request, one)
    await one.close()
    data = base64.b64encode(PNG).decode()
    assert data.encode() in body.body

    text, cut = shown(body.body)
    assert cut == 1
    assert data not in text
    rest = f"{data[:SHOWN_DATA]}… {len(data) - SHOWN_DATA:,} more characters"
    assert rest in text
    assert json.loads(text.replace(rest, data)) == json.loads(body.body), "all else is as it is"


def test_what_only_looks_like_an_image_is_shown_whole() -> None:
    letters = "A" * 500
    said = json.dumps({"text": f'"data":"{letters}" data:image/png;base64,{letters}', "path": letters}).encode()
    assert shown(said) == (said.decode(), 0)


@pytest.mark.parametrize("how", ["gone", "changed"])
async def test_a_body_without_the_image_that_is_gone_says_so(play: Play, how: str) -> None:
    pytest.importorskip("pydantic_ai", reason="the extra 'models' is not installed")
    cid = keep(play.harness)
    seq = await recorded(play.harness, "demo", cid)
    damage(play, cid, how)
    one = OpenAI("m", "m", Choice())
    body = await body_of(play.harness, "demo", play.harness.request("demo", seq), one)
    await one.close()
    assert b"Read.\\n(tool image omitted: it is not in the Space any more)" in body.body

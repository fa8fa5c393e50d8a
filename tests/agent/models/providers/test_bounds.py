"""How much a provider may send, and how long it may keep us with nothing."""

from __future__ import annotations

import gzip
import json
from itertools import chain, pairwise, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pydantic_ai")

from tests.agent.models.providers.asking import PROTOCOLS, a_model, everything
from tests.agent.models.providers.raw_server import OK, raw_server
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import ModelFault, Thought
from workbench.agent.models.providers.sdk import incoming
from workbench.agent.models.providers.sdk.incoming import Events, TooMuch

both = pytest.mark.parametrize("protocol", PROTOCOLS)
LINE = "workbench.agent.models.providers.sdk.line.MOST_OF_AN_ANSWER"
THOUGHTS = "workbench.agent.models.providers.sdk.stream.MOST_OF_THOUGHTS"


async def fault(protocol: str, server: FakeProvider, secs: float = 30) -> ModelFault:
    async with a_model(protocol, server, connect_secs=secs, read_secs=secs) as model:
        with pytest.raises(ModelFault) as caught:
            await everything(model)
    return caught.value


def is_too_much(caught: ModelFault) -> bool:
    return (caught.code, caught.again) == ("limit", False) and "more than an answer may have, 8 MiB" in caught.message


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [(name, kind) for name in PROTOCOLS for kind in ("text", "characters", "thinking", "arguments", "calls")]
    + [("anthropic", "signature")],
)
async def test_an_answer_without_measure_is_a_limit(protocol: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LINE, 2000)
    async with FakeProvider() as server:
        match kind:
            case "text":
                server.answer("w " * 1001)
            case "characters":
                server.answer("日 " * 501)
            case "thinking":
                server.answer("So.", thinking="w " * 1001)
            case "arguments":
                server.answer(calls=[("book", {"when": "x" * 2001})])
            case "calls":
                server.answer(calls=[("book", {})] * 30)
            case _:
                server.answer("So.", thinking="hm", signature="c" * 2001)
        caught = await fault(protocol, server)

    assert is_too_much(caught)


@both
async def test_an_answer_up_to_the_bound_is_one(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LINE, 2000)
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("w " * 500, thinking="w " * 500)
        _, answer = await everything(model)

    assert answer.text == "w " * 500


@both
async def test_eight_mebibytes_are_the_bound(protocol: str) -> None:
    async with FakeProvider() as server:
        server.answer("w" * 4_200_000 + " " + "w" * 4_200_000)
        caught = await fault(protocol, server)

    assert is_too_much(caught)


@both
async def test_a_line_without_an_end_is_a_limit(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming, "MOST_OF_AN_EVENT", 100_000)
    async with raw_server(lambda: chain([OK, b"data: "], repeat(b"x" * 1000))) as server:
        assert is_too_much(await fault(protocol, server))


@both
async def test_events_without_an_end_that_say_nothing_are_a_limit(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "MOST_OF_AN_ANSWER", 100_000)
    nothing = {"openai": {"choices": []}, "anthropic": {"type": "ping"}}[protocol]
    event = f"data: {json.dumps(nothing)}\n\n".encode()
    if protocol == "anthropic":
        event = b"event: ping\n" + event
    async with raw_server(lambda: chain([OK], repeat(event * 20))) as server:
        assert is_too_much(await fault(protocol, server))


@both
async def test_comments_alone_are_silence(protocol: str) -> None:
    async with raw_server(lambda: chain([OK], repeat(b": still here\n\n")), every_secs=0.02) as server:
        caught = await fault(protocol, server, secs=0.3)

    assert (caught.code, caught.again) == ("timeout", True)
    assert "said nothing for 0.3 seconds" in caught.message


@both
async def test_a_head_that_never_ends_is_silence(protocol: str) -> None:
    parts = lambda: chain([b"HTTP/1.1 200 OK\r\n"], repeat(b"X: y\r\n"))  # noqa: E731
    async with raw_server(parts, every_secs=0.02) as server:
        caught = await fault(protocol, server, secs=0.2)

    assert (caught.code, caught.again) == ("timeout", True)


@both
@pytest.mark.parametrize("status", [429, 500])
@pytest.mark.parametrize("every_secs", [0, 0.02])
async def test_an_error_that_never_ends_is_its_status(protocol: str, status: int, every_secs: float) -> None:
    head = f"HTTP/1.1 {status} No\r\nContent-Type: application/json\r\n\r\n".encode()
    part = b"A" * 10_000 if every_secs == 0 else b" "
    async with raw_server(lambda: chain([head], repeat(part)), every_secs=every_secs) as server:
        caught = await fault(protocol, server, secs=30 if every_secs == 0 else 0.3)

    assert (caught.code, caught.again) == ("unavailable", True)
    assert f"({status})" in caught.message
    assert len(caught.message) < 600


@both
async def test_a_compressed_answer_is_not_read(protocol: str) -> None:
    async with FakeProvider() as server:
        reply = server.fail(200, body=gzip.compress(b"A" * 10_000_000))
        reply.headers |= {"Content-Type": "text/event-stream", "Content-Encoding": "gzip"}
        caught = await fault(protocol, server)

    assert (caught.code, caught.again) == ("failed", False)
    assert "compressed" in caught.message
    assert server.requests[0].headers["accept-encoding"] == "identity"


@both
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "x"])
async def test_a_compressed_error_is_its_status(protocol: str, encoding: str) -> None:
    async with FakeProvider() as server:
        server.fail(400, body=gzip.compress(b"A" * 10_000_000)).headers["Content-Encoding"] = encoding
        caught = await fault(protocol, server)

    assert caught.code == "bad_input"
    assert caught.message.startswith(f"{protocol}:fake refused the request (400). ")


async def test_thoughts_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(THOUGHTS, 100)
    async with FakeProvider() as server, a_model("anthropic", server) as model:
        server.answer("So.", redacted="a" * 40, thinking="t" * 200, signature="signed")
        server.answer("So.", redacted="a" * 400, thinking="t" * 20, signature="signed")

        pieces, first = await everything(model)
        _, second = await everything(model)

    assert sum(len(piece.text) for piece in pieces) == 203  # type: ignore[union-attr]
    kept, cut = first.thinking
    assert kept == Thought("", "redacted:" + "a" * 40, "anthropic")
    assert cut.signature is None
    assert cut.text.startswith("ttt")
    assert len(cut.text.encode()) <= 51
    assert second.thinking == (Thought("t" * 20, "signed", "anthropic"),)


STREAM = st.lists(
    st.sampled_from(["data: a", "data:", ": data: b", "event: x", "id: 1", "", "", " ", "retry", "dat"]), max_size=12
)


@given(lines=STREAM, ending=st.sampled_from(["\n", "\r", "\r\n"]), cuts=st.lists(st.integers(0, 200), max_size=20))
def test_an_event_ends_once_wherever_the_parts_do(lines: list[str], ending: str, cuts: list[int]) -> None:
    text = "".join(line + ending for line in lines).encode()
    ends, data = 0, False
    for line in lines:
        ends += line == "" and data
        data = line.startswith("d") or (data and line != "")
    borders = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]

    by_byte, by_part = Events(), Events()
    counted = sum(by_byte.ended(text[at : at + 1]) for at in range(len(text)))
    seen = [by_part.ended(text[start:end]) for start, end in pairwise(borders)]

    assert counted == ends
    assert any(seen) == (ends > 0)


def test_an_event_has_a_length_over_all_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming, "MOST_OF_AN_EVENT", 100)
    events = Events()
    for _ in range(30):
        events.ended(b"data: 12345678\r\n")
        events.ended(b"\r")
        events.ended(b"\n")

    for _ in range(6):
        events.ended(b"data: 12345678\r")
        events.ended(b"\n")
    with pytest.raises(TooMuch):
        events.ended(b"data: 12345678\r")

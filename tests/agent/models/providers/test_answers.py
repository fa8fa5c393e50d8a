"""What a model says over a socket, piece by piece, and the answer that it makes."""

from __future__ import annotations

import asyncio

import pytest

from tests.agent.models.providers.asking import PROTOCOLS, a_model, an_ask, everything, said, thought, written
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import ModelCall, ModelFault, Text, Thought, Usage

both = pytest.mark.parametrize("protocol", PROTOCOLS)


@both
async def test_text_comes_in_pieces_and_then_as_a_whole(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("There is a table free.", usage={"input": 120, "output": 7})

        pieces, answer = await everything(model)

    assert pieces == [Text("There "), Text("is "), Text("a "), Text("table "), Text("free.")]
    assert (answer.text, answer.calls, answer.finish) == ("There is a table free.", (), "stop")
    assert answer.usage is not None
    assert (answer.usage.input, answer.usage.output) == (120, 7)


@both
async def test_calls_are_written_and_parsed(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("Two.", calls=[("book", {"when": "morgen früh", "guests": 2}), ("status", {})])

        pieces, answer = await everything(model)

    assert answer.calls == (ModelCall("book", {"when": "morgen früh", "guests": 2}), ModelCall("status", {}))
    assert answer.finish == "calls"
    assert written(pieces) == {0: '{"when": "morgen früh", "guests": 2}', 1: "{}"}


@both
@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ('{"a": 1.0, "b": [true, null]}', {"a": 1.0, "b": [True, None]}),
        ("", {}),
        ('{"a": ', '{"a": '),
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ('{"a": NaN}', '{"a": NaN}'),
        ('{"a": ' + "9" * 400 + "}", '{"a": ' + "9" * 400 + "}"),
        ('{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
        ('{"a": "\\ud83d"}', '{"a": "\\ud83d"}'),
        ("[" * 300, "[" * 300),
        ("[1]", [1]),
    ],
)
async def test_what_is_no_strict_json_stays_the_text(protocol: str, text: str, parsed: object) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer(calls=[("book", text)])

        _, answer = await everything(model)

    assert answer.calls == (ModelCall("book", parsed),)


@both
@pytest.mark.parametrize("split", [1, 2, 3, 7])
async def test_the_borders_of_chunks_mean_nothing(protocol: str, split: int) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("Grüße 😀👩‍👩‍👧 日本語", calls=[("book", {"name": "Löwe 🦁"})], thinking="hm 🤔 so", split=split)

        pieces, answer = await everything(model)

    assert said(pieces) == answer.text == "Grüße 😀👩‍👩‍👧 日本語"
    assert thought(pieces) == "hm 🤔 so"
    assert answer.calls == (ModelCall("book", {"name": "Löwe 🦁"}),)


async def test_a_character_that_a_server_cut_into_two_escapes_is_one_again() -> None:
    halves = b"".join(
        b'data: {"choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":%s}]}\n\n' % part
        for part in [(b"a \\ud83d", b"null"), (b"\\ude00 b \\ud83d", b"null"), (b" c", b'"stop"')]
    )
    async with FakeProvider() as server, a_model("openai", server) as model:
        reply = server.fail(200, body=halves + b"data: [DONE]\n\n")
        reply.headers["Content-Type"] = "text/event-stream"

        pieces, answer = await everything(model)

    assert said(pieces) == answer.text == "a 😀 b \ufffd c"


@both
async def test_text_with_tags_for_thinking_stays_text(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("<think> I </think> say")

        _, answer = await everything(model)

    assert answer.text == "<think> I </think> say"
    assert answer.thinking == ()


@both
async def test_the_length_limit_is_told(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("I begin", calls=[("book", '{"when": "to')], finish="length")

        _, answer = await everything(model)

    assert answer.finish == "length"
    assert answer.calls == (ModelCall("book", '{"when": "to'),)


@both
async def test_a_refusal_is_told_with_its_words(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer(refusal="I will not do that.")
        server.answer("Up to here", finish="refusal")

        pieces, answer = await everything(model)
        _, second = await everything(model)

    assert (said(pieces), answer.text, answer.finish) == ("I will not do that.", "I will not do that.", "refusal")
    assert (second.text, second.finish) == ("Up to here", "refusal")


@both
async def test_calls_count_more_than_the_word_for_the_end(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer(calls=[("status", {})], finish="stop")

        _, answer = await everything(model)

    assert answer.finish == "calls"


async def test_thoughts_of_anthropic_have_their_signatures() -> None:
    async with FakeProvider() as server, a_model("anthropic", server) as model:
        server.answer("So.", thinking="Is there one?", signature="c2lnbg==", redacted="aGlkZGVu")

        _, answer = await everything(model)

    assert answer.thinking == (
        Thought("", "redacted:aGlkZGVu", "anthropic"),
        Thought("Is there one?", "c2lnbg==", "anthropic"),
    )


async def test_thoughts_behind_openais_protocol_name_the_field_they_came_in() -> None:
    async with FakeProvider() as server, a_model("openai", server) as model:
        server.answer("So.", thinking="Is there one?")

        _, answer = await everything(model)

    assert answer.thinking == (Thought("Is there one?", "reasoning_content", "openai"),)


@pytest.mark.parametrize(
    ("protocol", "counted", "usage"),
    [
        ("openai", {"input": 100, "output": 5, "cache_read": 80}, Usage(100, 5, 80)),
        ("openai", {"input": 100, "output": 5, "cache_read": 0}, Usage(100, 5, 0)),
        ("openai", {"input": 100, "output": 5}, Usage(100, 5)),
        ("openai", None, None),
        ("anthropic", {"input": 100, "output": 5, "cache_read": 80, "cache_write": 15}, Usage(100, 5, 80, 15)),
        ("anthropic", {"input": 100, "output": 5}, Usage(100, 5)),
    ],
)
async def test_tokens_are_what_the_server_counted(
    protocol: str, counted: dict[str, int] | None, usage: Usage | None
) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("Well.", usage=counted)

        _, answer = await everything(model)

    assert answer.usage == usage


@both
async def test_the_first_word_is_there_before_the_last_is_sent(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        reply = server.answer("first second", hold_after=4 if protocol == "anthropic" else 2)
        pieces = model.stream(an_ask())

        assert await anext(pieces) == Text("first ")
        assert not reply.gone.is_set()
        reply.release()
        assert await anext(pieces) == Text("second")
        await pieces.aclose()


@both
async def test_a_cancelled_task_hangs_up(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        reply = server.answer("first second", hold_after=4)
        asking = asyncio.create_task(everything(model))
        await reply.wait_until_held()

        asking.cancel()

        with pytest.raises(asyncio.CancelledError):
            await asking
        await reply.wait_until_gone()


@both
async def test_closing_the_stream_hangs_up(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        reply = server.answer("first second third", hold_after=6 if protocol == "anthropic" else 3)
        pieces = model.stream(an_ask())
        await anext(pieces)

        await pieces.aclose()

        await reply.wait_until_gone()


@both
async def test_one_model_is_asked_many_times(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        for word in ("one", "two", "three"):
            server.answer(word)
        answers = [(await everything(model))[1].text for _ in range(3)]

    assert answers == ["one", "two", "three"]


@both
async def test_an_answer_of_nothing_is_an_answer(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("")

        pieces, answer = await everything(model)

    assert (pieces, answer.text, answer.finish) == ([], "", "stop")


@both
@pytest.mark.parametrize("ending", ["closed", "ended"])
@pytest.mark.parametrize("after", [0, 1, 3, 5])
async def test_a_stream_without_its_end_is_no_answer(protocol: str, ending: str, after: int) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        if ending == "closed":
            server.answer("one two three four", calls=[("book", {"when": "now"})], cut_after=after)
        else:
            server.answer(" ".join("word" for _ in range(after)), finishes=False)

        with pytest.raises(ModelFault) as caught:
            await everything(model)

    assert caught.value.again
    assert "Asking again may help" in caught.value.message

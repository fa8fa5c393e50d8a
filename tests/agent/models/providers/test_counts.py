"""What a server says beside its answer may be anything: the answer comes, without a warning on the screen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.agent.models.providers.asking import PROTOCOLS, a_model, everything
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import Answer, Usage

both = pytest.mark.parametrize("protocol", PROTOCOLS)

ODD = ["-5", '"12"', "1.5", "true", "NaN", "Infinity", "1" + "0" * 400, "null", "[1]", '{"a": 1}', "9007199254740992"]


def openai_stream(usage: str, **beside: Any) -> list[str]:
    rest = "".join(f', "{key}": {json.dumps(value)}' for key, value in beside.items())
    said = '{"choices": [{"index": 0, "delta": {"content": "Good day"}, "finish_reason": %s}]%s}'
    return [
        said % ("null", rest),
        said.replace("Good day", "") % ('"stop"', rest),
        f'{{"choices": [], "usage": {usage}}}',
    ]


def anthropic_stream(usage: str, **beside: Any) -> list[str]:
    message = json.dumps({"id": "m", "role": "assistant", "model": "fake", "content": []} | beside)
    return [
        f'{{"type": "message_start", "message": {message[:-1]}, "usage": {usage}}}}}',
        '{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "Good day"}}',
        '{"type": "content_block_stop", "index": 0}',
        f'{{"type": "message_delta", "delta": {{"stop_reason": "end_turn"}}, "usage": {usage}}}',
        '{"type": "message_stop"}',
    ]


async def answer_to(protocol: str, events: list[str]) -> Answer:
    names = [f"event: {json.loads(event)['type']}\n" if protocol == "anthropic" else "" for event in events]
    body = "".join(f"{name}data: {event}\n\n" for name, event in zip(names, events, strict=True))
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.fail(200, body=body.encode()).headers["Content-Type"] = "text/event-stream"
        return (await everything(model))[1]


def names(protocol: str) -> tuple[str, str]:
    return ("prompt_tokens", "completion_tokens") if protocol == "openai" else ("input_tokens", "output_tokens")


def stream(protocol: str, usage: str, **beside: Any) -> list[str]:
    return openai_stream(usage, **beside) if protocol == "openai" else anthropic_stream(usage, **beside)


@both
@pytest.mark.parametrize("odd", ODD)
async def test_a_count_that_is_none_is_unknown(protocol: str, odd: str, recwarn: pytest.WarningsRecorder) -> None:
    sent, answered = names(protocol)

    answer = await answer_to(protocol, stream(protocol, f'{{"{sent}": {odd}, "{answered}": 3}}'))
    nothing = await answer_to(protocol, stream(protocol, f'{{"{sent}": {odd}, "{answered}": {odd}}}'))

    assert (answer.text, answer.usage) == ("Good day", Usage(None, 3))
    assert (nothing.text, nothing.usage) == ("Good day", None)
    assert not recwarn.list


@both
async def test_a_whole_count_with_a_point_counts(protocol: str) -> None:
    sent, answered = names(protocol)

    answer = await answer_to(protocol, stream(protocol, f'{{"{sent}": 12.0, "{answered}": 3.0}}'))

    assert answer.usage == Usage(12, 3)
    assert answer.usage is not None
    assert type(answer.usage.input) is int


@both
@pytest.mark.parametrize(
    "usage", ["null", '"lots"', "[]", "{}", "7", '{"prompt_tokens_details": "x", "iterations": 5}']
)
async def test_counts_of_no_form_are_none(protocol: str, usage: str, recwarn: pytest.WarningsRecorder) -> None:
    answer = await answer_to(protocol, stream(protocol, usage))

    assert (answer.text, answer.usage) == ("Good day", None)
    assert not recwarn.list


@both
@pytest.mark.parametrize("odd", [{"a": 1}, "yesterday", -(10**30), None, [7]], ids=repr)
async def test_what_nobody_needs_may_be_anything(protocol: str, odd: Any) -> None:
    fields = ("id", "created", "model", "object", "service_tier", "moderation", "system_fingerprint")
    if protocol == "anthropic":
        fields = ("id", "model", "container", "diagnostics", "input_transformations", "stop_reason")

    answer = await answer_to(protocol, stream(protocol, "{}", **dict.fromkeys(fields, odd)))

    assert answer.text == "Good day"

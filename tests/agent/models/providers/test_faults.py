"""Everything that can go wrong between us and a provider: the words, and whether asking again may help."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from tests.agent.models.providers.asking import PROTOCOLS, a_model, everything
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import Choice, ModelFault
from workbench.agent.models.providers.openai import OpenAI
from workbench.harness.errors import HarnessError

both = pytest.mark.parametrize("protocol", PROTOCOLS)
KEY = "sk-test-0123456789abcdef"


async def fault(protocol: str, server: FakeProvider, choice: dict[str, Any] | None = None, **more: Any) -> ModelFault:
    async with a_model(protocol, server, choice, **more) as model:
        with pytest.raises(ModelFault) as caught:
            await everything(model)
    assert caught.value.__cause__ is None
    return caught.value


@both
@pytest.mark.parametrize(
    ("status", "code", "again", "words"),
    [
        (400, "bad_input", False, "refused the request (400)"),
        (401, "refused", False, "No key was sent"),
        (403, "refused", False, "does not allow"),
        (404, "not_found", False, "Check the model's name, fake"),
        (408, "unavailable", True, "could not take the request now (408)"),
        (409, "unavailable", True, "could not take the request now (409)"),
        (413, "limit", False, "too large"),
        (422, "bad_input", False, "refused the request (422)"),
        (429, "unavailable", True, "asked too often (429)"),
        (500, "unavailable", True, "a trouble of its own (500)"),
        (502, "unavailable", True, "(502)"),
        (503, "unavailable", True, "(503)"),
        (529, "unavailable", True, "(529)"),
        (402, "refused", False, "no credit left"),
    ],
)
async def test_each_status_has_its_words(protocol: str, status: int, code: str, again: bool, words: str) -> None:
    async with FakeProvider() as server:
        server.fail(status, "because of the moon")
        caught = await fault(protocol, server)

    assert (caught.code, caught.again) == (code, again)
    assert words in caught.message
    assert f"{protocol}:fake" in caught.message
    assert 'saying "because of the moon"' in caught.message
    assert len(server.requests) == 1


@both
@pytest.mark.parametrize(("header", "secs"), [("7", 7.0), ("0.5", 0.5), ("-3", None), ("nan", None), ("soon", None)])
async def test_how_long_to_wait_is_passed_on(protocol: str, header: str, secs: float | None) -> None:
    async with FakeProvider() as server:
        server.fail(429, retry_after=header)
        caught = await fault(protocol, server)

    assert (caught.again, caught.after_secs) == (True, secs)


@both
@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("7", "It asks to wait 7 seconds."),
        ("86400", "It asks to wait 86400 seconds."),
        ("86401", "It asks to wait for more than a day."),
        ("1e300", "It asks to wait for more than a day."),
        ("9" * 200, "It asks to wait for more than a day."),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "It asks to wait for more than a day."),
        ("inf", "Asking again may help."),
    ],
)
async def test_how_long_to_wait_is_said_in_words(protocol: str, header: str, words: str) -> None:
    async with FakeProvider() as server:
        server.fail(429, retry_after=header)
        caught = await fault(protocol, server)

    assert caught.message.endswith(words)


@pytest.mark.parametrize(
    ("protocol", "kind", "message"),
    [
        ("openai", "context_length_exceeded", "too long"),
        ("openai", "invalid_request_error", "This model's maximum context length is 4096 tokens."),
        ("openai", "exceed_context_size_error", "the request exceeds the available context size"),
        ("anthropic", "invalid_request_error", "prompt is too long: 300000 tokens > 200000 maximum"),
        ("anthropic", "invalid_request_error", "input length and `max_tokens` exceed context limit: 9 + 9 > 10"),
    ],
)
async def test_a_request_over_the_context_is_a_limit(protocol: str, kind: str, message: str) -> None:
    async with FakeProvider() as server:
        server.fail(400, message, kind=kind)
        caught = await fault(protocol, server)

    assert (caught.code, caught.again) == ("limit", False)
    assert "the setting context" in caught.message


@pytest.mark.parametrize(
    ("protocol", "status", "kind"), [("openai", 429, "insufficient_quota"), ("anthropic", 403, "billing_error")]
)
async def test_no_credit_is_not_asked_again(protocol: str, status: int, kind: str) -> None:
    async with FakeProvider() as server:
        server.fail(status, "pay first", kind=kind)
        caught = await fault(protocol, server)

    assert (caught.code, caught.again) == ("refused", False)


@both
async def test_a_wrong_key_names_where_it_comes_from_and_never_itself(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    async with FakeProvider() as server:
        server.fail(401, f"Bearer {KEY} is unknown, I have seen {KEY}")
        caught = await fault(protocol, server, {"key": "${MY_KEY}"})

    assert "the environment variable MY_KEY" in caught.message
    assert "[the key] is unknown" in caught.message
    assert KEY not in repr(caught)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@both
async def test_no_key_is_sent_where_none_is_set(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "not for others")
    async with FakeProvider() as server, a_model(protocol, server) as model:
        server.answer("Hi")
        await everything(model)

    assert "not for others" not in str(server.requests[0].headers)
    assert not {"authorization", "x-api-key"} & set(server.requests[0].headers)


@both
async def test_a_missing_key_is_said_before_anything_is_sent(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    async with FakeProvider() as server:
        caught = await fault(protocol, server, {"key": "${MY_KEY}"})

    assert (caught.code, caught.again, server.requests) == ("unavailable", False, [])
    assert "MY_KEY is not set" in caught.message


@both
async def test_a_servers_words_are_short_and_on_one_line(protocol: str) -> None:
    async with FakeProvider() as server:
        server.fail(400, "first\nsecond\x1b[31m\u202e " + "x" * 10_000)
        caught = await fault(protocol, server)

    assert "\n" not in caught.message
    assert "\x1b" not in caught.message
    assert "\u202e" not in caught.message
    assert "first second" in caught.message
    assert len(caught.message) < 600


@both
@pytest.mark.parametrize(
    "body", [b"", b"<html>no</html>", b'{"error": 7}', b'["x"]', b"\xff\xfe", b'{"error": {"message": {"a": 1}}}']
)
@pytest.mark.parametrize(("status", "again"), [(500, True), (400, False)])
async def test_an_error_in_no_known_form_is_still_told(protocol: str, body: bytes, status: int, again: bool) -> None:
    async with FakeProvider() as server:
        server.fail(status, body=body)
        caught = await fault(protocol, server)

    assert caught.again is again
    assert f"({status})" in caught.message


@both
@pytest.mark.parametrize(
    "body", [b"", b"<html>no</html>", b"data: {oops\n\n", b'data: {"a": 1}\n\n', b'data: "x"\n\n', b"data: [1]\n\n"]
)
@pytest.mark.parametrize("form", ["text/event-stream", "text/html", "application/json"])
async def test_what_does_not_speak_the_protocol_is_a_fault(protocol: str, body: bytes, form: str) -> None:
    async with FakeProvider() as server:
        server.fail(200, body=body).headers["Content-Type"] = form
        caught = await fault(protocol, server)

    assert caught.code in {"failed", "unavailable"}


@both
@pytest.mark.parametrize("after", [0, 1, 4])
@pytest.mark.parametrize(
    ("kind", "again"),
    [("overloaded_error", True), ("rate_limit_error", True), ("server_error", True), ("invalid_request_error", False)],
)
async def test_an_error_in_the_stream(protocol: str, kind: str, again: bool, after: int) -> None:
    if protocol == "anthropic" and kind == "server_error":
        kind = "api_error"
    async with FakeProvider() as server:
        server.answer("one two three four", error_after=after, error_kind=kind, error_text="that was it")
        caught = await fault(protocol, server)

    assert caught.again is again
    assert "that was it" in caught.message


@both
async def test_nobody_listens(protocol: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        server = FakeProvider(port=taken.getsockname()[1])
        caught = await fault(protocol, server)

    assert (caught.code, caught.again) == ("unavailable", True)
    assert f"cannot be reached at http://127.0.0.1:{server.port}" in caught.message


@both
async def test_a_name_that_no_computer_has(protocol: str) -> None:
    async with FakeProvider() as server:
        caught = await fault(protocol, server, {"base_url": "http://nobody.invalid/v1"})

    assert (caught.code, caught.again) == ("unavailable", True)


@both
@pytest.mark.parametrize("at", [0, 4])
async def test_silence_ends(protocol: str, at: int) -> None:
    async with FakeProvider() as server:
        reply = server.answer("one two three", hold_after=at)
        caught = await fault(protocol, server, read_secs=0.2)
        await reply.wait_until_gone()

    assert (caught.code, caught.again) == ("timeout", True)
    assert "said nothing for 0.2 seconds" in caught.message


@both
async def test_a_connection_that_nobody_takes(protocol: str) -> None:
    # a full queue of connections: the kernel answers no further one
    with socket.socket() as deaf, socket.socket() as first, socket.socket() as second:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for waiting in (first, second):
            waiting.setblocking(False)
            waiting.connect_ex(deaf.getsockname())
        caught = await fault(protocol, FakeProvider(port=deaf.getsockname()[1]), connect_secs=0.2)

    assert (caught.code, caught.again) == ("timeout", True)
    assert "did not take the connection" in caught.message


async def test_a_key_that_is_no_reference_is_refused_at_once() -> None:
    with pytest.raises(HarnessError) as caught:
        OpenAI("m", "fake", Choice(key=KEY))

    assert KEY not in caught.value.message

"""The body that is shown is the body that is sent, and nothing in it is other than it was given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.agent.models.providers.asking import BOOK, PROTOCOLS, SCHEMA, a_model, an_ask, everything
from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import Ask, Choice
from workbench.agent.models.projection import ANTHROPIC, OPENAI, project
from workbench.agent.models.providers.anthropic import Anthropic
from workbench.agent.models.providers.openai import OpenAI
from workbench.harness.log.replay import WORDLESS

both = pytest.mark.parametrize("protocol", PROTOCOLS)


def the_schema(protocol: str, body: dict[str, Any]) -> Any:
    tool = body["tools"][0]
    return tool["function"]["parameters"] if protocol == "openai" else tool["input_schema"]


@both
@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"max_tokens": 77},
        {"options": {"temperature": 0, "seed": 1.0, "own": {"é": [None]}}},
        {"options": {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4000}},
    ],
)
async def test_what_is_shown_is_what_is_sent(protocol: str, choice: dict[str, Any]) -> None:
    async with FakeProvider() as server, a_model(protocol, server, choice) as model:
        server.answer("Yes.")
        server.answer("Yes.")

        before = await model.body(an_ask())
        assert server.bodies == []
        await everything(model)
        between = await model.body(an_ask())
        await everything(model)

    assert server.bodies == [before.body, between.body] == [before.body] * 2
    assert before.method == server.requests[0].method == "POST"
    assert before.url == f"http://127.0.0.1:{server.port}{server.requests[0].path}"
    assert json.loads(before.body)["stream"] is True


@both
async def test_a_schema_goes_out_word_for_word(protocol: str) -> None:
    rules = OPENAI if protocol == "openai" else ANTHROPIC
    async with FakeProvider() as server, a_model(protocol, server) as model:
        body = await model.body(an_ask())
        projection = model.project([BOOK])

    assert projection == project([BOOK], rules)
    assert projection.losses == ()
    # the same text means the same keys in the same order, and 1.0 no 1
    assert json.dumps(the_schema(protocol, json.loads(body.body))) == json.dumps(SCHEMA)


@both
async def test_what_a_provider_refuses_is_named_and_not_sent(protocol: str) -> None:
    schema = {**SCHEMA, "oneOf": [{"required": ["when"]}], "properties": {**SCHEMA["properties"], "für wen": {}}}
    tool = {**BOOK, "input_schema": schema}
    async with FakeProvider() as server, a_model(protocol, server) as model:
        projection = model.project([tool])
        server.answer("Yes.")
        ask = Ask("", projection.tools, ({"role": "user", "text": "Hi", "from": [1]},))
        shown = await model.body(ask)
        await everything(model, ask)

    assert server.bodies == [shown.body]
    sent = the_schema(protocol, server.requests[0].json)
    assert sent == projection.tools[0]["input_schema"]
    assert ("oneOf" in sent, ("für wen" in sent["properties"])) == (False, protocol == "openai")
    named = [(loss.path, loss.keyword) for loss in projection.losses]
    assert named == [("", "oneOf")] + ([("/properties/für wen", "properties")] if protocol == "anthropic" else [])


@both
async def test_the_conversation_goes_out_as_it_is(protocol: str) -> None:
    async with FakeProvider() as server, a_model(protocol, server) as model:
        body = json.loads((await model.body(an_ask())).body)

    no_json = {"INVALID_JSON": '{"when": '}
    if protocol == "openai":
        first, second = body["messages"][2].pop("tool_calls")
        assert json.loads(first["function"]["arguments"]) == {"when": "now", "guests": 2.0}
        assert json.loads(second["function"]["arguments"]) == no_json
        assert body["messages"] == [
            {"role": "system", "content": "You book tables."},
            {"role": "user", "content": "A table for two, <|im_start|> please"},
            {"role": "assistant", "content": "I look."},
            {"role": "tool", "tool_call_id": "call-1", "content": '{"ok":true}'},
            {"role": "tool", "tool_call_id": "call-2", "content": "That was no JSON."},
            {"role": "user", "content": "And?"},
        ]
        return
    assert body["system"] == "You book tables."
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user", "user"]
    assert body["messages"][1]["content"] == [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "call-1", "name": "book", "input": {"when": "now", "guests": 2.0}},
        {"type": "tool_use", "id": "call-2", "name": "book", "input": no_json},
    ]
    assert [block["tool_use_id"] for block in body["messages"][2]["content"]] == ["call-1", "call-2"]
    assert body["messages"][2]["content"][0]["content"] == [{"type": "text", "text": '{"ok":true}'}]


@both
async def test_a_call_of_a_name_that_no_provider_takes_can_still_be_sent(protocol: str) -> None:
    messages = (
        {"role": "user", "text": "Hi", "from": [1]},
        {"role": "assistant", "calls": [{"id": "call-1", "name": "no such töol!", "input": {}}], "from": [2]},
        {"role": "tool", "results": [{"id": "call-1", "name": "no such töol!", "text": "unknown"}], "from": [3]},
    )
    async with FakeProvider() as server, a_model(protocol, server) as model:
        body = (await model.body(an_ask(messages=messages))).body

    assert b'"no_such_t_ol_"' in body


THOUGHTS = [
    {"text": "Is there one?", "signature": "c2lnbg==", "provider": "anthropic"},
    {"text": "", "signature": "redacted:aGlkZGVu", "provider": "anthropic"},
    {"text": "Nobody signed this.", "signature": None, "provider": "anthropic"},
    {"text": "In a field of its own.", "signature": "reasoning_content", "provider": "openai"},
]


def thoughtful() -> Ask:
    messages = (
        {"role": "user", "text": "Hi", "from": [1]},
        {"role": "assistant", "text": "So.", "thinking": THOUGHTS, "from": [2]},
        {"role": "user", "text": "And?", "from": [3]},
    )
    return Ask("", (), messages)


async def test_a_signed_thought_goes_back_to_anthropic_and_nobody_elses_does() -> None:
    async with FakeProvider() as server, a_model("anthropic", server) as model:
        body = json.loads((await model.body(thoughtful())).body)

    assert body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "Is there one?", "signature": "c2lnbg=="},
        {"type": "redacted_thinking", "data": "aGlkZGVu"},
        {"type": "text", "text": "So."},
    ]


async def test_a_thought_goes_back_in_the_field_that_it_came_in() -> None:
    async with FakeProvider() as server, a_model("openai", server) as model:
        body = json.loads((await model.body(thoughtful())).body)

    said = {"role": "assistant", "content": "So.", "reasoning_content": "In a field of its own."}
    assert body["messages"][1] == said


async def test_openai_itself_gets_no_thoughts() -> None:
    model = OpenAI("openai:gpt-5", "gpt-5", Choice())
    body = json.loads((await model.body(thoughtful())).body)
    await model.close()

    assert body["messages"][1] == {"role": "assistant", "content": "So."}


@pytest.mark.parametrize(
    ("choice", "ask", "sent"),
    [
        (Choice(), None, {}),
        (Choice(max_tokens=50), None, {"max_completion_tokens": 50}),
        (Choice(max_tokens=50), 20, {"max_completion_tokens": 20}),
        (Choice(max_tokens=50), 80, {"max_completion_tokens": 50}),
        (Choice(), 80, {"max_completion_tokens": 80}),
        (Choice(base_url="http://127.0.0.1:1/v1", max_tokens=50), None, {"max_tokens": 50}),
    ],
)
async def test_the_bound_of_an_answer_at_openais_protocol(
    choice: Choice, ask: int | None, sent: dict[str, int]
) -> None:
    model = OpenAI("m", "gpt-5", choice)
    body = json.loads((await model.body(an_ask(max_tokens=ask))).body)
    await model.close()

    assert {key: value for key, value in body.items() if "max" in key} == sent


@pytest.mark.parametrize(
    ("choice", "ask", "most"),
    [
        (Choice(), None, 8192),
        (Choice(), 20_000, 8192),
        (Choice(), 20, 20),
        (Choice(max_tokens=50), None, 50),
        (Choice(max_tokens=5), 9, 5),
        (Choice(max_tokens=20_000), 90_000, 20_000),
    ],
)
async def test_the_bound_of_an_answer_at_anthropics(choice: Choice, ask: int | None, most: int) -> None:
    model = Anthropic("m", "claude", choice)
    body = json.loads((await model.body(an_ask(max_tokens=ask))).body)
    await model.close()

    assert body["max_tokens"] == most


@pytest.mark.parametrize("name", ["gpt-5", "gpt-4o", "o3", "qwen3:8b", "claude-opus-5", "claude-fable-5", "x/y"])
@both
async def test_the_name_of_a_model_changes_nothing_else(protocol: str, name: str) -> None:
    kind = OpenAI if protocol == "openai" else Anthropic
    options = {"temperature": 0.5, "top_p": 1}
    bodies = []
    for called in (name, "fake"):
        model = kind("m", called, Choice(options=options, max_tokens=200_000))
        bodies.append((await model.body(an_ask())).body.replace(json.dumps(called).encode(), b'"it"'))
        await model.close()

    assert bodies[0] == bodies[1]


@both
async def test_it_needs_no_key_to_be_looked_at(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    kind = OpenAI if protocol == "openai" else Anthropic
    model = kind("m", "fake", Choice())

    body = await model.body(an_ask())
    await model.close()

    hosts = {
        "openai": "https://api.openai.com/v1/chat/completions",
        "anthropic": "https://api.anthropic.com/v1/messages",
    }
    assert body.url == hosts[protocol]


BLANKS = ["", " ", "\n\t ", "\u00a0\u3000"]


def texts_in(protocol: str, body: dict[str, Any]) -> list[list[str]]:
    """Of each message but the system's, its texts; a result's are texts too."""
    messages = [message for message in body["messages"] if message["role"] != "system"]
    if protocol == "openai":
        return [[message["content"]] if message.get("content") is not None else [] for message in messages]
    blocks = [message["content"] for message in messages]
    return [
        [block.get("text") or block["content"][0]["text"] for block in of if block["type"] in {"text", "tool_result"}]
        for of in blocks
    ]


@both
@pytest.mark.parametrize("blank", BLANKS, ids=repr)
async def test_no_text_without_a_word_goes_out(protocol: str, blank: str) -> None:
    call = {"id": "call-1", "name": "book", "input": {}}
    messages = (
        {"role": "user", "text": blank, "from": [1]},
        {"role": "assistant", "text": blank, "from": [2]},
        {"role": "user", "text": "Hi", "from": [3]},
        {"role": "assistant", "text": blank, "calls": [call], "from": [4]},
        {"role": "tool", "results": [{"id": "call-1", "name": "book", "text": blank}], "from": [5]},
        {"role": "assistant", "text": " So. ", "from": [6]},
        {"role": "user", "text": " And? ", "from": [7]},
    )
    async with FakeProvider() as server, a_model(protocol, server) as model:
        body = json.loads((await model.body(Ask(blank, (BOOK,), messages))).body)

    assert texts_in(protocol, body) == [[WORDLESS], [WORDLESS], ["Hi"], [], ["[empty]"], [" So. "], [" And? "]]
    assert "system" not in body
    assert body["messages"][0]["role"] == "user"


async def test_a_thought_alone_is_no_message() -> None:
    messages = (
        {"role": "user", "text": "Hi", "from": [1]},
        {"role": "assistant", "text": " ", "thinking": THOUGHTS[:1], "from": [2]},
        {"role": "user", "text": "And?", "from": [3]},
    )
    async with FakeProvider() as server, a_model("anthropic", server) as model:
        body = json.loads((await model.body(Ask("", (), messages))).body)

    assert [block["type"] for block in body["messages"][1]["content"]] == ["thinking", "text"]
    assert body["messages"][1]["content"][1]["text"] == WORDLESS

"""Turns with each provider's adapter, at a server on a real socket: what goes out is what the harness shows."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest

from tests.agent.models.providers.asking import PROTOCOLS, SCHEMA, a_model
from tests.agent.servers.fake_provider import FakeProvider
from tests.harness.play import Play
from workbench.agent.body import ask_of
from workbench.agent.notes import Note, Streamed
from workbench.agent.retry import Backoff
from workbench.agent.turn import TurnEnd, turn
from workbench.harness.log.events import Message, RequestSent, ToolCall, ToolResult

AT_ONCE = Backoff(first_secs=0, spread=lambda: 0)

pytestmark = pytest.mark.parametrize("protocol", PROTOCOLS)


async def drive(play: Play, protocol: str, server: FakeProvider, text: str | None = "go on", **more: Any) -> TurnEnd:
    async with a_model(protocol, server) as model:
        return await turn(play.harness, play.thread, model, text, backoff=AT_ONCE, **more)


def tools_of(body: bytes) -> list[dict[str, Any]]:
    """The tools as they came over the socket, in the harness's words."""
    found: list[dict[str, Any]] = []
    for tool in json.loads(body)["tools"]:
        inner = tool.get("function", tool)
        schema = inner.get("parameters", inner.get("input_schema"))
        found.append({"name": inner["name"], "description": inner["description"], "input_schema": schema})
    return found


async def test_the_tools_on_the_socket_are_those_of_the_request_before_and_after_a_promotion(
    play: Play, protocol: str
) -> None:
    await play.save("book", input=SCHEMA)
    async with FakeProvider() as server:
        server.answer("I look at it.", calls=[("read", {"address": "~/tools/book"})])
        server.answer("I know it now.")
        await drive(play, protocol, server)
        assert len(server.bodies) == 2
        sent = [event for event in play.harness.events("demo") if isinstance(event, RequestSent)]
        async with a_model(protocol, server) as model:
            for body, event in zip(server.bodies, sent, strict=True):
                shown = play.harness.request("demo", at=event.seq)
                assert tools_of(body) == [dict(tool) for tool in model.project(shown.tools).tools]
                preview = await model.body(await ask_of(shown, model))
                assert preview is not None
                assert preview.body == body, "what is shown is what was sent, whole"
        names = [[tool["name"] for tool in tools_of(body)] for body in server.bodies]
        assert names[0] == ["read", "write", "call", "delegate", "plan"]
        assert names[1] == [*names[0], "book"]
        book = tools_of(server.bodies[1])[-1]
        stored = play.harness.tool("book")
        assert stored is not None
        assert json.dumps(book["input_schema"]) == json.dumps(stored.document.input), "verbatim, in its order"
        assert book["input_schema"] == SCHEMA


async def test_a_made_up_tool_is_one_event_and_one_answer_and_never_declared(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        server.answer(calls=[("bash", {"command": "id"}), ("call", {"tool": "bash", "input": {"command": "id"}})])
        server.answer("There is none.")
        await drive(play, protocol, server)
        events = play.harness.events("demo")
        assert [event.name for event in events if isinstance(event, ToolCall)] == ["bash", "call"]
        results = [event.output["status"] for event in events if isinstance(event, ToolResult)]
        assert results == ["no_such_tool"] * 2
        assert all("bash" not in [tool["name"] for tool in tools_of(body)] for body in server.bodies)
        said_back = server.bodies[1].decode()
        assert said_back.count("no_such_tool") >= 2, "each call has its answer"


async def test_the_first_word_is_there_before_the_last_is_sent(play: Play, protocol: str) -> None:
    first = asyncio.Event()
    heard: list[Note] = []

    def told(note: Note) -> None:
        heard.append(note)
        if isinstance(note, Streamed):
            first.set()

    async with FakeProvider() as server:
        reply = server.answer("One word, and then a great many more of them.", hold_after=4)
        task = asyncio.create_task(drive(play, protocol, server, told=told))
        await reply.wait_until_held()
        await asyncio.wait_for(first.wait(), 30)
        assert not task.done()
        reply.release()
        assert (await task).reason == "done"


async def test_borders_anywhere_in_the_stream_change_nothing(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        server.answer("Grüße aus «Zürich» 🦁", calls=[("read", {"address": "~/memory/ünï 🦁.txt"})], split=1)
        server.answer("So.", split=3)
        await drive(play, protocol, server)
        spoken = [event.text for event in play.harness.events("demo") if isinstance(event, Message)]
        assert spoken == ["go on", "Grüße aus «Zürich» 🦁", "So."]
        call = next(event for event in play.harness.events("demo") if isinstance(event, ToolCall))
        assert call.input == {"address": "~/memory/ünï 🦁.txt"}


@pytest.mark.parametrize("how", ["overloaded", "rate", "gone", "in the stream"])
async def test_what_may_pass_is_tried_again(play: Play, protocol: str, how: str) -> None:
    async with FakeProvider() as server:
        match how:
            case "overloaded":
                server.fail(503, "busy")
            case "rate":
                server.fail(429, "slowly", retry_after="0")
            case "gone":
                server.answer("I was about to s", cut_after=3)
            case _:
                server.answer("I was about to s", error_after=3)
        server.answer("Here I am.")
        end = await drive(play, protocol, server)
        assert (end.reason, end.requests, len(server.bodies)) == ("done", 2, 2)
        assert server.bodies[0] == server.bodies[1], "the same is asked again"
        spoken = [event.text for event in play.harness.events("demo") if isinstance(event, Message)]
        assert spoken == ["go on", "Here I am."], "nothing of the void answer is kept"


async def test_a_wrong_key_ends_the_turn_in_words(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        server.fail(401, "invalid key", kind="authentication_error")
        end = await drive(play, protocol, server)
        assert (end.reason, end.requests) == ("failed", 1)
        assert "key" in end.words


async def test_an_answer_cut_by_its_length_runs_nothing(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        cut = '{"address": "~/memory/a", "content": "hal'
        server.answer("I write", calls=[("write", cut)], finish="length")
        server.answer("I see.")
        await drive(play, protocol, server)
        assert not [event for event in play.harness.events("demo") if isinstance(event, ToolCall)]
        assert "none of its 1 calls were run (write)" in server.bodies[1].decode()


async def test_arguments_that_are_no_json_are_answered_like_any_refused_input(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        server.answer(calls=[("read", '{"address": ')])
        server.answer("Oh.")
        await drive(play, protocol, server)
        events = play.harness.events("demo")
        assert next(event for event in events if isinstance(event, ToolCall)).input == '{"address": '
        result = next(event for event in events if isinstance(event, ToolResult)).output
        assert (result["status"], result["executed"]) == ("contract", False)


async def test_an_abort_hangs_up_and_leaves_the_log_whole(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        reply = server.answer("A long story, of which not all is told.", hold_after=5)
        task = asyncio.create_task(drive(play, protocol, server))
        await reply.wait_until_held()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await reply.wait_until_gone()
        assert play.harness.live_run("demo") is None
        assert play.harness.fsck() == []


async def test_tokens_are_those_that_the_provider_reports(play: Play, protocol: str) -> None:
    async with FakeProvider() as server:
        server.answer("Hello.", usage={"input": 120, "output": 7, "cache_read": 100})
        end = await drive(play, protocol, server)
        (request,) = play.harness.requests("demo")
        assert request.ended is not None
        assert request.ended.usage == end.usage
        assert end.usage.output == 7
        assert end.usage.cache_read == 100

"""The one way in: what it refuses before an act exists, what it logs, and how acts end that do not end well."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.harness.play import Play
from workbench import HarnessError
from workbench.harness.log.payloads import as_json
from workbench.harness.watch import Appended, Progressed

DEEP: Any = 0
for _ in range(200):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ({"actor": "nobody"}, "bad_input"),
        ({"actor": "agent", "thread": None}, "bad_input"),
        ({"thread": "../x"}, "bad_input"),
        ({"thread": "a b"}, "bad_input"),
        ({"thread": ""}, "bad_input"),
        ({"thread": "x\n"}, "bad_input"),
        ({"name": ""}, "bad_input"),
        ({"name": "x" * 300}, "bad_input"),
        ({"name": "\ud800"}, "bad_input"),
        ({"input": DEEP}, "limit"),
        ({"input": {"a": float("nan")}}, "bad_input"),
        ({"input": {"a": "\ud800"}}, "bad_input"),
        ({"input": {1: 2}}, "bad_input"),
        ({"input": {"a": b"x"}}, "bad_input"),
        ({"input": {"address": "~/memory/x", "content": "x" * (5 * 1024 * 1024)}, "name": "write"}, "limit"),
        ({"input": {"tool": "el", "input": {"text": "x" * (5 * 1024 * 1024)}}, "name": "call"}, "limit"),
        ({"message": ""}, "bad_input"),
    ],
)
async def test_what_could_not_even_be_logged_leaves_no_event(play: Play, act: dict[str, Any], code: str) -> None:
    before = {thread.id: thread.events for thread in play.harness.threads()}
    whole: dict[str, Any] = {"name": "read", "input": {"address": "~/self"}, "actor": "user", "thread": "demo"} | act
    with pytest.raises(HarnessError) as refused:
        await play.harness.perform(**whole)
    assert (refused.value.code, refused.value.seq) == (code, None)
    assert {thread.id: thread.events for thread in play.harness.threads()} == before


async def test_a_failed_act_names_the_event_that_recorded_it(play: Play) -> None:
    error = await play.fails("read", {"address": "nowhere"})
    assert (error.code, error.thread, error.seq) == ("bad_input", "demo", 2)
    assert as_json(play.harness.events("demo")[1])["error"] == {"code": "bad_input", "message": error.message}


async def test_a_refused_input_of_a_verb_is_an_answer_to_the_agent_and_an_error_to_the_owner(play: Play) -> None:
    answer = await play.agent("read", {"adress": "~/self"})
    assert (answer["status"], answer["tool"], answer["reason"]) == ("contract", "read", "invalid_input")
    assert answer["unknown_keys"] == [{"key": "adress", "path": "$", "nearest": "address"}]
    error = await play.fails("read", {"adress": "~/self"})
    assert error.code == "bad_input"
    assert "did you mean address?" in error.message


async def test_unknown_options_are_refused_by_name(play: Play) -> None:
    for address in ("~/memory/x", "~/tools/", "~/tools/el", "~/self", "thread:", "thread:demo"):
        error = await play.fails("read", {"address": address, "options": {"colour": 1}}, "agent")
        assert (error.code, "colour" in error.message) == ("bad_input", True)


async def test_an_act_of_the_owner_without_a_thread_is_in_the_workshop(play: Play) -> None:
    done = await play.harness.perform("read", {"address": "~/self"})
    assert done.thread == "workshop"


@pytest.mark.sandbox
async def test_cancelling_leaves_one_cancelled_result_and_nothing_running(play: Play) -> None:
    await play.save("slow", source="import time\ndef main(input):\n    print('on', flush=True)\n    time.sleep(60)\n")
    notes = play.harness.subscribe()
    act = asyncio.create_task(play.owner("call", {"tool": "slow"}))
    async for note in notes:
        if isinstance(note, Progressed) and "on" in note.tail:
            break
    assert [run.call.name for run in play.harness.running()] == ["call"]
    act.cancel()
    with pytest.raises(asyncio.CancelledError):
        await act
    results = [as_json(event) for event in play.harness.events("demo") if event.type == "tool_result"]
    assert [result["error"]["code"] for result in results] == ["cancelled"]
    assert play.harness.running() == []


async def test_subscribers_hear_of_acts_here_and_in_another_process(play: Play, folders: Any) -> None:
    from workbench import Harness

    notes = play.harness.subscribe()
    async with Harness.open(play.harness.root, folders=folders) as other:
        await other.say("hello from there", thread="demo")
        note = await anext(notes)
        while not (isinstance(note, Appended) and note.event.thread == "demo"):
            note = await anext(notes)
        assert as_json(note.event)["text"] == "hello from there"
    await play.owner("read", {"address": "~/self"})
    seen: list[str] = []
    while len(seen) < 2:
        note = await anext(notes)
        if isinstance(note, Appended) and note.event.thread == "demo":
            seen.append(note.event.type)
    assert seen == ["tool_call", "tool_result"]


async def test_a_hand_edit_reaches_subscribers_and_the_log(play: Play) -> None:
    notes = play.harness.subscribe()
    (play.harness.root / "agent.toml").write_text('tools = ["search"]\n')
    note = await anext(notes)
    while not (isinstance(note, Appended) and note.event.type == "tool_result"):
        note = await anext(notes)
    assert note.event.thread == "workshop"
    assert note.event.output["noticed"]


async def test_what_is_said_is_logged_and_nothing_else_is(play: Play) -> None:
    event = await play.harness.say("hello", thread="demo")
    assert (event.actor, event.role, event.text, event.seq) == ("user", "user", "hello", 1)
    with pytest.raises(HarnessError):
        await play.harness.say("  ", thread="demo")
    with pytest.raises(HarnessError):
        await play.harness.say("\ud800", thread="demo")
    assert len(play.harness.events("demo")) == 1


async def test_a_fork_has_the_past_of_its_parent_and_a_future_of_its_own(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    await play.agent("read", {"address": "~/tools/search"})
    await play.harness.fork("demo", 2, "other")
    assert [tool.name for tool in play.harness.promoted("other").promoted] == ["el"]
    await play.harness.perform("read", {"address": "~/tools/open_el"}, "agent", "other")
    assert [tool.name for tool in play.harness.promoted("other").promoted] == ["el", "open_el"]
    assert play.promoted() == ["el", "search"]
    messages = play.harness.request("other").messages
    assert [message["role"] for message in messages] == ["assistant", "tool", "assistant", "tool"]


@pytest.mark.parametrize(("parent", "seq", "thread"), [("demo", 9, "new"), ("none", 1, "new"), ("demo", 1, "demo")])
async def test_a_fork_that_cannot_be(play: Play, parent: str, seq: int, thread: str) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    with pytest.raises(HarnessError) as refused:
        await play.harness.fork(parent, seq, thread)
    assert refused.value.code in ("not_found", "conflict")


async def test_the_owners_yes_is_logged_and_acts(play: Play) -> None:
    await play.owner(
        "write", {"address": "~/self", "content": {"model": "openai:x", "web": {"searxng": "https://s.example"}}}
    )
    assert [waiting.id for waiting in play.harness.waiting()] == ["model", "web.searxng"]
    await play.harness.approve("model")
    assert play.harness.settings().settings.model == "openai:x"
    assert as_json(play.harness.events("workshop")[-1]) | {"time": ""} == {
        "thread": "workshop",
        "seq": play.harness.events("workshop")[-1].seq,
        "time": "",
        "actor": "user",
        "type": "approval",
        "key": "model",
        "value": "openai:x",
        "approved": True,
    }
    with pytest.raises(HarnessError) as later:
        await play.harness.approve("web.searxng")
    assert later.value.code == "unavailable"
    with pytest.raises(HarnessError) as none:
        await play.harness.approve("nothing")
    assert none.value.code == "not_found"

"""The one way in: what it logs, whom it tells, and what it answers to whom."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.play import Play
from workbench import Harness, HarnessError
from workbench.harness.log.payloads import as_json
from workbench.harness.watch import Appended


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


async def test_subscribers_hear_of_acts_here_and_in_another_process(play: Play, folders: Any) -> None:
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

"""Requests as they were sent: recorded by their parts, shown again byte for byte, fixed while a run lives."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.harness.play import Play
from workbench import Harness, HarnessError
from workbench.harness.door.door import Said
from workbench.harness.log.events import RequestSent
from workbench.harness.log.log import Outcome
from workbench.harness.log.payloads import dumps
from workbench.harness.request import Request


async def sent(play: Play, run: str | None = None) -> tuple[RequestSent, Request]:
    """Send what is next, as a turn does; without a run, in one of its own that ends at once."""
    request = play.harness.request("demo")
    own = await play.harness.start_run("demo") if run is None else run
    event = await play.harness.send("demo", own, "scripted:x", request)
    if run is None:
        await play.harness.end_run("demo", own)
    return event, request


def texts(request: Request) -> tuple[Any, ...]:
    return request.system, [dumps(tool) for tool in request.tools], [dumps(one) for one in request.messages]


async def test_what_went_out_is_shown_byte_for_byte_whatever_changed_since(play: Play) -> None:
    await play.harness.say("hi", "user", "demo")
    await play.agent("call", {"tool": "el", "input": {"b": 1.0, "a": 2, "n": -0.0, "big": 10**30}})
    event, before = await sent(play)
    assert "el" in [tool["name"] for tool in before.tools]
    await play.owner("write", {"address": "~/self", "content": {"tools": ["search"], "prompt": "Other."}})
    await play.owner("write", {"address": "~/memory/new.txt", "content": "new"})
    await play.save("el", description="Another thing.")
    await play.owner("write", {"address": "~/tools/open_el", "options": {"delete": True}})
    then = play.harness.request("demo", at=event.seq)
    assert texts(then) == texts(before)
    assert (then.recorded, then.model, then.note) == (event.request, "scripted:x", None)
    assert then.bytes == before.bytes
    assert texts(play.harness.request("demo")) != texts(before)


async def test_a_moment_right_before_a_request_is_that_request(play: Play) -> None:
    said = await play.harness.say("hi", "user", "demo")
    event, _ = await sent(play)
    assert event.seq == said.seq + 2, "the start of the run stands between them"
    assert play.harness.request("demo", at=said.seq).recorded == event.request


async def test_the_event_that_says_how_a_request_ended_shows_that_request(play: Play) -> None:
    await play.harness.say("hi", "user", "demo")
    run = await play.harness.start_run("demo")
    event, before = await sent(play, run)
    await play.harness.answered(event, Outcome("stop"), Said("Hello."))
    (one,) = play.harness.requests("demo")
    assert one.ended is not None
    assert texts(play.harness.request("demo", at=one.ended.seq)) == texts(before)


async def test_a_moment_at_which_nothing_was_sent_is_put_together_and_says_so(play: Play) -> None:
    first = await play.harness.say("hi", "user", "demo")
    await play.harness.say("and?", "user", "demo")
    await sent(play)
    then = play.harness.request("demo", at=first.seq)
    assert then.recorded is None
    assert then.note is not None
    assert [one["text"] for one in then.messages] == ["hi"]


async def test_a_part_that_was_sent_before_is_stored_once(play: Play) -> None:
    await play.harness.say("hi", "user", "demo")
    one, _ = await sent(play)
    await play.harness.say("again", "user", "demo")
    other, _ = await sent(play)
    assert (one.system, one.tools) == (other.system, other.tools)
    assert other.messages[:1] == one.messages
    assert play.harness.fsck() == []


async def test_the_system_text_stays_while_a_run_lives(play: Play) -> None:
    run = await play.harness.start_run("demo")
    await play.harness.say("hi", "user", "demo")
    _, first = await sent(play, run)
    await play.save("another")
    _, second = await sent(play, run)
    assert second.system == first.system
    assert "another" not in second.system
    await play.harness.end_run("demo", run)
    assert "another" in play.harness.request("demo").system


async def test_within_a_run_it_is_rebuilt_when_something_callable_goes_away(play: Play) -> None:
    run = await play.harness.start_run("demo")
    await play.harness.say("hi", "user", "demo")
    await sent(play, run)
    await play.owner("write", {"address": "~/tools/el", "options": {"delete": True}})
    now = play.harness.request("demo").system
    assert "- el" not in now
    assert "- open_el" in now


async def test_a_request_belongs_to_a_live_run(play: Play) -> None:
    request = play.harness.request("demo")
    with pytest.raises(HarnessError) as caught:
        await play.harness.send("demo", "run-none", "scripted:x", request)
    assert caught.value.code == "not_found"


async def test_requests_are_listed_with_how_they_ended(play: Play) -> None:
    await play.harness.say("hi", "user", "demo")
    run = await play.harness.start_run("demo")
    event, _ = await sent(play, run)
    assert [one.ended for one in play.harness.requests("demo")] == [None]
    await play.harness.answered(event, Outcome("stop", duration_ms=7), Said("Hello."))
    (one,) = play.harness.requests("demo")
    assert one.sent == event
    assert one.ended is not None
    assert (one.ended.finish, one.ended.duration_ms) == ("stop", 7)


async def test_old_messages_are_left_out_where_a_context_is_small_and_promotion_is_not(play: Play) -> None:
    await play.agent("plan", {"title": "Tea", "steps": [{"id": "1", "label": "boil <water>", "status": "done"}]})
    await play.agent("read", {"address": "~/tools/el"})
    for number in range(40):
        await play.harness.say(f"{number} " + "x" * 1_000, "user", "demo")
    whole, small = play.harness.request("demo"), play.harness.request("demo", context_tokens=10_000)
    assert whole.left_out == 0
    assert 0 < small.left_out < len(whole.messages)
    assert len(small.messages) == len(whole.messages) - small.left_out + 1
    assert small.tools == whole.tools
    first = small.messages[0]
    assert first["role"] == "user"
    assert first["text"].startswith(f"<left_out>{small.left_out} older messages")
    assert "read thread:demo" in first["text"]
    assert "Tea: 1 boil ‹water>: done" in first["text"], "what stood of the plan is said, and closes nothing"
    assert small.messages[1:] == whole.messages[small.left_out :]
    assert sum(small.bytes.values()) < 10_000 * 3


async def test_of_a_fork_the_note_names_where_its_past_is_and_stays_while_the_cut_does(play: Play) -> None:
    await play.agent("plan", {"steps": [{"id": "1", "label": "x" * 150, "status": "done"}] * 1})
    for number in range(40):
        await play.harness.say(f"{number} " + "x" * 1_000, "user", "demo")
    await play.harness.fork("demo", 42, "other")
    notes: list[str] = []
    for number in range(5):
        await play.harness.say(f"more {number}", "user", "other")
        request = play.harness.request("other", context_tokens=10_000)
        notes.append(request.messages[0]["text"])
    assert "read thread:demo gives them" in notes[0]
    assert "Your plan then was: 1 xxx" in notes[0]
    assert len(set(notes)) == 1


async def test_a_note_never_takes_the_room_itself(play: Play) -> None:
    steps = [{"id": str(number), "label": "é" * 200, "status": "done"} for number in range(100)]
    await play.agent("plan", {"title": "é" * 200, "steps": steps})
    for number in range(60):
        await play.harness.say(f"{number} " + "x" * 500, "user", "demo")
    request = play.harness.request("demo", context_tokens=8_000)
    assert request.left_out
    assert len(request.messages[0]["text"].encode()) <= 2 * 1024
    assert sum(request.bytes.values()) < 8_000 * 3


async def test_an_answer_and_its_calls_enter_the_log_at_once(play: Play) -> None:
    await play.harness.say("hi", "user", "demo")
    run = await play.harness.start_run("demo")
    event, _ = await sent(play, run)
    done = await play.harness.answered(
        event,
        Outcome("calls"),
        Said("Look."),
        [("read", {"address": "~/memory/"}), ("nothing_such", {}), ("call", {"tool": "el", "input": {"text": 1}})],
    )
    kinds = [one.type for one in play.harness.events("demo", after=event.seq)]
    assert kinds[:5] == ["message", "request", "tool_call", "tool_call", "tool_call"]
    assert [one.result["status"] for one in done if not isinstance(one, HarnessError)] == [
        "ok",
        "no_such_tool",
        "contract",
    ]


async def test_the_log_reads_as_json_and_back(play: Play, harness: Harness) -> None:
    from workbench.harness.log.payloads import as_json

    await play.harness.say("hi", "user", "demo")
    event, _ = await sent(play)
    text = json.dumps(as_json(event))
    assert json.loads(text)["state"] == "sent"
    assert harness.request("demo", at=event.seq).bytes == json.loads(text)["bytes"]


async def test_the_answers_of_a_model_are_counted_with_those_of_the_past(play: Play) -> None:
    for finish in ("stop", "failed", "calls", "aborted"):
        await play.harness.say("hi", "user", "demo")
        run = await play.harness.start_run("demo")
        event, _ = await sent(play, run)
        await play.harness.answered(event, Outcome(finish), Said("Hello."))
        await play.harness.end_run("demo", run)
    assert play.harness.answers_of("demo", "scripted:x") == 2
    assert play.harness.answers_of("demo", "scripted:y") == 0
    first_ended = next(one.ended for one in play.harness.requests("demo"))
    assert first_ended is not None
    await play.harness.fork("demo", first_ended.seq, "other")
    assert play.harness.answers_of("other", "scripted:x") == 1

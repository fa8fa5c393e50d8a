"""Turns: what a model's answers come to in the log, and what it is asked next."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.agent.answers import calls, model, says
from tests.harness.play import Play
from workbench import HarnessError
from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Ask, ModelFault, Piece, Price, Text, Thinking, Thought
from workbench.agent.notes import Answered, Note, Requested, Streamed, Waiting
from workbench.agent.retry import Backoff
from workbench.agent.turn import TurnEnd, turn
from workbench.harness.log.events import Message, RequestEnded, RequestSent, Run, ToolCall, ToolResult, Usage

AT_ONCE = Backoff(first_secs=0, spread=lambda: 0)


class Heard(list[Note]):
    """The notes of a turn, and the text that was streamed."""

    @property
    def text(self) -> str:
        return "".join(note.piece.text for note in self if isinstance(note, Streamed) and isinstance(note.piece, Text))

    @property
    def requests(self) -> list[RequestSent]:
        return [note.sent for note in self if isinstance(note, Requested)]


class Failing(KnownAnswers):
    """Gives its answers, but fails some times first: after having said a word."""

    def __init__(self, *answers: Answer, faults: list[ModelFault]) -> None:
        super().__init__("scripted:failing", "scripted", answers, lambda: says("over"))
        self._faults = faults

    async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
        if self._faults:
            yield Text("half a wo")
            raise self._faults.pop(0)
        async for piece in super().stream(ask):
            yield piece


async def play_turn(play: Play, *answers: Answer, text: str | None = "go on") -> TurnEnd:
    return await turn(play.harness, play.thread, model(*answers), text, backoff=AT_ONCE)


def kinds(play: Play) -> list[str]:
    """The events of the thread in short."""
    short: list[str] = []
    for event in play.harness.events(play.thread):
        match event:
            case Run():
                short.append(f"run {event.state}")
            case Message():
                short.append(f"{event.actor}: {event.text}")
            case ToolCall():
                short.append(f"call {event.name}")
            case ToolResult():
                status = event.error["code"] if event.error else (event.output or {}).get("status")
                short.append(f"result {event.name} {status}")
            case RequestSent():
                short.append("sent")
            case RequestEnded():
                short.append(f"ended {event.finish}")
            case _:
                short.append(event.type)
    return short


async def test_a_turn_that_only_speaks(play: Play) -> None:
    end = await play_turn(play, says("Hello."), text="hi")
    assert (end.reason, end.requests) == ("done", 1)
    assert kinds(play) == ["run start", "user: hi", "sent", "agent: Hello.", "ended stop", "run end"]


async def test_a_touch_promotes_within_the_turn_and_the_retry_runs(play: Play) -> None:
    heard = Heard()
    task = model(
        calls(("call", {"tool": "search", "input": {"query": "x"}}), text="Let me look."),
        calls(("search", {"query": "x"})),
        says("Nothing there."),
    )
    await turn(play.harness, "demo", task, "find x", told=heard.append)
    assert kinds(play) == [
        *("run start", "user: find x"),
        *("sent", "agent: Let me look.", "ended calls", "call call", "result call contract"),
        *("sent", "ended calls", "call search", "result search ok"),
        *("sent", "agent: Nothing there.", "ended stop", "run end"),
    ]
    asked = [play.harness.request("demo", at=sent.seq) for sent in heard.requests]
    assert ["search" in [tool["name"] for tool in request.tools] for request in asked] == [False, True, True]
    assert heard.text == "Let me look.Nothing there."


async def test_each_request_begins_with_the_one_before(play: Play) -> None:
    heard = Heard()
    answers = model(
        calls(("call", {"tool": "search", "input": {"query": "x"}}), ("read", {"address": "~/memory/"})),
        calls(("search", {"query": "x"}), text="Again."),
        says("Done."),
    )
    await turn(play.harness, "demo", answers, "find x", told=heard.append)
    requests = [play.harness.request("demo", at=sent.seq).messages for sent in heard.requests]
    for before, after in itertools.pairwise(requests):
        assert after[: len(before)] == before


async def test_a_name_that_a_model_made_up_is_one_event_with_one_answer_and_switches_nothing_on(play: Play) -> None:
    await play_turn(
        play, calls(("bash", {"command": "id"}), ("call", {"tool": "bash", "input": {"command": "id"}})), says("Pity.")
    )
    events = play.harness.events("demo")
    named = [event for event in events if isinstance(event, ToolCall)]
    answers = {event.id: event.output for event in events if isinstance(event, ToolResult)}
    assert [event.name for event in named] == ["bash", "call"]
    assert [answers[event.id]["status"] for event in named] == ["no_such_tool"] * 2
    assert "bash" not in play.provider()
    assert play.withheld() == {"bash": "unknown"}


async def test_what_the_owner_says_meanwhile_is_answered_in_the_same_turn(play: Play) -> None:
    class Interrupting(KnownAnswers):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            if ask.answered == 0:
                await play.harness.say("and the other one?", "user", "demo")
            async for piece in super().stream(ask):
                yield piece

    answers = Interrupting("scripted:x", "scripted", [says("One."), says("Other.")], lambda: says("over"))
    end = await turn(play.harness, "demo", answers, "the one?")
    assert end.requests == 2
    told = [(one["role"], one["text"]) for one in play.harness.request("demo").messages]
    assert told == [
        ("user", "the one?"),
        ("assistant", "One."),
        ("user", "and the other one?"),
        ("assistant", "Other."),
    ]


async def test_what_is_said_while_it_waits_to_ask_again_is_asked_too(play: Play) -> None:
    class Busy(Failing):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            if self._faults:
                await play.harness.say("second", "user", "demo")
            async for piece in super().stream(ask):
                yield piece

    heard = Heard()
    busy = Busy(says("To both."), says("over"), faults=[ModelFault("unavailable", "busy", again=True)])
    await turn(play.harness, "demo", busy, "first", told=heard.append, backoff=AT_ONCE)
    asked = play.harness.request("demo", at=heard.requests[-1].seq).messages
    assert [one["text"] for one in asked] == ["first", "second"]


async def test_what_is_said_between_the_making_of_a_request_and_its_record_is_asked_next(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process appends whenever it likes; here it does so in that very moment."""
    send = play.harness.send
    late = ["but not that"]

    async def say_first(*args: Any) -> RequestSent:
        if late:
            await play.harness.say(late.pop(), "user", "demo")
        return await send(*args)

    monkeypatch.setattr(play.harness, "send", say_first)
    end = await play_turn(play, says("Done."), says("Then not."), text="do it")
    assert end.requests == 2
    told = [(one["role"], one["text"]) for one in play.harness.request("demo").messages]
    assert told == [("user", "do it"), ("assistant", "Done."), ("user", "but not that"), ("assistant", "Then not.")]


async def test_an_abort_right_behind_the_last_word_keeps_the_answer(play: Play) -> None:
    large = calls(("write", {"address": "~/memory/a", "content": "x" * 1_000_000}), text="I write.")
    task: asyncio.Task[TurnEnd] | None = None

    def told(note: Note) -> None:
        if isinstance(note, Answered) and task is not None:
            task.cancel()

    task = asyncio.create_task(turn(play.harness, "demo", model(large), "hi", told=told))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert kinds(play)[2:] == [
        "sent",
        "agent: I write.",
        "ended calls",
        "call write",
        "result write cancelled",
        "run end",
    ]
    assert not (play.harness.root / "memory" / "a").exists()


async def test_a_run_whose_end_cannot_be_written_keeps_nobody_waiting(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = play.harness._log
    append = log._append

    def full(thread: str, actor: Any, type_: str, body: dict[str, Any], call: str | None = None) -> Any:
        if type_ == "run" and body["state"] == "end":
            raise HarnessError("unavailable", "the disk is full")
        return append(thread, actor, type_, body, call)

    monkeypatch.setattr(log, "_append", full)
    with pytest.raises(HarnessError, match="the disk is full"):
        await play_turn(play, says("Hello."))
    monkeypatch.undo()
    assert play.harness.live_run("demo") is None
    assert (await play_turn(play, says("Hello."), says("Again."))).reason == "done"


@pytest.mark.parametrize("text", ["", "  ", "\ud800", "x" * 1_100_000], ids=["empty", "blank", "surrogate", "long"])
async def test_what_cannot_be_said_begins_no_turn(play: Play, text: str) -> None:
    with pytest.raises(HarnessError):
        await play_turn(play, says("Hello."), text=text)
    assert kinds(play) == []


async def test_the_tries_are_no_steps(play: Play) -> None:
    await play.owner("write", {"address": "~/self", "content": {"turn": {"max_steps": 1}}})
    faults = [ModelFault("unavailable", "busy", again=True)] * 3
    end = await turn(play.harness, "demo", Failing(says("Here."), faults=faults), "hi", backoff=AT_ONCE)
    assert (end.requests, kinds(play)[-3]) == (4, "agent: Here.")


async def test_a_text_that_is_longer_than_a_message_says_that_it_was_cut(play: Play) -> None:
    await play_turn(play, says("x" * 1_200_000))
    spoken = [event for event in play.harness.events("demo") if isinstance(event, Message) and event.actor == "agent"]
    assert spoken[0].cut == "length"


async def test_a_thread_of_the_toolbox_surface_gets_no_verbs(play: Play) -> None:
    log = play.harness._log
    log._surface = lambda: "toolbox"
    await play.harness.say("hi", "user", "tools")
    with pytest.raises(HarnessError) as caught:
        await turn(play.harness, "tools", model(says("Hello.")), None)
    assert caught.value.code == "unavailable"
    assert play.harness.live_run("tools") is None


async def test_an_answer_cut_by_its_length_runs_nothing_and_says_so(play: Play) -> None:
    cut = calls(("write", {"address": "~/memory/a", "content": "half"}), text="I wri", finish="length")
    end = await play_turn(play, cut, says("I see."))
    assert end.reason == "done"
    assert "call write" not in kinds(play)
    assert "ended length" in kinds(play)
    spoken = [event for event in play.harness.events("demo") if isinstance(event, Message)]
    assert spoken[1].cut == "length"
    assert spoken[2].actor == "system"
    assert "none of its 1 calls were run (write)" in spoken[2].text


async def test_a_text_cut_by_its_length_ends_the_turn(play: Play) -> None:
    end = await play_turn(play, says("and so o", finish="length"))
    assert (end.reason, "length limit" in end.words) == ("length", True)


async def test_a_model_that_is_cut_again_and_again_is_stopped(play: Play) -> None:
    cut = calls(("plan", {"steps": []}), finish="length")
    end = await play_turn(play, *[cut] * 10)
    assert (end.reason, end.requests) == ("length", 3)


async def test_the_steps_of_a_turn_are_bounded(play: Play) -> None:
    await play.owner("write", {"address": "~/self", "content": {"turn": {"max_steps": 3}}})
    again = calls(("read", {"address": "~/memory/"}))
    end = await play_turn(play, *[again] * 10)
    assert (end.reason, end.requests) == ("max_steps", 3)
    assert kinds(play)[-1] == "run end"


async def test_the_tokens_of_a_turn_are_bounded_and_the_rest_is_what_an_answer_may_have(play: Play) -> None:
    await play.owner("write", {"address": "~/self", "content": {"turn": {"max_tokens": 100}}})
    allowed: list[int | None] = []

    class Counting(KnownAnswers):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            allowed.append(ask.max_tokens)
            async for piece in super().stream(ask):
                yield piece

    look = calls(("read", {"address": "~/memory/"}), usage=Usage(input=10, output=60))
    end = await turn(play.harness, "demo", Counting("scripted:x", "scripted", [look] * 9, lambda: look), "go")
    assert (end.reason, allowed) == ("max_tokens", [100, 40])
    assert end.usage == Usage(input=20, output=120)


async def test_a_fault_that_may_pass_is_tried_again_and_each_try_is_in_the_log(play: Play) -> None:
    heard = Heard()
    faults = [ModelFault("unavailable", "overloaded", again=True), ModelFault("failed", "went away", again=True)]
    end = await turn(
        play.harness, "demo", Failing(says("Here."), faults=faults), "hi", told=heard.append, backoff=AT_ONCE
    )
    assert (end.reason, end.requests) == ("done", 3)
    assert kinds(play) == [
        *("run start", "user: hi", "sent", "ended failed", "sent", "ended failed"),
        *("sent", "agent: Here.", "ended stop", "run end"),
    ]
    assert [note.fault.message for note in heard if isinstance(note, Waiting)] == ["overloaded", "went away"]


async def test_a_fault_that_stays_ends_the_turn_and_what_was_said_is_kept(play: Play) -> None:
    end = await turn(play.harness, "demo", Failing(faults=[ModelFault("refused", "the key is wrong")]), "hi")
    assert (end.reason, end.words) == ("failed", "the key is wrong")
    spoken = [event for event in play.harness.events("demo") if isinstance(event, Message)][-1]
    assert (spoken.text, spoken.cut) == ("half a wo", "failed")
    (request,) = play.harness.requests("demo")
    assert request.ended is not None
    assert request.ended.error == {"code": "refused", "message": "the key is wrong"}
    assert kinds(play)[-1] == "run end"


async def test_what_broke_off_is_said_to_the_model_and_can_be_gone_on_with(play: Play) -> None:
    await turn(play.harness, "demo", Failing(faults=[ModelFault("failed", "gone")]), "hi")
    assert [one["role"] for one in play.harness.request("demo").messages] == ["user", "assistant", "user"]
    end = await play_turn(play, says("I went on."), text=None)
    assert end.reason == "done"
    assert kinds(play)[-3] == "agent: I went on."


async def test_a_provider_that_asks_for_more_patience_than_there_is_is_not_waited_for(play: Play) -> None:
    fault = ModelFault("unavailable", "come back tomorrow", again=True, after_secs=86_400)
    end = await turn(play.harness, "demo", Failing(faults=[fault]), "hi")
    assert (end.reason, end.words, end.requests) == ("failed", "come back tomorrow", 1)


async def test_a_model_that_breaks_is_a_fault_in_words(play: Play) -> None:
    class Broken(KnownAnswers):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            raise RuntimeError("no such thing")
            yield Text("")

    end = await turn(play.harness, "demo", Broken("scripted:x", "scripted", [], lambda: says("")), "hi")
    assert (end.reason, end.words) == ("failed", "scripted:x failed: RuntimeError: no such thing")


async def test_a_thread_has_one_live_turn(play: Play) -> None:
    run = await play.harness.start_run("demo")
    with pytest.raises(HarnessError) as caught:
        await play_turn(play, says("Hello."))
    assert caught.value.code == "conflict"
    assert "user: go on" not in kinds(play), "nothing was said"
    await play.harness.end_run("demo", run)
    assert (await play_turn(play, says("Hello."))).reason == "done"


async def test_with_nothing_to_answer_nothing_is_asked(play: Play) -> None:
    await play_turn(play, says("Hello."))
    end = await play_turn(play, says("Hello."), text=None)
    assert (end.requests, end.words) == (0, "Nothing in this thread waits for an answer.")
    assert kinds(play)[-1] == "run end"
    assert len(kinds(play)) == 6, "and nothing of it is in the log"
    await turn(play.harness, "other", model(says("Hello.")), None)
    assert "other" not in [thread.id for thread in play.harness.threads()]


@pytest.mark.parametrize(
    "empty",
    [
        Answer("", (), "stop", (Thought("hm"),)),
        calls(("x" * 300, {})),
        calls(("write", {"address": "~/memory/a", "content": "half"}), finish="length"),
    ],
    ids=["thoughts", "refused calls", "cut calls"],
)
async def test_an_answer_that_leaves_no_words_is_an_answer_all_the_same(play: Play, empty: Answer) -> None:
    end = await play_turn(play, empty, says("Well."), text="hi")
    assert end.requests <= 2
    assert end.reason == "done"
    assert {"role": "assistant", "text": "[no words]"}.items() <= play.harness.request("demo").messages[1].items()


async def test_which_answer_is_next_depends_on_what_this_model_answered(play: Play) -> None:
    await play.agent("read", {"address": "~/memory/"})
    await play_turn(play, says("First."), says("Second."), text="one")
    await play_turn(play, says("First."), says("Second."), text="two")
    spoken = [event.text for event in play.harness.events("demo") if isinstance(event, Message)]
    assert spoken == ["one", "First.", "two", "Second."]


async def test_an_answer_of_nothing_is_said(play: Play) -> None:
    end = await play_turn(play, says(""))
    assert (end.reason, end.words) == ("done", "scripted:test answered nothing.")


async def test_what_cannot_even_be_logged_is_told_to_the_model(play: Play) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    await play_turn(play, calls(("call", {"tool": "search", "input": {"query": deep}}), ("x" * 300, {})), says("Oh."))
    told = [event.text for event in play.harness.events("demo") if isinstance(event, Message)][2]
    assert told.startswith("Not run, and not in the log: call: ")
    assert "name of 1 to 256 bytes" in told


async def test_calls_beyond_what_one_answer_may_have_are_named(play: Play) -> None:
    await play_turn(play, calls(*[("read", {"address": "~/memory/"})] * 70), says("Many."))
    assert sum(kind == "call read" for kind in kinds(play)) == 64
    assert any("6 more calls" in kind for kind in kinds(play))


async def test_thoughts_are_kept_and_go_back_only_where_they_are_signed(play: Play) -> None:
    thinking = (Thought("hm", "sig", "anthropic"), Thought("plain"))
    await play_turn(play, Answer("Well.", (), "stop", thinking))
    event = next(event for event in play.harness.events("demo") if isinstance(event, Message) and event.thinking)
    assert event.thinking == thinking
    assert play.harness.request("demo").messages[-1]["thinking"] == [
        {"text": "hm", "signature": "sig", "provider": "anthropic"}
    ]


async def test_what_it_took_stands_in_the_log(play: Play) -> None:
    class Priced(KnownAnswers):
        @property
        def price(self) -> Price:
            return Price(input=2.0, output=10.0, cache_read=0.5)

    usage = Usage(input=1_000_000, output=100_000, cache_read=400_000)
    answers = [says("Dear.", usage=usage)]
    end = await turn(play.harness, "demo", Priced("scripted:x", "scripted", answers, lambda: says("")), "hi")
    assert end.cost == pytest.approx(0.6 * 2.0 + 0.4 * 0.5 + 0.1 * 10.0)
    (request,) = play.harness.requests("demo")
    assert request.ended is not None
    assert (request.ended.usage, request.ended.cost) == (usage, end.cost)


async def test_an_abort_while_it_speaks_keeps_what_was_said(play: Play) -> None:
    heard = Heard()
    spoke = asyncio.Event()

    def told(note: Note) -> None:
        heard.append(note)
        if isinstance(note, Streamed):
            spoke.set()

    task = asyncio.create_task(
        turn(play.harness, "demo", model(says("word " * 1_000), pace_secs=0.01), "hi", told=told)
    )
    await spoke.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    spoken = [event for event in play.harness.events("demo") if isinstance(event, Message)][-1]
    assert (spoken.cut, spoken.text) == ("aborted", heard.text)
    assert kinds(play)[-2:] == ["ended aborted", "run end"]
    assert play.harness.live_run("demo") is None
    assert play.harness.fsck() == []


async def test_one_that_aborts_between_tries_is_heard(play: Play) -> None:
    waiting = asyncio.Event()
    faults = [ModelFault("unavailable", "wait", again=True, after_secs=50)]
    task = asyncio.create_task(
        turn(
            play.harness,
            "demo",
            Failing(faults=faults),
            "hi",
            told=lambda note: waiting.set() if isinstance(note, Waiting) else None,
        )
    )
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert kinds(play)[-1] == "run end"


async def test_an_abort_that_breaks_the_stream_is_an_abort(play: Play) -> None:
    """What a library makes of a cancellation is its own affair; the model is not asked again."""
    asked = asyncio.Event()

    class Breaking(KnownAnswers):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            yield Text("I was ab")
            asked.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                raise ModelFault("failed", "the connection broke", again=True) from None

    breaking = Breaking("scripted:x", "scripted", [], lambda: says(""))
    task = asyncio.create_task(turn(play.harness, "demo", breaking, "hi", backoff=AT_ONCE))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert kinds(play)[2:] == ["sent", "agent: I was ab", "ended aborted", "run end"]


async def test_thoughts_that_broke_off_are_kept(play: Play) -> None:
    class Thinks(KnownAnswers):
        async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
            yield Thinking("hm, let me")
            raise ModelFault("failed", "gone")

    await turn(play.harness, "demo", Thinks("scripted:x", "scripted", [], lambda: says("")), "hi")
    event = next(event for event in play.harness.events("demo") if isinstance(event, Message) and event.thinking)
    assert (event.thinking[0].text, event.cut) == ("hm, let me", "failed")

"""What of a thread is one answer."""

from __future__ import annotations

import itertools
from typing import Any, Literal

from msgspec import structs

from workbench import Harness
from workbench.agent.models.model import Answer, ModelCall
from workbench.agent.record import scene_of
from workbench.agent.recorded import answers_of, spoken
from workbench.harness.log.events import Actor, Event, Message, Thought, ToolCall, ToolResult
from workbench.harness.log.replay import replay

_numbers = itertools.count(1)


def said(text: str, message: str, role: Literal["user", "assistant"] = "assistant", **more: Any) -> Message:
    """Something that was said."""
    number = next(_numbers)
    actor: Actor = "agent" if role == "assistant" else "user"
    return Message(
        number=number, thread="t", seq=number, time="", actor=actor, role=role, text=text, message=message, **more
    )


def called(name: str, message: str, actor: Actor = "agent") -> ToolCall:
    """A call that was made."""
    number = next(_numbers)
    return ToolCall(
        number=number,
        thread="t",
        seq=number,
        time="",
        actor=actor,
        id=f"c-{name}",
        name=name,
        input={},
        message=message,
        process="p",
    )


def result(call: ToolCall) -> ToolResult:
    """Its result."""
    number = next(_numbers)
    return ToolResult(
        number=number, thread="t", seq=number, time="", actor=call.actor, id=call.id, name=call.name, output={}
    )


def counted(events: list[Event]) -> int:
    """How many answers the harness counts in these events."""
    return sum(message["role"] == "assistant" for message in replay(events, lambda call: "ended"))


def test_what_was_said_and_called_at_once_is_one_answer() -> None:
    a, b, c = called("a", "m1"), called("b", "m1"), called("c", "m2")
    events = [said("Hello", "u1", "user"), said("Let me see.", "m1"), a, b, result(b), result(a), c, said("So.", "m3")]
    assert answers_of(events) == (
        Answer("Let me see.", (ModelCall("a", {}), ModelCall("b", {})), "calls"),
        Answer("", (ModelCall("c", {}),), "calls"),
        Answer("So.", (), "stop"),
    )
    assert [one.places for one in spoken(events)] == [(1, 2, 3), (6,), (7,)]


def test_what_others_do_is_no_answer() -> None:
    act = called("read", "u2", "user")
    assert answers_of([said("Hello", "u1", "user"), act, result(act)]) == ()


def test_there_are_as_many_answers_as_the_harness_counts() -> None:
    act = called("read", "u1", "user")
    events: list[Event] = [
        said("Let me see.", "m1"),
        called("a", "m1"),
        act,
        result(act),
        called("b", "m1"),
        said("", "m2", thinking=(Thought("Hm."),)),
        said("", "m3", thinking=(Thought("Hm.", "signed", "anthropic"),)),
        said(" ", "m4"),
        said("Half of", "m5", cut="aborted"),
    ]
    for end in range(len(events) + 1):
        assert len(answers_of(events[:end])) == counted(events[:end])
    assert [one.finish for one in answers_of(events)] == ["calls", "calls", "stop", "stop", "stop", "stop"]


async def test_a_fork_has_the_answers_of_its_past(harness: Harness) -> None:
    await harness.say("One.", "agent", "t")
    await harness.perform("read", {"address": "~/tools/"}, "agent", "t")
    await harness.fork("t", 3, "f")
    await harness.say("Two.", "agent", "f")
    assert [(one.text, len(one.calls)) for one in answers_of(harness.lineage("f"))] == [
        ("One.", 0),
        ("", 1),
        ("Two.", 0),
    ]


def test_calls_on_the_real_machine_are_answers_like_others_whatever_they_gave() -> None:
    def host(name: str, message: str, input: dict[str, Any]) -> ToolCall:
        return structs.replace(called(name, message), input=input, binding=f"toolbox:{name}", cwd="/work")

    image = {"type": "image", "mimeType": "image/png", "cid": "bafy", "width": 2, "height": 1, "bytes": 70}
    read, bash, ls = (
        host("read", "m1", {"path": "a.png"}),
        host("bash", "m1", {"command": "false"}),
        host("ls", "m2", {}),
    )
    events: list[Event] = [
        said("Look.", "u1", "user"),
        read,
        bash,
        structs.replace(result(read), output={"content": [{"type": "text", "text": "Read."}, image], "details": {}}),
        structs.replace(result(bash), output=None, error={"code": "failed", "message": "Command exited with code 1"}),
        ls,
        structs.replace(result(ls), output={"content": 5}),
        said("So.", "m3"),
    ]
    assert answers_of(events) == (
        Answer("", (ModelCall("read", {"path": "a.png"}), ModelCall("bash", {"command": "false"})), "calls"),
        Answer("", (ModelCall("ls", {}),), "calls"),
        Answer("So.", (), "stop"),
    )
    scene = scene_of(events)
    assert [scene.count(f'name = "{name}"') for name in ("read", "bash", "ls")] == [1, 1, 1]
    told = [message for message in replay(events, lambda call: "ended") if message["role"] == "tool"]
    assert [[len(one.get("images", ())) for one in message["results"]] for message in told] == [[1, 0], [0]]

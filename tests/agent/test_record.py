"""A thread as a scene file that gives the same answers again."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.agent.asking import answer, plain
from workbench import Harness, HarnessError
from workbench.agent import record
from workbench.agent.models.model import Answer, ModelCall
from workbench.agent.models.scripted import answers_in, open_scripted
from workbench.agent.record import scene_of
from workbench.agent.recorded import answers_of
from workbench.agent.scene import Act, Say, Scene, load
from workbench.agent.turn import turn
from workbench.demo.player import Player
from workbench.harness.log.events import Event, Message, RequestEnded, RequestSent, Thought, ToolCall


def loaded(text: str) -> Scene:
    """The scene of a text, read as a file is."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "recorded.toml"
        file.write_bytes(text.encode("utf-8"))
        return load(file)


def said(text: str, *thinking: Thought, seq: int = 1, **more: Any) -> Message:
    """Something that the agent said."""
    whole: dict[str, Any] = {"actor": "agent", "role": "assistant", "message": f"m{seq}"} | more
    return Message(number=seq, thread="t", seq=seq, time="", text=text, thinking=thinking, **whole)


def called(input: Any, seq: int = 1, **more: Any) -> ToolCall:
    """Something that the agent did."""
    whole: dict[str, Any] = {"actor": "agent", "name": "read", "message": f"m{seq}"} | more
    return ToolCall(number=seq, thread="t", seq=seq, time="", id=f"c{seq}", input=input, process="p", **whole)


async def test_a_thread_becomes_a_scene(harness: Harness) -> None:
    await harness.say("What is there?\nTell me.", "user", "t")
    await harness.say("Let me look.", "agent", "t", "m")
    await harness.perform("call", {"tool": "search", "input": {"query": "words"}}, "agent", "t", "m")
    await harness.perform("read", {"address": "~/tools/"}, "user", "t")
    await harness.say("Nothing.", "agent", "t")
    assert scene_of(harness.events("t"), title="Looking") == (
        "# Recorded by the workbench: what the owner and the agent said and did, without what the harness answered.\n"
        "# The lambdas and the files of memory that were there are not in here. Add [[lambdas]] and [[files]] where "
        "this is\n"
        "# to be shown where they are not. As a model, scripted:FILE, the agent gives the same answers again.\n"
        '\ntitle = "Looking"\nthread = "t"\n\n'
        '[[steps]]\ncaption = "The owner speaks."\nactor = "user"\nsay = """What is there?\nTell me."""\n\n'
        '[[steps]]\ncaption = "The agent speaks."\nactor = "agent"\nsay = "Let me look."\nmessage = "answer-1"\n\n'
        '[[steps]]\ncaption = "The agent calls search."\nactor = "agent"\nname = "call"\n'
        'input = {tool = "search", input = {query = "words"}}\nmessage = "answer-1"\n\n'
        '[[steps]]\ncaption = "The owner calls read: ~/tools/."\nactor = "user"\nname = "read"\n'
        'input = {address = "~/tools/"}\n\n'
        '[[steps]]\ncaption = "The agent speaks."\nactor = "agent"\nsay = "Nothing."\nmessage = "answer-2"\n'
    )


async def test_played_as_a_model_it_gives_the_same_answers(harness: Harness, tmp_path: Path) -> None:
    await harness.say("What is there?", "user", "t")
    await harness.say("Let me look.", "agent", "t", "m1")
    await harness.perform("call", {"tool": "search", "input": {"query": "words"}}, "agent", "t", "m1")
    await harness.perform("plan", {"steps": None, "size": 2**70}, "agent", "t", "m1")
    await harness.say("Nothing.", "agent", "t", "m2")
    (tmp_path / "t.toml").write_text(scene_of(harness.events("t")))
    await turn(harness, "again", open_scripted(tmp_path / "t.toml"), "What is there?")
    assert answers_of(harness.events("again")) == answers_of(harness.events("t"))
    # What was recorded of the recording is the recording.
    assert scene_of(harness.events("again")) == scene_of(harness.events("t")).replace('"t"', '"again"')


async def test_played_by_the_demo_the_same_happens(harness: Harness) -> None:
    await harness.say("What is there?", "user", "t")
    await harness.perform("call", {"tool": "search", "input": {"query": "words"}}, "agent", "t")
    await harness.perform("search", {"query": "words"}, "agent", "t")
    text = scene_of(harness.events("t")).replace('thread = "t"', 'thread = "shown"')
    player = Player(harness, loaded(text))
    while not player.done:
        assert (await player.step()).error is None
    kinds = [[(event.type, event.actor) for event in harness.events(thread)] for thread in ("t", "shown")]
    assert kinds[0] == kinds[1]
    assert harness.promoted("shown").provider_tools == harness.promoted("t").provider_tools


@pytest.mark.parametrize(
    ("input", "key"),
    [
        ({}, "input"),
        ("no json", "input"),
        ([1, "two", [3.0]], "input"),
        ({"a": True, "b": -0.0, "c": 2**63 - 1}, "input"),
        ({"text": 'two\nlines, "quoted", """thrice""" \\ and\r\nmore\x00\x7f\x9b'}, "input"),
        (None, "input_json"),
        ({"a": None}, "input_json"),
        ({"a": 2**63}, "input_json"),
        ({"": 1}, "input_json"),
        ({"$ref": "#/a b"}, "input_json"),
        ({"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}}, "input_json"),
        ({"many": list(range(1000))}, "input_json"),
    ],
)
def test_an_input_is_toml_where_that_is_easily_read_and_json_elsewhere(input: Any, key: str) -> None:
    text = scene_of([called(input)])
    (step,) = tomllib.loads(text)["steps"]
    assert [name for name in step if name.startswith("input")] == [key]
    assert loaded(text).steps[0].act == Act("agent", "read", input, "answer-1")


def test_thoughts_and_an_early_end_are_kept() -> None:
    thoughts = (Thought("Hm.\nWell.", "signed", "anthropic"), Thought("", "hidden"), Thought("Oh."))
    events = [said("", *thoughts, seq=1), called({}, seq=2, message="m1"), said("Half of", seq=3, cut="length")]
    scene = loaded(scene_of(events))
    assert [step.thinking for step in scene.steps] == [("Hm.\nWell.", "Oh."), ()]
    assert [step.finish for step in scene.steps] == [None, "length"]
    assert list(answers_in(scene)) == [
        Answer("", (ModelCall("read", {}),), "calls", answers_in(scene)[0].thinking),
        Answer("Half of", (), "length"),
    ]


def test_a_refusal_is_kept() -> None:
    base: dict[str, Any] = {"thread": "t", "time": "", "actor": "system", "request": "r"}
    parts: dict[str, Any] = {"system": "", "tools": (), "messages": (), "callables": "", "bytes": {}}
    sent = RequestSent(number=1, seq=1, run="run", model="openai:x", **base, **parts)
    ended = RequestEnded(number=3, seq=3, finish="refusal", **base)
    assert [one.finish for one in answers_in(loaded(scene_of([sent, said("I will not.", seq=2), ended])))] == [
        "refusal"
    ]


def test_an_answer_of_nothing_but_thoughts_and_what_the_harness_says_are_left_out() -> None:
    told = said("The answer was cut.", seq=3, actor="system", role="user")
    events = [said("", Thought("Hm.", "signed")), told, said("Hello.", seq=4)]
    assert [step.act for step in loaded(scene_of(events)).steps] == [Say("agent", "Hello.", "answer-2")]


def test_a_caption_is_short_and_shows_what_hides() -> None:
    steps = loaded(scene_of([called({}, name="a\n\x1b[31m" + "b" * 300), called({}, seq=2, name=" ")])).steps
    assert steps[0].caption.startswith("The agent calls a ␛[31mbbb")
    assert len(steps[0].caption.encode()) <= record.MAX_CAPTION_BYTES + 1
    assert [act.name for act in (step.act for step in steps) if isinstance(act, Act)][1] == " "


def test_what_cannot_be_a_scene_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    deep: Any = {}
    for _ in range(200):
        deep = [deep]
    for events, fault in [
        ([], "no scene in it"),
        ([said(" ", role="user", actor="user")], "no scene in it"),
        ([said("\ud800", seq=7)], "Event t/7 holds a lone surrogate"),
        ([said("x", Thought("\ud800"), seq=7)], "Event t/7 holds a lone surrogate"),
        ([called({"a": "\ud800"}, seq=8)], "Event t/8 holds a lone surrogate"),
        ([called({}, seq=8, name="\ud800")], "Event t/8 holds a lone surrogate"),
        ([called(deep, seq=9)], "Event t/9 is nested over"),
    ]:
        with pytest.raises(HarnessError, match=fault):
            scene_of(events)
    with pytest.raises(HarnessError, match="The title holds a lone surrogate"):
        scene_of([said("Hello.")], "\ud800")
    monkeypatch.setattr(record, "MAX_SCENE_BYTES", 100)
    with pytest.raises(HarnessError, match="more than one may"):
        scene_of([said("Hello.")])


@pytest.mark.parametrize("title", ["", " \n", "\x1f"])
def test_a_scene_has_a_title_in_any_case(title: str) -> None:
    assert loaded(scene_of([said("Hello.")], title)).title == "A recording"


def test_a_long_thread_is_no_matter() -> None:
    events = [said("A line.\n" * 200_000), *(called({"n": number}, seq=number) for number in range(2, 2_000))]
    assert len(answers_in(loaded(scene_of(events)))) == len(events)


def test_the_deepest_input_that_an_act_may_have_is_kept() -> None:
    deep: Any = None
    for _ in range(128):
        deep = [deep]
    assert loaded(scene_of([called(deep)])).steps[0].act == Act("agent", "read", deep, "answer-1")


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    ["\n", '"""', 'a\r\n"', "\\\n"]
)
inputs = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b-c", "d"]) | texts, inner, max_size=4)
    ),
    max_leaves=12,
)
kinds = st.sampled_from(["agent", "user"])
thoughts = st.lists(st.builds(Thought, texts), max_size=2).map(tuple)
messages = st.sampled_from(["m1", "m2", "m3"])
acts = st.tuples(st.just("act"), kinds, texts.filter(bool), inputs, messages)
says = st.tuples(st.just("say"), kinds, texts, thoughts, messages)


def as_event(seq: int, kind: str, actor: Any, first: str, second: Any, message: str) -> Event:
    """An event of what was drawn."""
    if kind == "act":
        return called(second, seq, name=first, actor=actor, message=message)
    role, thinking = ("assistant", second) if actor == "agent" else ("user", ())
    return said(first, *thinking, seq=seq, actor=actor, role=role, message=message)


@given(st.lists(acts | says, min_size=1, max_size=8), texts)
@example([("say", "agent", "Hello.", (Thought("\n"),), "m1")], "")
def test_whatever_was_said_and_done_the_same_is_answered(drawn: list[Any], title: str) -> None:
    events = [as_event(seq, *one) for seq, one in enumerate(drawn, 1)]
    kept = [one for one in plain(answers_of(events)) if one[0] or one[1]]
    assert plain(answers_in(loaded(scene_of([*events, said("At last.", seq=99, message="last")], title)))[:-1]) == kept


async def test_a_recorded_answer_is_streamed_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(scene_of([said("Hello.", Thought("Hm."))]))
    assert plain([await answer(open_scripted(tmp_path / "s.toml"))]) == plain(
        answers_of([said("Hello.", Thought("Hm."))])
    )

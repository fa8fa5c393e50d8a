"""A scene as a model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.agent.asking import answer, ask, pieces
from workbench import Harness, HarnessError
from workbench.agent.models.known import MOST_PIECES
from workbench.agent.models.model import (
    Answer,
    Calling,
    Model,
    ModelCall,
    ModelFault,
    Price,
    Projection,
    Text,
    Thinking,
    Thought,
)
from workbench.agent.models.scripted import open_scripted
from workbench.agent.recorded import answers_of
from workbench.agent.turn import turn
from workbench.harness.log.events import ToolCall

SCENE = """
title = "Counting"

[[steps]]
caption = "The owner asks."
actor = "user"
say = "How many words?"

[[steps]]
caption = "The agent speaks, and calls twice in the same breath."
actor = "agent"
thinking = "They want a number."
say = "Let me look."
message = "looking"

[[steps]]
caption = "First."
actor = "agent"
name = "read"
input = { address = "~/memory/" }
message = "looking"

[[steps]]
caption = "Second."
actor = "agent"
name = "read"
input = { address = "~/tools/" }
message = "looking"

[[steps]]
caption = "A step without a message stands alone."
actor = "agent"
name = "call"
input = { tool = "search", input = { query = "words" } }

[[steps]]
caption = "The agent answers."
actor = "agent"
say = "Eight."
"""

LOOKING = (ModelCall("read", {"address": "~/memory/"}), ModelCall("read", {"address": "~/tools/"}))
CALLING = (ModelCall("call", {"tool": "search", "input": {"query": "words"}}),)
ANSWERS = [
    Answer("Let me look.", LOOKING, "calls", thinking=(Thought("They want a number."),)),
    Answer("", CALLING, "calls"),
    Answer("Eight.", (), "stop"),
]


def scripted(folder: Path, text: str = SCENE) -> Model:
    """A model of a scene of this text."""
    (folder / "s.toml").write_text(text)
    return open_scripted(folder / "s.toml")


async def test_its_answers_are_what_the_agent_said_and_did_at_once(tmp_path: Path) -> None:
    model = scripted(tmp_path)
    assert [await answer(model, number) for number in range(3)] == ANSWERS


async def test_which_answer_is_next_is_told_by_how_many_there_were(tmp_path: Path) -> None:
    model = scripted(tmp_path)
    assert await answer(model, 2) == ANSWERS[2]
    assert await answer(model, 0) == ANSWERS[0]
    assert await answer(scripted(tmp_path), 1) == ANSWERS[1]


@pytest.mark.parametrize("answered", [3, 4, 1000])
async def test_after_the_last_answer_it_fails_in_words(tmp_path: Path, answered: int) -> None:
    with pytest.raises(ModelFault, match="The scene is over: all answers of “Counting” were given") as caught:
        await answer(scripted(tmp_path), answered)
    assert not caught.value.again


async def test_a_scene_without_an_agent_is_over_at_once(tmp_path: Path) -> None:
    text = 'title = "T"\n[[steps]]\ncaption = "c"\nactor = "user"\nsay = "hello"\n'
    with pytest.raises(ModelFault, match="is over"):
        await answer(scripted(tmp_path, text))


async def test_thoughts_words_and_arguments_come_in_small_pieces(tmp_path: Path) -> None:
    assert await pieces(scripted(tmp_path)) == [
        Thinking("They want a "),
        Thinking("number."),
        Text("Let me look."),
        Calling(0, "read", '{"address":"'),
        Calling(0, "read", '~/memory/"}'),
        Calling(1, "read", '{"address":"'),
        Calling(1, "read", '~/tools/"}'),
        ANSWERS[0],
    ]


async def test_a_long_text_has_larger_pieces(tmp_path: Path) -> None:
    words = "word " * 100_000
    text = f'title = "T"\n[[steps]]\ncaption = "c"\nactor = "agent"\nsay = "{words}"\n'
    model = scripted(tmp_path, text)
    assert len(await pieces(model)) <= MOST_PIECES + 1
    assert (await answer(model)).text == words


async def test_an_answer_can_end_early(tmp_path: Path) -> None:
    model = scripted(tmp_path, SCENE + 'finish = "length"\n')
    assert await answer(model, 2) == Answer("Eight.", (), "length")


async def test_a_slow_one_can_be_left_in_the_middle(tmp_path: Path) -> None:
    model = scripted(tmp_path, f"pace = 0.01\n{SCENE}")
    heard: list[str] = []

    async def listen() -> None:
        async for piece in model.stream(ask()):
            heard.append(type(piece).__name__)
            if len(heard) == 2:
                task.cancel()

    task = asyncio.create_task(listen())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == ["Thinking", "Thinking"]


async def test_it_costs_nothing_sends_nothing_and_leaves_the_tools_as_they_are(tmp_path: Path) -> None:
    model = scripted(tmp_path)
    assert (model.id, model.provider) == (f"scripted:{tmp_path / 's.toml'}", "scripted")
    assert (model.context_tokens, model.price, await model.body(ask())) == (None, Price(), None)
    tools = [{"name": "read", "description": "Reads.", "input_schema": {"type": "object"}}]
    assert model.project(tools) == Projection(tuple(tools))
    await model.close()


@pytest.mark.parametrize("text", ["title = ", SCENE.replace('"agent"', '"system"')])
def test_a_scene_that_is_wrong_is_refused_when_it_is_opened(tmp_path: Path, text: str) -> None:
    with pytest.raises(HarnessError, match=r"Scene s\.toml"):
        scripted(tmp_path, text)


async def test_it_drives_the_harness_and_goes_on_where_the_log_is(harness: Harness, tmp_path: Path) -> None:
    await harness.perform("write", {"address": "~/self", "content": {"turn": {"max_steps": 1}}})
    await turn(harness, "t", scripted(tmp_path), "How many words?")
    await harness.perform("write", {"address": "~/self", "content": {"turn": {"max_steps": None}}})
    await turn(harness, "t", scripted(tmp_path), None)
    assert answers_of(harness.events("t")) == tuple(ANSWERS)
    calls = [event for event in harness.events("t") if isinstance(event, ToolCall)]
    assert [(call.name, call.actor) for call in calls] == [("read", "agent"), ("read", "agent"), ("call", "agent")]
    assert [tool.name for tool in harness.promoted("t").promoted] == ["search"]

"""What the composer says it is about to do."""

from __future__ import annotations

import pytest

from workbench.app.transcript.commands import Command
from workbench.app.transcript.voices import VOICES, after, message_words, preview


def test_the_key_goes_through_all_voices_and_begins_again() -> None:
    voice = "agent"
    seen = [voice := after(voice) for _ in VOICES]
    assert set(seen) == set(VOICES)
    assert voice == "agent"


def test_a_draft_is_told_before_it_is_sent() -> None:
    seen = preview("agent", 'call x {"a": 1}')
    assert seen.command == Command("call", {"tool": "x", "input": {"a": 1}})
    assert "call x" in seen.says
    assert "the agent" in seen.says


def test_a_draft_that_is_no_act_is_a_fault_in_words() -> None:
    seen = preview("user", "hello there")
    assert seen.fault
    assert seen.command is None


@pytest.mark.parametrize(
    ("draft", "said"),
    [("say hi", "hi"), ("  say  a b\nc ", "a b\nc"), ('say {"a": 1}', None), ("sayhi {}", None), ("say", None)],
)
def test_as_the_agent_something_can_be_said_and_a_tool_called_say_be_called(draft: str, said: str | None) -> None:
    seen = preview("agent", draft)
    assert seen.said == said
    assert seen.said is None or seen.command is None
    assert (seen.command is not None) == draft.endswith("}")


def test_a_sentence_of_the_agent_is_told_how_to_be_said() -> None:
    assert "To say it as the agent: say TEXT" in preview("agent", "hello there").says
    assert "switch the voice to message" in preview("user", "hello there").says


def test_a_message_is_never_parsed() -> None:
    assert not preview("message", "hello {there").fault
    assert "its model answers" in preview("message", "").says


def test_every_example_can_be_done() -> None:
    assert all(preview(voice, words.example).command for voice, words in VOICES.items() if voice != "message")


@pytest.mark.parametrize(
    ("model", "waits", "here", "elsewhere", "says"),
    [
        (None, None, False, False, "no model is set, so nobody answers"),
        (None, "openai:x", False, False, "the model openai:x waits for your yes"),
        ("openai:x", None, False, False, "openai:x answers"),
        ("openai:x", None, True, False, "waits for the agent's next request; esc aborts its turn"),
        ("openai:x", None, False, True, "another process answers"),
    ],
)
def test_what_a_message_comes_to_now(
    model: str | None, waits: str | None, here: bool, elsewhere: bool, says: str
) -> None:
    assert says in message_words(model, waits, here=here, elsewhere=elsewhere)

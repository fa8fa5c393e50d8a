"""What is kept of an answer, whole or broken off."""

from __future__ import annotations

from workbench.agent.models.model import Answer, Text, Thinking, Thought
from workbench.agent.took import MAX_TEXT_BYTES, Took, said_in


def test_what_came_before_it_broke_off_is_put_together() -> None:
    took = Took()
    for piece in (Thinking("so "), Text("one "), Thinking("it is"), Text("two")):
        took.note(piece)
    said = took.said("aborted")
    assert (said.text, said.cut) == ("one two", "aborted")
    assert [thought.text for thought in said.thinking] == ["so it is"]


def test_where_nothing_came_nothing_was_said_and_there_was_no_first_piece() -> None:
    took = Took()
    assert not took.said("failed").text
    assert not took.said("failed").thinking
    assert took.outcome("failed").first_ms is None
    took.note(Text("x"))
    assert took.outcome("stop").first_ms is not None


def test_a_text_that_the_log_cannot_hold_is_cut_and_says_so() -> None:
    said = said_in(Answer("é" * MAX_TEXT_BYTES, (), "stop", (Thought("t" * (2 * MAX_TEXT_BYTES), "signed"),)))
    assert said.cut == "length"
    assert len(said.text.encode()) <= MAX_TEXT_BYTES
    (thought,) = said.thinking
    assert (len(thought.text) <= MAX_TEXT_BYTES, thought.signature) == (True, "signed")


def test_what_is_no_text_is_held_all_the_same() -> None:
    said = said_in(Answer("a\ud800b", (), "stop"))
    assert (said.text, said.cut) == ("a?b", None)


def test_an_answer_at_its_length_limit_is_cut() -> None:
    assert said_in(Answer("half", (), "length")).cut == "length"

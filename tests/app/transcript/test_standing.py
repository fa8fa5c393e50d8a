"""Whether somebody waits for an answer, and what is said of it."""

from __future__ import annotations

import pytest

from tests.app.transcript.made import TIME, call, message, result
from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.standing import BY_SCENE, Standing, standing
from workbench.harness.log.events import Event, Message, Run


def run(seq: int, state: str, reason: str = "") -> Run:
    """A run that began or ended."""
    return Run(
        number=seq,
        thread="demo",
        seq=seq,
        time=TIME,
        actor="user",
        run="run-1",
        state=state,
        reason=reason,
        process="p",
    )


def agent(seq: int, text: str, cut: str | None = None) -> Message:
    """Something that the agent said."""
    return Message(
        number=seq,
        thread="demo",
        seq=seq,
        time=TIME,
        actor="agent",
        role="assistant",
        text=text,
        message=f"message-{seq}",
        cut=cut,
    )


BEGAN = run(2, "start")


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([], ""),
        ([message(1, "hello")], "Nobody answered this."),
        ([message(1, "hello"), BEGAN], "interrupted"),
        ([message(1, "hello"), BEGAN, call(3, "read", {}), result(4, "read")], "interrupted"),
        ([message(1, "hello"), BEGAN, agent(3, "Hel", "aborted")], "interrupted"),
        ([message(1, "hello"), BEGAN, agent(3, "Hello.")], ""),
        ([message(1, "hello"), BEGAN, agent(3, "Hello."), run(4, "end", "done")], ""),
        ([message(1, "hello"), BEGAN, run(3, "end", "aborted")], "The turn was aborted."),
        ([message(1, "hello"), BEGAN, run(3, "end", "failed: no key")], "The turn failed."),
        ([message(1, "hello"), BEGAN, run(3, "end", "max_steps: 50 are the most")], "as many requests"),
        ([message(1, "hello"), BEGAN, run(3, "end", "refusal: it declined")], ""),
        ([message(1, "hello"), BEGAN, run(3, "end", "done"), message(4, "more")], "Nobody answered this."),
        ([call(1, "read", {}), result(2, "read")], ""),
        ([call(1, "read", {}, "user"), result(2, "read")], ""),
    ],
)
def test_what_waits(events: list[Event], says: str) -> None:
    rows = ThreadRows("demo")
    rows.read(events)
    stands = standing(rows, "openai:x", None)
    assert says in stands.words
    assert stands.can_go_on == bool(says)
    assert bool(stands.words) == bool(says)


def test_a_thread_that_is_read_from_its_end_stands_the_same() -> None:
    events: list[Event] = [message(1, "hello"), BEGAN, agent(3, "Hel", "aborted"), run(4, "end", "aborted")]
    rows = ThreadRows("demo", 4)
    for event in reversed(events):
        rows.read([event])
    assert standing(rows, "openai:x", None).words.startswith("The turn was aborted. r goes on: openai:x")


def test_without_a_model_it_is_said_how_there_would_be_one() -> None:
    rows = ThreadRows("demo")
    rows.read([message(1, "hello")])
    assert standing(rows, None, None) == Standing(standing(rows, None, None).words)
    assert "workbench --model" in standing(rows, None, None).words
    assert "openai:x waits for your yes" in standing(rows, None, "openai:x").words


def test_while_a_demo_goes_on_its_next_step_is_the_answer() -> None:
    rows = ThreadRows("demo")
    rows.read([message(1, "hello")])
    assert standing(rows, None, None, scene=True).words == BY_SCENE
    assert standing(rows, "openai:x", None, scene=True).can_go_on, "a model that is set answers all the same"
    assert standing(ThreadRows("demo"), None, None, scene=True) == Standing()

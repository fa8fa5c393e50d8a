"""What the status line says: of the real machine, of calls that ask, of a turn; and what stays where room is short."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from workbench.app.status.facts import Facts, Machine, RunningCall
from workbench.app.status.parts import fit
from workbench.app.status.words import line_parts
from workbench.app.talk import Spent, Talk

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FACTS = Facts(
    "agent", "openai:m", "main", 393, 2048, "full", 5, (), 0, (), 0, 0, False, machine=Machine("~/project"), offered=7
)
BUSY = replace(
    FACTS,
    agent="an-agent-with-a-long-name",
    model="openai:a-model-with-a-long-name",
    thread="a-thread-with-a-long-name",
    running=(RunningCall("c", "bash", "main", "2026-11-30T11:59:00.000Z"),),
    faults=2,
    asks=1,
    waiting=3,
    unreadable=1,
    readonly=True,
    widened=("network", "processes"),
    talk=Talk("openai:m", doing="answering 12 s", spent=Spent(12_345, 1.5)),
)


def line(facts: Facts, width: int) -> str:
    return fit(line_parts(facts, None, NOW), width).plain


def test_a_thread_of_the_toolbox_says_the_real_machine_and_where_in_place_of_the_index() -> None:
    said = line(FACTS, 120)
    assert said.startswith(" REAL MACHINE ~/project ")
    assert "7 tools" in said
    assert "index" not in said
    assert "verbs" not in said


def test_a_thread_of_the_verbs_says_nothing_of_it() -> None:
    said = line(replace(FACTS, machine=None), 120)
    assert "REAL MACHINE" not in said
    assert "5 verbs + 0 promoted" in said


@pytest.mark.parametrize("facts", [FACTS, BUSY])
def test_at_80_columns_the_words_and_the_folder_are_whole_whatever_else_there_is(facts: Facts) -> None:
    assert " REAL MACHINE ~/project " in line(facts, 78)


@pytest.mark.parametrize("width", range(14, 78))
def test_the_words_stay_in_every_width(width: int) -> None:
    deep = replace(BUSY, machine=Machine("~/one/two/three/four/five/six/seven/eight/nine/ten/eleven"))
    assert line(deep, width).startswith(" REAL MACHINE")


def test_of_a_deep_folder_the_end_is_shown() -> None:
    said = line(replace(FACTS, machine=Machine("~/" + "deep/" * 20 + "project")), 78)
    assert said.startswith(" REAL MACHINE …")
    assert "/project " in said


def test_where_the_owner_does_not_allow_it_now_that_is_said() -> None:
    assert line(replace(FACTS, machine=Machine(None), offered=0), 120).startswith(" REAL MACHINE, not allowed now ")


def test_calls_that_ask_are_counted() -> None:
    assert "1 asks for your yes" in line(replace(FACTS, asks=1), 120)
    assert "2 ask for your yes" in line(replace(FACTS, asks=2), 120)
    assert "1 asks" in line(BUSY, 78)


def test_away_from_the_transcript_the_key_that_shows_them_is_said() -> None:
    def away(asks: int, width: int) -> str:
        return fit(line_parts(replace(FACTS, asks=asks), None, NOW, away=True), width).plain

    assert "1 call asks for your yes: press 3" in away(1, 200)
    assert "2 calls ask: 3" in away(2, 60)


@pytest.mark.parametrize("width", range(60, 200, 7))
def test_of_a_folder_that_has_no_room_as_much_is_shown_as_there_is_room_for(width: int) -> None:
    deep = replace(FACTS, machine=Machine("~/" + "deep/" * 40))
    assert width - 8 < len(line(deep, width)) <= width


def test_a_turn_whose_call_asks_is_not_said_to_run_it() -> None:
    asking = replace(FACTS, asks=1, talk=Talk("openai:m", doing="running its calls", running=True))
    assert "1 asks" in line(asking, 200)
    assert "running" not in line(asking, 200)


def test_a_narrow_status_line_keeps_what_matters() -> None:
    facts = Facts(
        "a-long-agent-name",
        "openai:some-model",
        "a-conversation",
        2040,
        2048,
        "partial",
        5,
        ("x", "y"),
        1,
        (),
        2,
        1,
        True,
    )
    said = fit(line_parts(facts, "word_count", NOW), 78).plain
    assert len(said) <= 78
    for essential in ("READ-ONLY", "▲ word_count", "2,048 B partial", "2 faults", "1 waiting"):
        assert essential in said
    assert "5 verbs + 2 promoted" in line(facts, 200)


def of_a_turn(talk: Talk) -> Facts:
    """Facts of an agent that does nothing else."""
    return Facts("agent", talk.model, "demo", 393, 2048, "full", 5, (), 0, (), 0, 0, False, talk=talk)


@pytest.mark.parametrize(
    ("talk", "width", "says"),
    [
        (Talk("openai:x", doing="answering 12 s"), 200, "● answering 12 s"),
        (Talk("openai:x", doing="running its calls", running=True), 200, "● running its calls"),
        (Talk("openai:x", spent=Spent(12345, 0.0123)), 200, "12,345 tokens · cost 0.0123"),
        (Talk("openai:x", spent=Spent(12345, 12.3)), 200, "12,345 tokens · cost 12.30"),
        (Talk("openai:x", spent=Spent(12345)), 200, "12,345 tokens"),
        (Talk("openai:x", spent=Spent(12345)), 80, "12.3k tok"),
    ],
)
def test_what_a_turn_does_and_took_is_said(talk: Talk, width: int, says: str) -> None:
    assert says in line(of_a_turn(talk), width)


def test_without_a_turn_or_tokens_nothing_is_said_of_them() -> None:
    said = line(of_a_turn(Talk()), 200)
    assert "●" not in said
    assert "tok" not in said

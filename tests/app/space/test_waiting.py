"""What waits for a yes, and what has one, in rows."""

from __future__ import annotations

import pytest

from workbench.app.space.waiting import given_row, setting_of, value_text, waiting_row
from workbench.harness.space.settings import Waiting

NETWORK = Waiting("sandbox.network", True, False, built=True)


def test_what_a_yes_would_mean_is_said() -> None:
    row = waiting_row(NETWORK)
    assert "loopback included" in row.notes[0][0]
    assert row.notes[1][0] == "false acts. a yes · x no"
    assert row.tail[0] == "waits for your yes"
    assert waiting_row(Waiting("sandbox.network", True, False, True, denied=True)).tail[0] == "you said no"


def test_what_this_version_cannot_do_says_so() -> None:
    row = waiting_row(Waiting("web.searxng", "http://a", None, built=False))
    assert row.tail[0] == "not in this version"
    assert "until a version can do it" in row.notes[-1][0]


def test_a_yes_to_the_real_machine_says_what_the_agent_can_do_then() -> None:
    surface = waiting_row(Waiting("surface", "toolbox", "verbs", built=True)).notes[0][0]
    workdir = waiting_row(Waiting("workdir", "~/project", None, built=True)).notes[0][0]
    for words in (surface, workdir):
        assert "acts on this machine" in words
        assert "as you: it can read whatever you can read" in words
        assert "with your yes to each call" in words
        assert "bash can reach the Space itself and the folder of your yeses, which write and edit refuse" in words
    assert "in the folder that workdir names" in surface
    assert "in ~/project" in workdir


@pytest.mark.parametrize(
    ("value", "means", "meanwhile"),
    [
        ("allow", "Without asking you, bash runs any command, as you", '"ask" acts'),
        ({"allow": ["git status"]}, "bash acts where this matches: git status", '"ask" acts'),
        ({"allow": ["ls"], "deny": ["rm *"]}, "where this matches: ls", '{"deny": ["rm *"]} acts'),
        ({"default": "allow", "ask": ["git push*"]}, "ask about or deny is left out", '{"ask": ["git push*"]} acts'),
    ],
)
def test_a_yes_to_acting_unasked_says_what_is_done_then_and_what_narrows_until_then(value, means, meanwhile) -> None:
    row = waiting_row(Waiting("approvals.bash", value, "ask", built=True))
    assert means in row.notes[0][0]
    assert row.notes[1][0].startswith(meanwhile)


def test_a_yes_that_was_given_can_be_taken_back() -> None:
    assert given_row(NETWORK).notes[-1][0] == "x takes the yes back.", "apart from what the yes means"


def test_rows_know_what_they_ask_about() -> None:
    assert setting_of(waiting_row(NETWORK).key) == setting_of(given_row(NETWORK).key) == "sandbox.network"
    assert setting_of("builtin search") is setting_of(None) is None


def test_a_value_is_one_literal_line() -> None:
    assert value_text("a\nb\x1b[/]") == '"a\\nb\\u001b[/]"'
    assert value_text(None) == "none"
    assert value_text(("a",)) == '["a"]'
    assert len(value_text("x" * 999, 50)) == 50

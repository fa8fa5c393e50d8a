"""What waits for a yes, and what has one, in rows."""

from __future__ import annotations

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
    row = waiting_row(Waiting("surface", "toolbox", "verbs", built=False))
    assert row.tail[0] == "not in this version"
    assert "until a version can do it" in row.notes[-1][0]


def test_a_yes_that_was_given_can_be_taken_back() -> None:
    assert "x takes the yes back" in given_row(NETWORK).notes[0][0]


def test_rows_know_what_they_ask_about() -> None:
    assert setting_of(waiting_row(NETWORK).key) == setting_of(given_row(NETWORK).key) == "sandbox.network"
    assert setting_of("builtin search") is setting_of(None) is None


def test_a_value_is_one_literal_line() -> None:
    assert value_text("a\nb\x1b[/]") == '"a\\nb\\u001b[/]"'
    assert value_text(None) == "none"
    assert value_text(("a",)) == '["a"]'
    assert len(value_text("x" * 999, 50)) == 50

"""What is said where it is not plain which version runs, and what the contract makes of an older input."""

from __future__ import annotations

import pytest

from workbench.app.tools.call.which_version import kept_note, version_note
from workbench.app.tools.rows import ToolRow
from workbench.app.tools.shown import Shown
from workbench.harness.space.schema import Problem
from workbench.harness.verbs.registry import verb_tools

ROW = ToolRow("read", "verbs", "", "●", "verb", "plain")
STORED = Shown(ROW, verb_tools()["read"])


@pytest.mark.parametrize(
    ("shown", "unsaved", "said"),
    [
        (STORED, False, ""),
        (STORED, True, f"Runs the saved version, not your unsaved edits: {STORED.cid}. ctrl+r asks."),
        (Shown(ROW, None), True, "It is not saved yet, so it cannot be called; ctrl+r offers to save it first."),
        (Shown(ROW, None, "Its block was changed."), False, "Its block was changed."),
    ],
    ids=["as it is stored", "edited", "only a draft", "not to be trusted"],
)
def test_which_version_runs_is_said_where_it_is_not_plain(shown: Shown, unsaved: bool, said: str) -> None:
    assert version_note(shown, unsaved) == said


def test_of_what_the_contract_refuses_the_first_is_said_and_the_others_are_counted() -> None:
    problems = [Problem("$.text", "is missing"), Problem("$.n", "is too many"), Problem("$", "has more")]
    assert kept_note([]).endswith("it is accepted.")
    assert kept_note(problems[:1]).endswith("no longer accepts your input. $.text: is missing")
    assert kept_note(problems).endswith("$.text: is missing (and 2 more)")

"""The lines above the panes, as text."""

from __future__ import annotations

from workbench.app.tools.head import words_of
from workbench.app.tools.rows import ToolRow

ROW = ToolRow("count", "lambdas", "Counts\nwords.", "●", "callable", "good", "Granted, and it works here.")


def test_the_state_stands_beside_the_name_and_what_it_is_for_below() -> None:
    assert words_of(ROW, ()).plain == "count  ● callable  Granted, and it works here.\nCounts words."


def test_a_widened_sandbox_is_said_before_everything_else() -> None:
    assert words_of(ROW, ("network", "processes")).plain.splitlines()[0] == (
        "count  ● callable  ! its sandbox is widened: network, processes  Granted, and it works here."
    )

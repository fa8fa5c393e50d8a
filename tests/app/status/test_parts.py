"""Parts on one line: the cheapest steps are taken first, and never more of them than are needed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.app.status.parts import Part, fit

NAME = Part(("an agent of a long name", "an agent", ""), (20, 60))
STATE = Part(("3 faults",))
TIME = Part(("for 12 seconds", "12 s"), (5,))


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (80, "an agent of a long name · 3 faults · for 12 seconds"),
        (50, "an agent of a long name · 3 faults · 12 s"),
        (40, "an agent · 3 faults · 12 s"),
        (20, "3 faults · 12 s"),
        (10, "3 faults …"),
    ],
)
def test_what_is_cheapest_gives_way_first(width: int, said: str) -> None:
    assert fit([NAME, STATE, TIME], width).plain == said


def test_a_wording_without_a_price_is_taken_only_where_the_part_alone_is_too_long() -> None:
    part = Part(("promotions: event 3 was changed", "promotions"))
    assert fit([part, STATE], 34).plain == "promotions: event 3 was changed ·…"
    assert fit([part, STATE], 24).plain == "promotions · 3 faults"


@given(st.lists(st.lists(st.text("ab 日", max_size=12), min_size=1, max_size=4), max_size=5), st.integers(1, 40))
def test_the_line_is_never_wider_than_its_room(forms: list[list[str]], width: int) -> None:
    parts = [Part(tuple(wordings), tuple(range(1, len(wordings)))) for wordings in forms]
    assert cell_len(fit(parts, width).plain) <= width

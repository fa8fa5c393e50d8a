"""The budget in figures and words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.app.space.accounts import STAGES, figures, gauge, room_left
from workbench.harness.space.index import IndexTool, MemoryTop, SpaceIndex, TriggersTop, build


def index(tools: int) -> SpaceIndex:
    return build([IndexTool(f"tool_{n:04}", "Does a thing. " * 5) for n in range(tools)], MemoryTop(), TriggersTop())


@given(st.integers(0, 400))
def test_whatever_there_is_the_words_fit_the_stage(tools: int) -> None:
    made = index(tools)
    bar = gauge(made, 20)
    assert len(bar) == 20
    assert made.stage in STAGES
    assert f"{made.listed} of {made.total}" in room_left(made)
    assert ("no room" in room_left(made)) == (made.stage != "full")


def test_the_figures() -> None:
    made = index(2)
    assert figures(made).startswith(f"{made.bytes:,} / 2,048 B (")
    assert gauge(made, 10).startswith("█")
    assert "more tools of this size fit" in room_left(made)

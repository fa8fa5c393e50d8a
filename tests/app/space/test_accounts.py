"""The budget in figures and words, and the block as rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.space.accounts import STAGES, block_rows, figures, gauge, room_left, tool_of
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


@given(st.integers(0, 400))
def test_the_rows_are_the_block_with_the_bytes_of_each_line(tools: int) -> None:
    made = index(tools)
    rows = block_rows(made)
    assert "\n".join(row.head[0][0] for row in rows) == made.text
    assert [int(row.gutter.split()[0]) for row in rows] == [line.bytes for line in made.lines]
    assert [tool_of(row.key) for row in rows] == [line.tool for line in made.lines]


def test_the_figures() -> None:
    made = index(2)
    assert figures(made).startswith(f"{made.bytes:,} / 2,048 B (")
    assert gauge(made, 10).startswith("█")


@pytest.mark.parametrize(
    ("tools", "says"),
    [
        (2, "about 18 more tools of this size fit, then all summaries are shortened"),
        (40, "more tools fit beside shortened summaries, then the summaries go and only names stay"),
        (110, "more names fit, then the rest is only counted"),
        (400, "no ground left to give"),
    ],
)
def test_how_much_more_fits_and_what_gives_way_then(tools: int, says: str) -> None:
    assert says in room_left(index(tools))


def test_where_the_very_next_tool_is_too_much_that_is_said() -> None:
    last = next(index(n) for n in range(60) if index(n).stage == "full" and index(n).headroom == 0)
    assert "the next one is too much: then all summaries are shortened" in room_left(last)
    one = next(index(n) for n in range(60) if index(n).headroom == 1)
    assert "about 1 more tool of this size fits" in room_left(one)

"""Where items begin, held against adding the heights up one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.widgets.lines.heights import Heights

HEIGHTS = st.lists(st.integers(0, 5), max_size=60)
CHANGE = st.tuples(st.sampled_from(["append", "set"]), st.integers(0, 59), st.integers(0, 5))


def naive_find(heights: list[int], offset: int) -> int:
    """The item that covers an offset, by counting."""
    for index, height in enumerate(heights):
        if offset < height:
            return index
        offset -= height
    raise AssertionError("outside")


@given(HEIGHTS, st.lists(CHANGE, max_size=40))
def test_it_agrees_with_a_plain_list_whatever_is_done_to_it(
    start: list[int], changes: list[tuple[str, int, int]]
) -> None:
    plain, heights = list(start), Heights(start)
    for what, index, height in changes:
        if what == "append":
            plain.append(height)
            heights.append(height)
        elif plain:
            index %= len(plain)
            assert heights.set(index, height) == height - plain[index]
            plain[index] = height
    assert len(heights) == len(plain)
    assert heights.total == sum(plain)
    assert [heights[index] for index in range(len(plain))] == plain
    assert [heights.top(index) for index in range(len(plain) + 1)] == [sum(plain[:i]) for i in range(len(plain) + 1)]
    assert [heights.find(offset) for offset in range(sum(plain))] == [naive_find(plain, o) for o in range(sum(plain))]


def test_an_item_without_a_height_is_never_found() -> None:
    heights = Heights([0, 2, 0, 0, 1, 0])
    assert [heights.find(offset) for offset in range(3)] == [1, 1, 4]


def test_an_offset_outside_gives_the_nearest_item() -> None:
    heights = Heights([0, 2, 3, 0])
    assert heights.find(-7) == 1
    assert heights.find(99) == 2


def test_nothing_can_be_found_where_nothing_has_a_height() -> None:
    with pytest.raises(ValueError, match="nothing here"):
        Heights([0, 0]).find(0)


@given(HEIGHTS, st.integers(0, 60), HEIGHTS)
def test_what_is_cut_off_is_gone_and_the_list_grows_on(start: list[int], keep: int, more: list[int]) -> None:
    heights = Heights(start)
    heights.cut(keep)
    for height in more:
        heights.append(height)
    plain = start[:keep] + more
    assert heights.total == sum(plain)
    assert [heights.top(index) for index in range(len(plain) + 1)] == [sum(plain[:i]) for i in range(len(plain) + 1)]
    assert [heights.find(offset) for offset in range(sum(plain))] == [naive_find(plain, o) for o in range(sum(plain))]

"""Items one below the other, held against a plain list of all their lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.widgets.lines.item_lines import CACHED_ITEMS, ItemLines

ESTIMATE = 2
"""What every item but an empty one is taken for, until it is looked at."""


class Numbers:
    """Items of so many lines each, and which of them were made."""

    def __init__(self, heights: list[int]) -> None:
        self.heights = heights
        self.made: list[int] = []
        self.lines = ItemLines(self._make)
        self.lines.put(self.estimate(index) for index in range(len(heights)))

    def estimate(self, index: int) -> int:
        return ESTIMATE if self.heights[index] else 0

    def _make(self, index: int) -> list[str]:
        self.made.append(index)
        return [f"{index}.{line}" for line in range(self.heights[index])]

    def view(self, top: int, height: int) -> list[str]:
        """What a view shows once it was settled."""
        shown: list[str] = []
        anchor = self.lines.anchor(top)
        if anchor is not None:
            index, into = anchor
            while index < len(self.lines) and len(shown) < height + into:
                shown += self.lines.of(index)
                index += 1
            shown = shown[into : into + height]
        return shown


HEIGHTS = st.lists(st.integers(0, 5), max_size=40)


@given(HEIGHTS, st.integers(0, 80), st.integers(1, 12))
def test_what_a_view_shows_is_exact_once_it_is_settled_and_nothing_else_was_made(
    heights: list[int], top: int, height: int
) -> None:
    numbers = Numbers(heights)
    top = min(top, max(numbers.lines.heights.total - 1, 0))
    numbers.lines.settle(top, height)
    made = numbers.made[:]
    lines = [f"{index}.{line}" for index, high in enumerate(heights) for line in range(high)]
    shown = numbers.view(top, height)
    assert numbers.made == made, "it was all there"
    at = lines.index(shown[0]) if shown else 0
    assert shown == lines[at : at + len(shown)]
    assert all(numbers.lines.heights[index] == heights[index] for index in made)


@given(HEIGHTS, st.integers(1, 12))
def test_the_end_is_made_from_the_end(heights: list[int], height: int) -> None:
    numbers = Numbers(heights)
    numbers.lines.settle_end(height)
    made = numbers.made
    assert made == [*range(len(heights) - 1, len(heights) - 1 - len(made), -1)]
    assert sum(heights[index] for index in made[:-1]) < height


def test_what_changes_above_a_view_moves_it_by_as_much() -> None:
    numbers = Numbers([3] * 10)
    numbers.lines.settle(0, 30)
    numbers.heights[0] = 0
    assert numbers.lines.update(10, [0], numbers.estimate, 10) == 7
    assert numbers.view(7, 3) == ["3.1", "3.2", "4.0"]


def test_where_items_are_replaced_the_view_stays_as_far_down_in_what_takes_their_place() -> None:
    numbers = Numbers([2] * 10)
    numbers.lines.settle(0, 20)
    numbers.heights += [2, 2]
    assert numbers.lines.update(12, range(3, 12), numbers.estimate, 11, anew=3) == 11
    assert numbers.lines.update(4, [3], numbers.estimate, 11, anew=3) == 7, "it has two lines"


def test_where_nothing_is_left_of_what_a_view_showed_it_has_no_place() -> None:
    numbers = Numbers([2] * 10)
    assert numbers.lines.update(3, (), numbers.estimate, 15, anew=3) is None
    assert ItemLines[str](lambda index: []).update(0, (), lambda index: 1, 0) is None


@pytest.mark.parametrize(
    ("index", "begins"),
    [(0, 0), (3, 9), (4, None), (6, None), (7, 14), (9, 20)],
    ids=["far above", "cut at its top", "at the top", "at the bottom", "cut at its bottom", "far below"],
)
def test_an_item_comes_into_view_with_as_little_scrolling_as_possible(index: int, begins: int | None) -> None:
    numbers = Numbers([3] * 10)
    numbers.lines.settle_around(index, 30)
    assert numbers.lines.into_view(index, 12, 10) == begins


def test_an_item_higher_than_the_view_comes_with_its_first_line() -> None:
    numbers = Numbers([3, 20, 3])
    numbers.lines.settle_around(1, 10)
    assert numbers.lines.into_view(1, 8, 10) == 3


def test_what_takes_no_place_is_passed_over() -> None:
    numbers = Numbers([1, 0, 0, 1])
    assert [numbers.lines.near(index, 1) for index in (-1, 0, 3)] == [0, 3, None]
    assert [numbers.lines.near(index, -1) for index in (4, 3, 0)] == [3, 0, None]


def test_lines_are_kept_until_they_are_forgotten_or_too_many() -> None:
    numbers = Numbers([1] * (CACHED_ITEMS + 1))
    numbers.lines.of(0)
    numbers.lines.of(0)
    assert numbers.made == [0]
    numbers.lines.forget(0)
    for index in range(CACHED_ITEMS + 1):
        numbers.lines.of(index)
    assert numbers.made.count(0) == 2
    assert numbers.lines.broken == CACHED_ITEMS

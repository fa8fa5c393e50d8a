"""NFKC in pieces: the same as in one, but for rows of combining marks that no writing has."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.editing.composed import composed
from workbench.harness.tools.toolbox.limits import MARKS_IN_A_ROW

TRICKY = st.sampled_from(
    "ae \u0300\u0301\u0323\u0327\u0344\u0345\u0f73\uff9e\u3099か\u1100\u1161\u11a8가\uffc2\ufdfa\u09c7\u09be\u0958ﬁé字"
)
TEXTS = st.text(alphabet=st.one_of(TRICKY, st.characters(exclude_categories=["Cs"])))


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def nothing() -> None:
    """Nobody wants it to end."""


@given(TEXTS, st.integers(1, 6))
def test_in_pieces_of_any_size_it_is_the_same_as_in_one(text: str, size: int) -> None:
    assume(len(text) <= MARKS_IN_A_ROW or not any(map(unicodedata.combining, text)))
    assert composed(text, nothing, size) == plain(text)


@given(st.lists(st.tuples(TRICKY, st.integers(0, MARKS_IN_A_ROW)), max_size=6), st.integers(1, 40))
def test_rows_of_marks_up_to_the_bound_are_put_in_order(rows: list[tuple[str, int]], size: int) -> None:
    text = "".join(f"x{letter}x" + ("\u0301\u0323" * count)[:count] for letter, count in rows)
    assert composed(text, nothing, size) == plain(text)


@given(TEXTS, st.integers(1, 100), TEXTS)
def test_a_longer_row_stays_as_it_is_and_its_surroundings_do_not(before: str, more: int, after: str) -> None:
    row = ("\u0301\u0323" * 70)[: MARKS_IN_A_ROW + more]
    text = f"{before}x{row}x{after}"
    assume(len(before) <= MARKS_IN_A_ROW >= len(after))
    assert composed(text, nothing) == f"{plain(before + 'x')}{row}{plain('x' + after)}"
    assert composed(composed(text, nothing), nothing) == composed(text, nothing)


def test_marks_without_end_stay_as_they_are() -> None:
    text = "a" + "\u0300\u0323" * 500_000
    assert composed(text, nothing) == text


@pytest.mark.parametrize("sign", ["é", "\ufdfa", "字", "가"])
def test_a_long_text_is_given_up_when_it_is_no_longer_wanted(sign: str) -> None:
    left = 3

    def check() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        composed(sign * 500_000, check)


def test_no_mark_lies_beyond_the_planes_that_are_looked_at() -> None:
    assert not any(unicodedata.combining(chr(code)) for code in range(0x20000, sys.maxunicode + 1))

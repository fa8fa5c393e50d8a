"""Two texts line by line: whatever they are, the comparison leads from one to the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.space.compare_text import MOST_ROWS, DiffRow, TextDiff, compare_texts

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "def main(input):", "    return 1", "}"]), max_size=40)


def shown(diff: TextDiff) -> list[str]:
    """The rows as people read them."""
    return [f"{row.sign}{row.text}" if row.sign != "@" else f"@{row.old},{row.new}" for row in diff.rows]


def test_a_changed_line_stands_between_three_that_are_not() -> None:
    old = "\n".join("abcdefghij")
    diff = compare_texts(old, old.replace("e", "E"))
    assert shown(diff) == ["@2,2", " b", " c", " d", "-e", "+E", " f", " g", " h"]
    assert (diff.added, diff.removed, diff.notes) == (1, 1, ())
    assert diff.rows[4:6] == (DiffRow("-", 5, None, "e"), DiffRow("+", None, 5, "E"))


def test_what_only_came_or_only_went() -> None:
    assert shown(compare_texts("a\nc", "a\nb\nc")) == [" a", "+b", " c"]
    assert shown(compare_texts("a\nb\nc", "a\nc")) == [" a", "-b", " c"]


def test_a_moved_line_is_one_that_went_and_came() -> None:
    assert shown(compare_texts("x\na\nb\nc", "a\nb\nc\nx")) == ["-x", " a", " b", " c", "+x"]


@pytest.mark.parametrize(("old", "new"), [("a", "a\n"), ("a\r\n", "a\n"), ("", "a"), ("\n", "")])
def test_line_ends_and_empty_texts_are_differences(old: str, new: str) -> None:
    diff = compare_texts(old, new)
    assert not diff.same
    assert diff.added + diff.removed >= 1


def test_the_same_text_is_no_difference() -> None:
    assert compare_texts("a\nb", "a\nb") == TextDiff((), 0, 0, ())


def test_parts_that_repeat_too_often_are_replaced_and_said_so() -> None:
    diff = compare_texts("a\nb\n" * 1500, "b\nb\na\n" * 1000)
    assert diff.notes == ("Parts whose lines repeat too often are shown as replaced as a whole.",)


def test_a_comparison_of_very_many_lines_is_cut_and_counted() -> None:
    diff = compare_texts("x\n" * 30_000, "y\n" * 30_000)
    assert len(diff.rows) == MOST_ROWS
    assert diff.notes[-1] == "50,001 more lines of the comparison are not shown."
    assert (diff.added, diff.removed) == (30_000, 30_000)


@given(LINES, LINES)
def test_the_rows_lead_from_one_text_to_the_other(old: list[str], new: list[str]) -> None:
    diff = compare_texts("\n".join(old), "\n".join(new))
    first, second = "\n".join(old).split("\n"), "\n".join(new).split("\n")
    made: list[str] = []
    at = 0
    for row in diff.rows:
        if row.old is not None and row.sign != "+":
            made += first[at : row.old - 1]
            at = max(at, row.old - 1)
        if row.sign in "- ":
            assert first[at] == row.text
            assert row.old == at + 1
            at += 1
        if row.sign in "+ ":
            made.append(row.text)
            assert row.new == len(made)
    made += first[at:]
    assert made == second
    assert diff.added == sum(row.sign == "+" for row in diff.rows)
    assert diff.removed == sum(row.sign == "-" for row in diff.rows)

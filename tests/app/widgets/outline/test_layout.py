"""A row laid out: behind its mark, no deeper than half the width, and about as high as was guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.app.widgets.outline.layout import height_of, lines_of, on_mark
from workbench.app.widgets.outline.rows import Row
from workbench.app.widgets.outline.twig import Twig

LEAF = Twig("k", (("name ", "key"), ("one two three four", "")), None, ((("a description", "quiet"),),))
BRANCH = Twig("b", (("branch", ""),), lambda: [LEAF])


def texts(row: Row, width: int) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines_of(row, width)]


@pytest.mark.parametrize(
    ("row", "width", "lines"),
    [
        (Row(BRANCH, 0), 20, ["▸ branch"]),
        (Row(BRANCH, 1, True), 20, ["  ▾ branch"]),
        (Row(LEAF, 0), 40, ["  name one two three four", "    a description"]),
        (Row(LEAF, 1), 20, ["    name one two", "    three four", "      a description"]),
        (Row(BRANCH, 12), 20, [" " * 10 + "▸ 12:", " " * 12 + "branch"]),
    ],
    ids=["folded", "unfolded", "a leaf", "broken", "deeper than there is room for"],
)
def test_the_head_stands_behind_its_mark_and_the_rest_under_it(row: Row, width: int, lines: list[str]) -> None:
    assert texts(row, width) == lines


@given(st.text("ab c", max_size=60), st.integers(0, 30), st.integers(24, 60))
def test_no_line_is_wider_than_its_room(text: str, depth: int, width: int) -> None:
    row = Row(Twig("k", ((text, ""),), None, (((text, "quiet"),),)), depth)
    assert all(cell_len(line) <= width for line in texts(row, width))
    assert 1 <= height_of(row, width) <= len(texts(row, width)) + 1


def test_only_the_mark_of_what_has_something_below_it_folds() -> None:
    assert [x for x in range(20) if on_mark(Row(BRANCH, 2), 40, x)] == [4, 5]
    assert not any(on_mark(Row(LEAF, 2), 40, x) for x in range(20))

"""Lines never get wider than they may, and no text is lost but white space at a break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from workbench.app.widgets.wrapping import estimate, fit, wrap
from workbench.harness.text import printable

TEXT = st.text(st.sampled_from("ab [/]你好é🙂\t\n\x1b‮x-"), max_size=120)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("one two three", 8, ["one two", "three"]),
        ("  indented text", 8, ["  indented"[:8], "ed text"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a abcdefghij", 4, ["a", "abcd", "efgh", "ij"]),
        ("你好你好", 5, ["你好", "你好"]),
        ("a\n\nb", 5, ["a", "", "b"]),
        ("a\tb", 10, ["a    b"]),
    ],
)
def test_where_lines_break(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@given(TEXT, st.integers(2, 30))
def test_no_line_is_too_wide_and_nothing_but_white_space_is_lost(text: str, width: int) -> None:
    text = printable(text)
    lines = wrap(text, width)
    assert lines
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXT, st.integers(2, 30))
def test_an_estimate_is_at_least_one_line_and_at_most_the_characters(text: str, width: int) -> None:
    assert 1 <= estimate(text, width) <= 2 * len(text) + 1


@given(TEXT, st.integers(0, 30))
def test_what_is_fitted_fits(text: str, width: int) -> None:
    line = printable(text).replace("\n", " ").replace("\t", " ")
    assert cell_len(fit(line, width)) <= max(width, 0)

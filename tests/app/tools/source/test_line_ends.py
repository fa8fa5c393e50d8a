"""Line ends of every kind, and what editing leaves of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.tools.source.line_ends import LineEnds, carried
from workbench.app.widgets.large_text import LargeDocument

PIECES = ["a", "b", "", "\n", "\r\n", "\r", "\x0c", "\u2028", "\x85"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "start", "end", "typed", "becomes"),
    [
        ("a\r\nb\nc\r", (1, 1), (1, 1), "x", "a\r\nbx\nc\r"),
        ("a\r\nb\nc\r", (0, 1), (0, 1), "x", "ax\r\nb\nc\r"),
        ("a\r\nb\r\nc\n", (1, 1), (1, 1), "\nx", "a\r\nb\r\nx\r\nc\n"),
        ("a\r\nbc\nd\r\n", (1, 1), (1, 1), "\n", "a\r\nb\r\nc\nd\r\n"),
        ("a\rb\nc", (0, 1), (1, 0), "", "ab\nc"),
        ("a\rx\nb", (1, 0), (1, 1), "", "a\n\nb"),
        ("a\r\nb\n", (2, 0), (2, 0), "c", "a\r\nb\nc"),
        ("a\r\nb\nc", (2, 1), (2, 1), "\n", "a\r\nb\nc\r\n"),
        ("a\r\nb\n", (1, 1), (2, 0), "", "a\r\nb"),
        ("x\u2028y\r\nz\n", (2, 0), (2, 1), "w", "x\u2028y\r\nw\n"),
        ("x\x0c\ny\n", (2, 1), (2, 1), "!", "x\x0c\ny!\n"),
    ],
)
def test_an_edit_leaves_all_other_line_ends(
    text: str, start: tuple[int, int], end: tuple[int, int], typed: str, becomes: str
) -> None:
    document = LargeDocument(text)
    document.replace_range(start, end, typed)
    assert carried(text, document.lines) == becomes


@given(TEXTS)
def test_what_is_not_edited_is_what_it_was(text: str) -> None:
    assert carried(text, LargeDocument(text).lines) == text


@given(TEXTS, TEXTS, st.integers(0, 100), st.integers(0, 100))
def test_after_any_edit_the_text_has_the_lines_that_are_shown(text: str, typed: str, one: int, other: int) -> None:
    document = LargeDocument(text)
    first, last = sorted(row % document.line_count for row in (one, other))
    document.replace_range((first, 0), (last, len(document.lines[last])), typed)
    now = carried(text, document.lines)
    assert LargeDocument(now).lines == document.lines
    before = "".join(text.splitlines(keepends=True)[: max(first - 1, 0)])
    assert now.startswith(before), "what stands above the line before is as it was"


@given(TEXTS, TEXTS)
def test_what_was_shown_before_is_what_it_was_before(text: str, typed: str) -> None:
    document = LargeDocument(text)
    shown = document.text
    ends = LineEnds(text, shown)
    document.replace_range((0, 0), (0, 0), typed + "x")
    ends.follow(document.text, document.lines)
    assert ends.follow(shown, LargeDocument(text).lines) == text

"""Colouring line by line: the same whether a text was opened or edited into being."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.themes import SYNTAX
from workbench.app.widgets.code import one_for_one
from workbench.app.widgets.highlight import LONGEST_LINE, Highlighter

PYTHON = ["import re", "", "def main(input):", '    """Doc', '    more"""', '    return len("x")  # done', ""]


def all_spans(highlighter: Highlighter, count: int) -> list[list[tuple[int, int, str]]]:
    return [list(highlighter.spans(row)) for row in range(count)]


def fresh(language: str, lines: list[str]) -> list[list[tuple[int, int, str]]]:
    highlighter = Highlighter(language)
    highlighter.take(lines)
    return all_spans(highlighter, len(lines))


def test_kinds_are_those_of_the_themes() -> None:
    spans = fresh("python", PYTHON)
    assert {kind for line in spans for _, _, kind in line} <= set(SYNTAX)
    assert (0, 3, "keyword") in spans[2]
    assert (4, 8, "function") in spans[2]
    assert any(kind == "comment" for _, _, kind in spans[4])


def test_only_as_much_is_read_as_is_looked_at() -> None:
    highlighter = Highlighter("python")
    highlighter.take(["x = 1"] * 10_000)
    highlighter.spans(3)
    assert not highlighter._spans[9_000]


@given(
    st.lists(
        st.sampled_from(['"""', "def f():", "    return 'x'", "import os", "# c", "", "class A:", "x = (", ")"]),
        max_size=12,
    ),
    st.lists(st.sampled_from(['"""', "def g():", "  'y", "import re", "", "if x:"]), max_size=3),
    st.integers(0, 12),
    st.integers(0, 12),
)
def test_an_edited_text_is_coloured_as_if_it_had_been_opened(
    lines: list[str], put: list[str], at: int, looked: int
) -> None:
    highlighter = Highlighter("python")
    highlighter.take(lines)
    highlighter.spans(looked)
    edited = [*lines[:at], *put, *lines[at + 1 :]]
    highlighter.take(edited)
    assert all_spans(highlighter, len(edited)) == fresh("python", edited)


@pytest.mark.parametrize("language", ["python", "typescript", "json", None, "klingon"])
def test_any_text_can_be_taken(language: str | None) -> None:
    highlighter = Highlighter(language)
    for lines in ([], [""], ["[/] \x1b \x00 '\"`${"], ["x" * (LONGEST_LINE + 1)], PYTHON):
        highlighter.take(lines)
        all_spans(highlighter, len(lines) + 2)


@pytest.mark.parametrize("text", ["plain", "tab\tstays", "\x1b[31m", "\x00\x7f\x9b", "\u202ebidi\u202c", "é⚠️"])
def test_what_an_editor_paints_has_as_many_characters_and_none_that_steers(text: str) -> None:
    painted = one_for_one(text)
    assert len(painted) == len(text)
    assert not set(painted) & {chr(code) for code in range(32) if code != 9} - {"\t"}
    assert "\x1b" not in painted
    assert "\u202e" not in painted

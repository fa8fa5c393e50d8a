"""The closest place: which it is, how it is shown, and that looking for it is bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.editing.nearest import closest_place

CODE = "def f(x):\n\tif x:\n\t\treturn 1\n\n\ndef g(y):\n\treturn compute(y, 2)\n"


@pytest.mark.parametrize(
    ("old", "lines", "difference"),
    [
        (
            "    if x:\n        return 1\n",
            ["2 | \tif x:", "3 | \t\treturn 1"],
            'Only white space differs. Line 2 is "\\tif x:"; oldText has "    if x:".',
        ),
        (
            "\treturn compute(y, 3)",
            ["7 | \treturn compute(y, 2)"],
            'Line 7 is "\\treturn compute(y, 2)"; oldText has "\\treturn compute(y, 3)".',
        ),
        (
            "def f(x):\n\tif x:\n\t\treturn 2\n",
            ["1 | def f(x):", "2 | \tif x:", "3 | \t\treturn 1"],
            'Line 3 is "\\t\\treturn 1"; oldText has "\\t\\treturn 2".',
        ),
        (
            "\treturn compute(y, 2)\n\n\ndef h():",
            ["7 | \treturn compute(y, 2)", "8 | "],
            'The file ends before line 9; there oldText has "".',
        ),
        ("retrun", ["3 | \t\treturn 1"], 'Line 3 is "\\t\\treturn 1"; oldText has "retrun".'),
        (
            "\n\ndef f(x):\n\tif x:",
            ["1 | def f(x):", "2 | \tif x:"],
            "These lines are the same; oldText differs before or after them.",
        ),
    ],
    ids=["blanks", "one character", "a later line", "beyond the end", "one misspelt word", "blank lines around"],
)
def test_it_shows_the_lines_and_the_first_difference(old: str, lines: list[str], difference: str) -> None:
    shown = closest_place(CODE, old).split("\n")
    assert shown[:2] == ["", ""]
    assert shown[2].startswith("The closest place in the file is line")
    assert shown[3:-1] == lines
    assert shown[-1] == difference


@pytest.mark.parametrize("old", ["zzz qqq", "\n\n", "   "])
def test_where_nothing_is_close_it_says_nothing(old: str) -> None:
    assert closest_place(CODE, old) == ""


def test_of_many_lines_those_around_the_difference_are_shown() -> None:
    text = "".join(f"line number {number}\n" for number in range(1, 101))
    shown = closest_place(text, text.replace("number 60\n", "number sixty\n")).split("\n")
    assert shown[2] == "The closest place in the file is lines 1-100:"
    assert shown[3] == "   | (55 more before)"
    assert "60 | line number 60" in shown
    assert shown[-2] == "   | (33 more after)"
    assert shown[-1] == 'Line 60 is "line number 60"; oldText has "line number sixty".'


def test_in_a_very_long_line_the_excerpt_is_around_the_difference() -> None:
    text = "".join(f"var v{number}={number};" for number in range(20_000))
    message = closest_place(text, "var v15000=15000;var v15001=15002;")
    assert "var v15001=15001;" in message.rpartition("Line 1 is ")[2]
    assert len(message) < 1500


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("}\n" * 400_000, "}\n{\n" * 12_500),
        ("return x;\n" * 400_000, "return  x;\n" * 5000),
        ("ab c(d)" * 600_000, "ab c(e)" * 7000),
        ("\n" * 400_000, "ab c(e)" * 7000),
    ],
    ids=["brackets", "one line over and over", "no lines", "blank lines"],
)
def test_what_it_says_of_large_texts_is_short(text: str, old: str) -> None:
    assert len(closest_place(text, old)) < 4000


@given(st.text(alphabet="ab \n\t", max_size=60), st.text(alphabet="ab \n\t", max_size=20))
def test_it_stands_any_texts(text: str, old: str) -> None:
    assert closest_place(text, old) == "" or closest_place(text, old).startswith("\n\nThe closest place")

"""What the tools of the toolbox draw, as lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.canaries import CANARIES
from workbench.app.widgets.drawn import (
    DrawnLine,
    ShownLine,
    broken,
    code_lines,
    code_texts,
    diff_rows,
    drawn_lines,
    one_line,
)
from workbench.app.widgets.drawn_words import summary
from workbench.app.widgets.highlight_path import language_of
from workbench.app.widgets.text_view import PIECE_CHARS
from workbench.app.widgets.wrapping import wrap
from workbench.harness.text import printable
from workbench.harness.tools.toolbox.drawn import (
    Code,
    Diff,
    DiffRow,
    Drawn,
    Output,
    Picture,
    Place,
    Places,
    Span,
    Words,
)


def texts(*blocks: Drawn) -> list[str]:
    """The lines of some blocks as they are read without colour."""
    return [line.text for line in drawn_lines(blocks)]


def test_code_is_numbered_from_its_first_line() -> None:
    assert texts(Code("a = 1\nb = 2\n", "x.py", 99)) == [" 99 a = 1", "100 b = 2"]


def test_a_file_with_the_line_ends_of_windows_looks_like_any_other() -> None:
    assert texts(Code("a\r\nb\r\n", "x.txt")) == ["1 a", "2 b"]
    assert texts(Code("a\r\nb\n", "x.txt")) == ["1 a␍", "2 b"]


def test_code_is_coloured_by_the_name_of_its_file() -> None:
    lines = code_lines("def f():\n\treturn 1\n", "src/x.py", 1)
    (code,) = code_texts(lines)
    assert list(lines[0].coloured()) == [("def f():", "")], "plain until somebody worked the colours out"
    code.colour()
    assert ("def", "syntax keyword") in lines[0].coloured()
    assert "".join(text for text, _ in lines[1].coloured()) == "    return 1"


def test_a_very_long_line_is_shown_in_pieces_with_one_number() -> None:
    lines = code_lines("x" * (2 * PIECE_CHARS + 1), "x.py", 7)
    assert [line.gutter[0] for line in lines] == ["7 ", "  ", "  "]
    assert [line.start for line in lines] == [0, PIECE_CHARS, 2 * PIECE_CHARS]


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("/x/Makefile", "make"),
        ("A.YML", "yaml"),
        ("b.tsx", "typescript"),
        ("README", None),
        ("x.zip", None),
    ],
)
def test_the_language_of_a_file_is_known_by_its_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


def test_a_diff_can_be_read_without_colour() -> None:
    rows = (
        DiffRow("skipped", None, "..."),
        DiffRow("context", 9, "same"),
        DiffRow("removed", 10, "old"),
        DiffRow("added", 10, "new"),
    )
    assert texts(Diff("a.py", rows)) == ["     …", "   9 same", "- 10 old", "+ 10 new"]
    looks = [line.pieces[0][1] for line in drawn_lines((Diff("a.py", rows),)) if isinstance(line, DrawnLine)]
    assert looks == ["quiet", "", "removed", "added"]


def test_what_stands_in_place_of_what_is_a_diff_without_numbers() -> None:
    rows = tuple(diff_rows("a\nb\n", "c"))
    assert texts(Diff("x", rows)) == ["- a", "- b", "+ c"]
    assert not list(diff_rows("", ""))


def test_places_lead_to_a_file_and_a_line() -> None:
    match = Place("/w/src/a.py", "src/a.py", 3, "x = 1")
    around = Place("/w/src/a.py", "src/a.py", 4, "y = 2", matched=False)
    listed = Place("/w/src", "src/")
    assert texts(Places((match, around, listed))) == ["src/a.py:3: x = 1", "src/a.py-4- y = 2", "src/"]
    lines = drawn_lines((Places((match, around, listed)),))
    assert [line.place for line in lines if isinstance(line, DrawnLine)] == [match, around, listed]


def test_a_picture_is_told_in_words() -> None:
    (said,) = texts(Picture("image/png", 1200, 800, 34567))
    assert said == "picture: image/png, 1,200×800 pixels, 34,567 B. It is not shown here."


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ((Code("a\nb\n", "x"), Words("[more]")), "2 lines · [more]"),
        ((Diff("x", (DiffRow("added", 1, "a"), DiffRow("added", 2, "b"), DiffRow("removed", 1, "c"))),), "+2 -1"),
        ((Output("one\n"),), "one"),
        ((Output("one\ntwo\n\n"),), "3 lines, the last: two"),
        ((Places((Place("/a", "a"), Place("/b", "b"))),), "2 paths"),
        ((Places((Place("/a", "a", 1), Place("/a", "a", 2, matched=False))),), "1 match in 1 file"),
        ((Picture("image/gif", 1, 2, 3),), "image/gif, 1×2 pixels, 3 B"),
        ((Code("", "x"), Words("written")), "written"),
    ],
)
def test_a_result_in_one_line(blocks: tuple[Drawn, ...], said: str) -> None:
    assert summary(blocks) == said


def test_a_call_in_one_line() -> None:
    pieces, cut = one_line((Span("$ ", "dim"), Span("a\n\tb", "command")), 50)
    assert (pieces, cut) == ((("$ ", "quiet"), ("a ⏎ b", "command")), False)
    pieces, cut = one_line((Span("read", "name"), Span(" "), Span("x" * 99, "path")), 10)
    assert ("".join(text for text, _ in pieces), cut) == ("read xxxx…", True)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.text("ab \n\t漢"), st.sampled_from(["", "path"]))), st.integers(1, 30))
def test_pieces_break_where_their_text_does(pieces: list[tuple[str, str]], width: int) -> None:
    text = "".join(text for text, _ in pieces)
    assert ["".join(text for text, _ in line) for line in broken(pieces, width)] == wrap(text, width)


@pytest.mark.parametrize("text", CANARIES)
def test_nothing_in_it_steers_a_terminal(text: str) -> None:
    blocks: tuple[Drawn, ...] = (
        Code(text, text),
        Diff(text, (DiffRow("added", 1, text),)),
        Output(text),
        Places((Place(text, text, 1, text),)),
        Picture(text, 1, 1, 1),
        Words(text),
    )
    lines: list[ShownLine] = drawn_lines(blocks)
    for line in lines:
        assert printable(line.text) == line.text
        assert "\n" not in line.text
    (call,), _ = one_line((Span(text, "command"),), 100)
    assert printable(call[0]) == call[0]

"""What changed, as rows and as a patch: both say the same, and the patch makes the new text of the old one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.drawn import DiffRow
from workbench.harness.tools.toolbox.editing.diff import Difference, difference, parsed
from workbench.harness.tools.toolbox.editing.line_endings import Change, replaced
from workbench.harness.tools.toolbox.limits import DIFF_BYTES, DIFF_LINE_CHARS, DIFF_ROWS

HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n")


def made(text: str, *edits: tuple[str, str]) -> Difference:
    """The difference that replacing some texts makes; each is in it once, and they are in order."""
    return difference(text, [Change(text.index(old), text.index(old) + len(old), new) for old, new in edits], "P")


def applied(text: str, patch: str) -> str:
    """What a unified patch makes of a text: an applier that takes no fuzz and no offset."""
    rows = patch.splitlines(keepends=True) if patch.isascii() else re.findall("[^\n]*\n", patch)
    assert rows[:2] == ["--- P\n", "+++ P\n"]
    lines = re.findall("[^\n]*\n|[^\n]+", text)
    result: list[str] = []
    done = 0
    counts = [0, 0]
    for number, row in enumerate(rows[2:], start=2):
        if head := HUNK.fullmatch(row):
            assert counts == [0, 0]
            start, old, new_start, new = map(int, head.groups())
            result += lines[done : start - (old > 0)]
            done = start - (old > 0)
            assert len(result) == new_start - (new > 0)
            counts = [old, new]
        elif row[0] != "\\":
            bare = number + 1 < len(rows) and rows[number + 1][0] == "\\"
            line = row[1:-1] if bare else row[1:]
            if row[0] in " -":
                assert lines[done] == line
                done += 1
                counts[0] -= 1
            if row[0] in " +":
                result.append(line)
                counts[1] -= 1
    assert counts == [0, 0]
    return "".join(result + lines[done:])


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, list[Change]]:
    """A text of short lines and changes of it, in order."""
    text = draw(st.text(alphabet="ab\n\n", max_size=120))
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return text, [Change(start, end, draw(st.text(alphabet="ax\n", max_size=6))) for start, end in pairs]


@given(edits())
@settings(max_examples=300)
def test_patch_and_rows_agree_with_what_changed(made_up: tuple[str, list[Change]]) -> None:
    text, changes = made_up
    new = replaced(text, changes)
    result = difference(text, changes, "P")
    assert result.patch is not None
    if new != text:
        assert applied(text, result.patch) == new
    marks = {"added": "+", "removed": "-", "context": " "}
    rows = parsed(result.rows)
    said = [marks[row.kind] + row.text for row in rows if row.kind != "skipped"]
    assert said == [row for row in result.patch.split("\n")[2:-1] if row[0] in "+- "]
    old_lines, new_lines = text.split("\n"), new.split("\n")
    for row in rows:
        if row.number is not None:
            assert (new_lines if row.kind == "added" else old_lines)[row.number - 1] == row.text
    if any(row.kind == "added" for row in rows):
        assert result.first <= min(row.number or 0 for row in rows if row.kind == "added")


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("Hello, world!", [("world", "testing")]),
        ("a\nb\nc\nd\ne\n", [("a\n", "A\n"), ("e", "E")]),
        ("".join(f"L{number}\n" for number in range(1, 31)), [("L10\n", "X10\n"), ("L25\n", "")]),
        ("only\n", [("only\n", "")]),
        ("end\n", [("end\n", "end")]),
        ("end", [("end", "end\n")]),
        ("first\nlast\n", [("first", "zero\nfirst"), ("last\n", "last\nmore\n")]),
    ],
)
def test_the_patch_makes_the_new_text_of_the_old_one(tmp_path: Path, text: str, edits: list[tuple[str, str]]) -> None:
    file = tmp_path / "P"
    file.write_text(text)
    new = text
    for old, replacement in edits:
        new = new.replace(old, replacement, 1)
    patch = made(text, *edits).patch
    assert patch is not None
    assert applied(text, patch) == new
    if shutil.which("patch"):
        subprocess.run(["patch", "--silent", str(file)], input=patch, text=True, check=True)
        assert (file.read_text() if file.exists() else "") == new


def test_every_row_is_read_back_as_what_it_says() -> None:
    rows = parsed(made("".join(f"L{number}\n" for number in range(1, 31)), ("L10\n", "+x\n-12 y\n")).rows)
    assert rows[0] == DiffRow("skipped", None, "...")
    assert rows[4:9] == (
        DiffRow("context", 9, "L9"),
        DiffRow("removed", 10, "L10"),
        DiffRow("added", 10, "+x"),
        DiffRow("added", 11, "-12 y"),
        DiffRow("context", 11, "L11"),
    )
    assert parsed("") == ()


def test_a_gap_of_eight_lines_is_shown_whole_and_one_of_nine_is_not() -> None:
    text = "A\n" + "".join(f"{number}\n" for number in range(8)) + "B\n"
    assert "..." not in made(text, ("A", "X"), ("B", "Y")).rows
    text = "A\n" + "".join(f"{number}\n" for number in range(9)) + "B\n"
    assert made(text, ("A", "X"), ("B", "Y")).rows.count("...") == 1


def test_lines_of_an_edit_that_stayed_the_same_are_no_change() -> None:
    assert made("a\nb\nc\n", ("a\nb\nc", "a\nB\nc")).rows == " 1 a\n-2 b\n+2 B\n 3 c"


def test_the_first_changed_line_is_one_of_the_new_text() -> None:
    assert made("a\nb\nc\n", ("a\n", "x\ny\na\n")).first == 1
    assert made("a\nb\nc\n", ("b\n", "")).first == 2
    assert made("only", ("only", "")).first == 1


def test_a_rewrite_of_many_lines_is_cut_and_says_so() -> None:
    text = "".join(f"line {number}\n" for number in range(100_000))
    result = difference(text, [Change(0, len(text), text.replace("line", "row"))], "P")
    assert result.patch is None
    assert len(result.rows.encode()) <= DIFF_BYTES + 200
    assert len(result.rows.split("\n")) == DIFF_ROWS + 1
    assert result.cut is not None
    assert result.cut.startswith(f"The diff has 200000 rows; the first {DIFF_ROWS} are kept.")
    assert parsed(result.rows)[-1].kind == "skipped"
    assert "200000 rows" in parsed(result.rows)[-1].text


def test_many_lines_that_are_all_the_same_are_not_compared_pair_by_pair() -> None:
    text = "x\n" * 1000
    result = difference(text, [Change(0, len(text), "y\n" + "x\n" * 998 + "z\n")], "P")
    assert result.patch is not None
    assert applied(text, result.patch) == "y\n" + "x\n" * 998 + "z\n"


def test_a_very_long_line_is_cut_in_its_row() -> None:
    rows = made("a" * 10_000 + "b", ("b", "c")).rows.split("\n")
    assert rows[0] == "-1 " + "a" * DIFF_LINE_CHARS + "... [truncated]"


def test_a_path_that_would_break_the_header_is_quoted() -> None:
    patch = difference("a", [Change(0, 1, "b")], "two\nlines").patch
    assert patch is not None
    assert patch.startswith('--- "two\\nlines"\n+++ "two\\nlines"\n@@')

"""The words of a question, in the room that a screen has for them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rich.cells import cell_len

from tests.app.transcript.host_made import host_call
from workbench.app.transcript.ask_strip import LEAST_ROWS, MOST_ROWS, rows_for, rows_of
from workbench.app.transcript.ask_words import Question, question_of
from workbench.harness.machine import AskedCall

END = "rm -rf ."


def question(tool: str, input: Any, sent: Any = None, others: tuple[str, ...] = ()) -> Question:
    """The question of a call."""
    asked = AskedCall("call-1", "demo", 1, tool, input, "/work", f"approvals.{tool} says ask.", "")
    return question_of(asked, host_call(1, tool, sent or input), here=True, own=1, others=others)


@pytest.mark.parametrize(
    "before", ["", "x" * 580, "x " * 250, "漢" * 500, "\u202e" * 300, "\x1b" * 500, "a\n" * 4, "漢 \n" * 4, " " * 560]
)
@pytest.mark.parametrize("width", [18, 38, 78, 118])
@pytest.mark.parametrize("height", [5, 10, 24, 50])
def test_a_command_is_seen_to_its_end_or_said_to_go_on(before: str, width: int, height: int) -> None:
    most = rows_for(height)
    for sent, others in ((None, ()), ({"command": "y" * 400}, ("second", "third"))):
        rows = rows_of(question("bash", {"command": before + END}, sent, others), width, most)
        lines = ["".join(text for text, _ in row) for row in rows]
        assert len(lines) <= most
        assert all(cell_len(line) <= width for line in lines)
        assert any(re.match(r"… (and more|\d+ more l)", line) for line in lines) or END in " ".join(
            line.strip() for line in lines
        )


def said(asked: Question, height: int) -> list[str]:
    """The rows on a screen of that height and 80 columns."""
    return ["".join(text for text, _ in row) for row in rows_of(asked, 78, rows_for(height))]


def test_an_edit_is_seen_before_one_says_yes_to_it() -> None:
    edits = [{"oldText": "a\nb", "newText": "c"}, {"oldText": "d", "newText": "e"}]
    rows = said(question("edit", {"path": "x.py", "edits": edits}), 40)
    assert rows[2:] == ["- a", "- b", "+ c", "  …", "- d", "+ e", "in /work · approvals.edit says ask."]
    low = said(question("edit", {"path": "x.py", "edits": edits}), 24)
    assert low[2:] == [
        "- a",
        "- b",
        "+ c",
        "  …",
        "… 2 more lines, f9 shows it whole",
        "in /work · approvals.edit says ask.",
    ]


def test_of_a_long_edit_the_beginning_is_seen_and_the_rest_counted() -> None:
    rows = said(question("edit", {"path": "x", "edits": [{"oldText": "\n" * 60_000, "newText": "new\n" * 9}]}), 40)
    assert rows[2:-2] == ["- "] * (len(rows) - 4)
    assert rows[-2] == "… 59,997 more lines, f9 shows it whole"


def test_of_what_is_written_the_beginning_is_seen_and_the_rest_counted() -> None:
    rows = said(question("write", {"path": "x", "content": "".join(f"line {n}\n" for n in range(1, 5_001))}), 40)
    assert len(rows) == MOST_ROWS
    assert rows[2] == " 1 line 1"
    assert rows[-2] == "… 4,988 more lines, f9 shows it whole"
    assert said(question("write", {"path": "x", "content": ""}), 40)[2] == "Nothing: the file is to be empty."


@pytest.mark.parametrize(
    "content", ["x" * 401, "a\n" * 3 + "x" * 100_000 + "\nb", "x" * 100_000, "a\r\nb\tc\r\n" * 9_000]
)
def test_a_line_that_is_cut_is_said_to_be(content: str) -> None:
    for input in ({"path": "x", "content": content}, {"path": "x", "edits": [{"oldText": "q", "newText": content}]}):
        for height in (10, 24, 40):
            rows = said(question("write" if "content" in input else "edit", input), height)
            assert len(rows) <= rows_for(height)
            assert any(row.startswith("… ") for row in rows)


def test_a_whole_command_is_seen_where_there_is_room() -> None:
    command = "\n".join(f"echo {n}" for n in range(12))
    assert not any("more" in row for row in said(question("bash", {"command": command}), 40))
    assert said(question("bash", {"command": command}), 24)[-2] == "… 6 more lines, f9 shows it whole"


def test_where_and_why_stand_there_whatever_is_asked() -> None:
    rows = rows_of(question("bash", {"command": "x" * 5000}), 78, MOST_ROWS)
    assert "".join(text for text, _ in rows[-1]) == "in /work · approvals.bash says ask."
    assert len(rows_of(question("bash", {"command": "ls"}), 26, LEAST_ROWS)) == LEAST_ROWS


def test_on_a_low_screen_the_words_leave_room_for_the_call_itself() -> None:
    assert [rows_for(height) for height in (5, 10, 24, 50)] == [3, 3, 8, 16]


def test_a_tool_of_a_newer_workbench_is_shown_by_its_input() -> None:
    (line,) = question("patch", {"path": "a", "by": "\x1b[1m"}).lines
    assert "".join(text for text, _ in line) == 'patch {"path":"a","by":"\\u001b[1m"}'

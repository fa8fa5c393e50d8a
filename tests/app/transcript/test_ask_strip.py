"""The words of a question, in the room that a screen has for them."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from tests.app.transcript.host_made import host_call
from workbench.app.transcript.ask_strip import AND_MORE, LEAST_ROWS, MOST_ROWS, rows_for, rows_of
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
        assert any(AND_MORE[:10] in line for line in lines) or END in " ".join(line.strip() for line in lines)


def test_where_and_why_stand_there_whatever_is_asked() -> None:
    rows = rows_of(question("bash", {"command": "x" * 5000}), 78, MOST_ROWS)
    assert "".join(text for text, _ in rows[-1]) == "in /work · approvals.bash says ask."
    assert len(rows_of(question("bash", {"command": "ls"}), 26, LEAST_ROWS)) == LEAST_ROWS


def test_on_a_low_screen_the_words_leave_room_for_the_call_itself() -> None:
    assert [rows_for(height) for height in (5, 10, 24, 50)] == [3, 3, 8, 10]


def test_a_tool_of_a_newer_workbench_is_shown_by_its_input() -> None:
    (line,) = question("patch", {"path": "a", "by": "\x1b[1m"}).lines
    assert "".join(text for text, _ in line) == 'patch {"path":"a","by":"\\u001b[1m"}'

"""A question to the owner, in words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.transcript.host_made import host_call
from tests.canaries import CANARIES
from workbench.app.transcript.ask_words import COMMAND_LINES, Question, behind_words, question_of
from workbench.harness.machine import AskedCall
from workbench.harness.text import printable


def question(tool: str, input: Any, sent: Any = None) -> Question:
    """The question of a call."""
    asked = AskedCall("call-1", "demo", 1, tool, input, "/work", f"approvals.{tool} says ask.", "")
    call = host_call(1, tool, input if sent is None else sent)
    return question_of(asked, call, here=True, own=1, others=())


def lines(asked: Question) -> list[str]:
    """What is to be done, as it is read without colour."""
    return ["".join(text for text, _ in line) for line in asked.lines]


def test_a_command_is_shown_with_its_own_line_breaks() -> None:
    asked = question("bash", {"command": "git status\nid  \\\n  -u", "timeout": 5})
    assert lines(asked) == ["$ git status", "  id  \\", "    -u", "  at most 5 s"]
    assert (asked.cut, asked.cwd, asked.why) == (False, "/work", "approvals.bash says ask.")


@pytest.mark.parametrize("command", ["x" * 5000, "a\n" * 50])
def test_a_long_command_says_that_there_is_more(command: str) -> None:
    asked = question("bash", {"command": command})
    assert asked.cut or asked.total > len(asked.lines)
    assert len(asked.lines) <= COMMAND_LINES


@pytest.mark.parametrize(
    ("tools", "approvals", "said"),
    [
        ((), {}, ""),
        (("edit",), {}, "1 more of this message will ask"),
        (("edit", "write", "bash"), {}, "3 more of this message will ask"),
        (("edit", "read"), {}, "2 more of this message wait, 1 of them will ask"),
        (("read",), {}, "1 more of this message waits"),
        (("read",), {"read": "ask"}, "1 more of this message will ask"),
        (("bash", "bash"), {"bash": {"allow": ["git *"]}}, "2 more of this message wait"),
        (("edit", "no-such-tool"), {}, "2 more of this message wait, 1 of them will ask"),
    ],
)
def test_what_waits_behind_it_is_counted_and_said_to_ask_where_that_is_known(
    tools: tuple[str, ...], approvals: dict[str, Any], said: str
) -> None:
    assert behind_words(tools, approvals) == said


def test_what_is_written_is_counted() -> None:
    asked = question("write", {"path": "a.txt", "content": "one\ntwo\n"})
    assert lines(asked) == ["write a.txt 2 lines, 8 bytes"]
    assert asked.more == "the whole file: 2 lines, 8 B"


def test_what_was_sent_is_shown_where_something_else_would_be_done() -> None:
    assert question("bash", {"command": "ls"}).sent == ""
    assert question("bash", {"command": "ls"}, sent={"command": "rm"}).sent == '{"command":"rm"}'


@pytest.mark.parametrize("text", CANARIES)
def test_nothing_in_it_steers_a_terminal(text: str) -> None:
    for tool in ("bash", "write"):
        asked = question(tool, {"command": text, "path": text, "content": text}, sent={"command": text})
        for said in (*lines(asked), asked.sent, asked.more, asked.why):
            assert printable(said) == said
            assert "\n" not in said

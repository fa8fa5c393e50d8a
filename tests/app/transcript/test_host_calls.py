"""Calls of the toolbox as rows, and whole."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from tests.app.transcript.host_made import asked, host_call, host_error, host_result
from tests.app.transcript.made import call
from tests.canaries import CANARIES
from workbench.app.transcript.detail import detail_of
from workbench.app.transcript.host_calls import QUICK_CHARS, fault_words, intent_words
from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.opened import _made
from workbench.app.transcript.row_lines import OpenCall, body_lines, outcome_lines
from workbench.app.transcript.rows import Row, row_of
from workbench.app.widgets.text_view import TextLine
from workbench.harness.log.events import Event
from workbench.harness.names import TOOLBOX
from workbench.harness.text import printable
from workbench.harness.watch import Progressed


def rows_of(*events: Event) -> ThreadRows:
    """A thread with these events."""
    rows = ThreadRows("demo", len(events))
    rows.read(events)
    return rows


def shown(row: Row | None, state: OpenCall | None = None) -> str:
    """What stands in the log for a call, as it is read without colour."""
    assert row is not None
    lines = [*body_lines(row, 200), *outcome_lines(row, state, 200)]
    return "\n".join("".join(text for text, _ in line) for line in lines)


def test_a_call_is_shown_as_its_tool_draws_it_and_touches_nothing() -> None:
    row = row_of(host_call(1, "read", {"path": "src/a.py", "offset": 5, "limit": 2}))
    assert row.text == "read src/a.py:5-6"
    assert (row.pieces[0], row.host, row.touches) == (("read", "strong"), "read", None)
    assert row_of(call(1, "read", {"address": "~/tools/x"})).touches == "x", "the verb of that name is another thing"


@pytest.mark.parametrize(
    ("name", "input", "text", "said"),
    [
        ("read", {"path": "a"}, "one\ntwo\n", "ok · 2 lines"),
        ("grep", {"pattern": "x"}, "a.py:1: x\na.py:3: x\nb.py:1: x", "ok · 3 matches in 2 files"),
        ("find", {"pattern": "*.py"}, "a.py\nb.py", "ok · 2 paths"),
        ("ls", {}, "a\nb/", "ok · 2 paths"),
        ("bash", {"command": "seq 2"}, "1\n2\n", "ok · 2 lines, the last: 2"),
        ("bash", {"command": "x"}, "\r1%\r2%", "ok · 2%"),
        ("bash", {"command": "x"}, "a\r\n1%\r100%\r\n", "ok · 2 lines, the last: 100%"),
        ("bash", {"command": "true"}, "(no output)", "ok · (no output)"),
        ("write", {"path": "a", "content": "x"}, "Successfully wrote 1 bytes to a", "Successfully wrote 1 bytes to a"),
    ],
)
def test_a_result_is_told_in_a_line(name: str, input: Any, text: str, said: str) -> None:
    rows = rows_of(host_call(1, name, input), host_result(2, name, text))
    assert said in shown(rows.row(1))


def test_long_lists_are_counted_alike() -> None:
    grep = "\n".join(f"src/a{n % 7}.py:{n + 1}: x: 5: y" for n in range(QUICK_CHARS // 10))
    rows = rows_of(host_call(1, "grep", {"pattern": "x"}), host_result(2, "grep", grep))
    assert "800 matches in 7 files" in shown(rows.row(1))
    find = "\n".join(f"some/where/{n}.py" for n in range(QUICK_CHARS // 10)) + "\n\n[1000 results limit reached]"
    rows = rows_of(host_call(1, "find", {"pattern": "x"}), host_result(2, "find", find))
    assert "800 paths · [1000 results limit reached]" in shown(rows.row(1))


def test_an_edit_tells_how_many_lines_came_and_went() -> None:
    details = {"diff": "-1 a\n+1 b\n+2 c", "patch": "", "firstChangedLine": 1}
    input = {"path": "x", "edits": [{"oldText": "a", "newText": "b\nc"}]}
    rows = rows_of(
        host_call(1, "edit", input), host_result(2, "edit", "Successfully replaced 1 block(s) in x.", details)
    )
    assert "ok · +2 -1" in shown(rows.row(1))
    lines = [
        line.text for line in detail_of([host_call(1, "edit", input), host_result(2, "edit", "ok", details)]).lines
    ]
    assert [line for line in lines if line[:1] in "+-" and line] == ["- 1 a", "+ 1 b", "+ 2 c"]


def test_a_command_that_failed_tells_first_how_it_ended() -> None:
    error = host_error(2, "bash", "failed", "some\noutput\n\n\nCommand exited with code 3")
    assert "failed · Command exited with code 3 · 2 lines, the last: output" in shown(
        rows_of(host_call(1, "bash", {"command": "x"}), error).row(1)
    )


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("tick 1\ntick 2\n\nCommand exited with code 1", "Command exited with code 1 · 2 lines, the last: tick 2"),
        ("tick 1\ntick 2\n\nCommand aborted", "Command aborted · 2 lines, the last: tick 2"),
        (
            "a\nb\n\n[Showing lines 1-2 of 9.]\n\nCommand exited with code 1",
            "Command exited with code 1 · [Showing lines 1-2 of 9.] · 2 lines, the last: b",
        ),
        ("(no output)\n\nCommand exited with code 1", "Command exited with code 1 · (no output)"),
        ("The owner said no.\nNothing of it was done.", "The owner said no.\nNothing of it was done."),
    ],
)
def test_of_a_failed_command_what_went_wrong_comes_first(message: str, said: str) -> None:
    assert fault_words("bash", message) == said


def test_a_fault_of_a_name_that_is_no_tool_is_told_as_it_is() -> None:
    assert fault_words("no-such-tool", "Tool not found.") == "Tool not found."


def test_a_picture_is_described() -> None:
    block = {"type": "image", "mimeType": "image/png", "cid": "bafy", "width": 3, "height": 4, "bytes": 99}
    answer = host_result(2, "read", "Read image file [image/png]")
    answer.output["content"].append(block)
    rows = rows_of(host_call(1, "read", {"path": "a.png"}), answer)
    assert "image/png, 3×4 pixels, 99 B" in shown(rows.row(1))


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_question_and_its_answer_are_told_by_the_row_of_the_call(newest_first: bool) -> None:
    events = [host_call(1, "bash", {"command": "make"}), asked(2, 1, None), asked(3, 1, True)]
    rows = ThreadRows("demo", 3)
    for event in reversed(events) if newest_first else events:
        rows.read([event])
    assert (rows.folded(1), rows.folded(2), rows.shown(2)) == (True, True, 1)
    assert "it asked, and you said yes" in shown(rows.row(1))
    assert list(rows.questions("call-1")) == [2, 3]
    assert rows.find("asks", 3, -1) is None, "what takes no place is not found in one"


def test_a_call_waits_until_it_is_answered() -> None:
    waiting = rows_of(host_call(1, "bash", {"command": "make"}), asked(2, 1, None))
    said = shown(waiting.row(1), OpenCall(interrupted=False))
    assert "waits for your yes" in said
    assert "running" not in said
    assert "its process is gone" in shown(waiting.row(1), OpenCall(interrupted=True))
    refused = host_error(4, "bash", "refused", "The owner said no to this call.")
    rows = rows_of(
        host_call(1, "bash", {"command": "make"}), asked(2, 1, None), asked(3, 1, False), _of(refused, "call-1")
    )
    assert shown(rows.row(1)).splitlines()[1:] == [
        "└ it asked, and you said no",
        "└ refused · The owner said no to this call.",
    ]


def test_a_call_that_waits_its_turn_is_not_said_to_run() -> None:
    row = rows_of(host_call(1, "write", {"path": "a", "content": "x"})).row(1)
    said = shown(row, OpenCall(interrupted=False, does="waits"))
    assert "└ waits its turn · nothing done yet" in said
    assert "running" not in said


def test_the_clock_of_a_call_counts_what_it_does_now() -> None:
    minute = (datetime.now(UTC) - timedelta(seconds=65)).isoformat()
    later = (datetime.now(UTC) + timedelta(seconds=65)).isoformat()
    call, question = host_call(1, "bash", {"command": "make"}), asked(2, 1, None)
    asks, acts = rows_of(call, question).row(1), rows_of(call, question, asked(3, 1, True)).row(1)
    for row, does, words in ((asks, "asks", "waits for your yes · "), (acts, "acts", "running ")):
        assert re.search(rf"{words}6\d s", shown(row, OpenCall(interrupted=False, does=does, since=minute)))
        assert f"{words}0 s" in shown(row, OpenCall(interrupted=False, does=does, since=later))


def _of(event: Any, id: str) -> Any:
    return replace(event, id=id)


def test_a_running_command_shows_the_end_of_what_it_printed() -> None:
    tail = "\n".join(f"line {n}" for n in range(20))
    state = OpenCall(interrupted=False, progress=Progressed("demo", "call-1", "running", tail))
    said = shown(rows_of(host_call(1, "bash", {"command": "make"})).row(1), state)
    assert "│ line 12\n" in said
    assert said.endswith("│ line 19")
    assert "line 11" not in said


@pytest.mark.parametrize(
    ("printed", "last"),
    [
        ("\rprogress 1%\rprogress 2%", "progress 2%"),
        ("one\r\ntwo\r\n", "two"),
        ("progress 1%\r", "progress 1%"),
        ("".join(f"progress {n}% " for n in range(200)), "progress 199% "),
        ("x" * 500 + "\r" + "y" * 500 + "end", "yyyend"),
        ("語" * 300 + "end", "語end"),
    ],
)
def test_of_the_last_line_of_a_running_command_the_newest_is_shown(printed: str, last: str) -> None:
    state = OpenCall(interrupted=False, progress=Progressed("demo", "call-1", "running", printed))
    said = shown(rows_of(host_call(1, "bash", {"command": "make"})).row(1), state)
    assert said.endswith(last)
    assert "␍" not in said
    assert all(cell_len(line) <= 200 for line in said.splitlines()[1:])


def test_the_whole_of_a_call_says_what_it_would_do_before_it_did_it() -> None:
    input = {"path": "a.py", "edits": [{"oldText": "a\nb", "newText": "c"}, {"oldText": "d", "newText": ""}]}
    question = asked(2, 1, None, "edit", input={**input, "path": "b.py"})
    texts = [line.text for line in detail_of([host_call(1, "edit", input), question]).lines]
    begin = texts.index("- a")
    assert texts[begin : begin + 5] == ["- a", "- b", "+ c", "  …", "- d"]
    assert any("approvals.bash says ask." in text for text in texts)
    assert any("another input than was sent" in text for text in texts)
    assert any(text.startswith("edit b.py") for text in texts)
    assert any("(in /work)" in text for text in texts)
    assert intent_words("edit", input) == "2 places: +1 -3 lines"
    assert intent_words("edit", {"edits": [{"oldText": "a\n", "newText": "\n\n"}]}) == "1 place: +2 -1 lines"
    assert intent_words("edit", {"edits": [{"oldText": "", "newText": ""}, 5]}) == ""
    assert intent_words("write", {"content": "é\n"}) == "the whole file: 1 line, 3 B"


def test_what_came_of_a_call_stands_before_that_it_asked() -> None:
    input = {"path": "a.py", "edits": [{"oldText": "a", "newText": "b"}]}
    events = [
        host_call(1, "edit", input),
        asked(2, 1, None),
        asked(3, 1, True),
        host_result(4, "edit", "Edited.", of=1),
    ]
    heads = [line.text for line in detail_of(events).lines if isinstance(line, TextLine) and line.look == "heading"]
    assert [head.rpartition(" · ")[2] for head in heads[1:]] == [
        "its result",
        "it asks for your yes",
        "you said yes",
        "its input, as it was sent",
    ]


def test_what_a_running_call_printed_so_far_ends_its_detail() -> None:
    lines = detail_of([host_call(1, "bash", {"command": "make"})], tail="one\ntwo").lines
    assert [line.text for line in lines[-3:]] == ["what it printed so far, the end of it", "one", "two"]


def test_what_is_copied_is_what_was_sent() -> None:
    input = {"file_path": "a", "content": "\x1b[31m"}
    copied = detail_of([host_call(1, "write", input)]).copy
    assert json.loads(copied)["input"] == input


MANY_DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("name", "text", "details"),
    [("grep", f"a.py:{MANY_DIGITS}: x", None), ("edit", "done", {"diff": f"+{MANY_DIGITS} x"})],
)
def test_a_number_longer_than_python_reads_is_shown_as_text(name: str, text: str, details: Any) -> None:
    events = [host_call(1, name, {"path": "a.py"}), host_result(2, name, text, details)]
    assert "ok" in shown(rows_of(*events).row(1))
    assert any(text[:9] in line.text for line in detail_of(events).lines)


def test_what_no_json_can_hold_is_told_and_not_waited_for() -> None:
    detail = _made([host_call(1, "bash", {"command": "x", "timeout": float("inf")})], "")
    assert "This event cannot be written out" in detail.lines[0].text


KEYS = (
    "path", "file_path", "command", "pattern", "offset", "limit", "edits", "oldText", "newText", "content",
    "type", "text", "mimeType", "width", "details", "diff", "timeout",
)  # fmt: skip

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TOOLBOX), JSON, JSON)
def test_whatever_stands_in_a_log_is_shown(name: str, input: Any, output: Any) -> None:
    answer = host_result(2, name, "")
    answer.output.update(output if isinstance(output, dict) else {"content": output})
    rows = rows_of(host_call(1, name, input), answer)
    assert shown(rows.row(1))
    assert detail_of([host_call(1, name, input), answer]).lines
    intent_words(name, input)


@pytest.mark.parametrize("text", CANARIES)
@pytest.mark.parametrize("name", TOOLBOX)
def test_nothing_in_it_steers_a_terminal(name: str, text: str) -> None:
    keys = ("path", "command", "pattern", "content", text)
    input: dict[str, Any] = {key: text for key in keys} | {"edits": [{"oldText": text, "newText": text}]}
    events = [host_call(1, name, input), host_result(2, name, f"{text}:1: {text}\n{text}", {"diff": f"+1 {text}"})]
    said = shown(rows_of(*events).row(1))
    assert printable(said) == said
    for line in detail_of([*events, asked(3, 1, None, why=text)]).lines:
        assert printable(line.text) == line.text
        assert "\n" not in line.text

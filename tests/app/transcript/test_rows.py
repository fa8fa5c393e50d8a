"""Events as rows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.transcript.made import call, message, result
from tests.canaries import CANARIES
from workbench.app.transcript.rows import (
    MESSAGE_CHARS,
    MESSAGE_LINES,
    SUBJECT_CHARS,
    cut_lines,
    one_line,
    outcome_of,
    row_of,
)
from workbench.harness.text import printable


@pytest.mark.parametrize(
    ("name", "input", "shown"),
    [
        ("read", {"address": "~/tools/"}, "~/tools/"),
        ("call", {"tool": "x", "input": {"a": 1}}, 'x {"a":1}'),
        ("write", {"address": "~/memory/a", "content": "two\nlines"}, '~/memory/a "two\\nlines"'),
        ("read", {"address": "~/tools/x", "options": {"part": "source"}}, '~/tools/x {"part":"source"}'),
        ("word_count", {"text": "a"}, '{"text":"a"}'),
        ("read", {"address": "~/self", "extra": 1}, "~/self extra: 1"),
        ("plan", ["a"], '["a"]'),
    ],
)
def test_what_an_act_is_about(name: str, input: Any, shown: str) -> None:
    row = row_of(call(3, name, input))
    assert (row.what, row.text, row.who) == (name, shown, "agent")


@pytest.mark.parametrize(
    ("output", "word", "says", "tone"),
    [
        ({"status": "ok", "output": {"n": 1}}, "ok", '{"n":1}', "ok"),
        ({"status": "ok", "entries": [1, 2]}, "ok", "2 entries", "ok"),
        ({"status": "ok", "tools": [1], "verbs": []}, "ok", "1 tool", "ok"),
        ({"status": "saved", "changed": False}, "saved", "unchanged: it was the same already", "ok"),
        ({"status": "deleted", "existed": False}, "deleted", "there was nothing", "ok"),
        (
            {"status": "contract", "executed": False, "reason": "untouched", "message": "Not executed."},
            "contract (untouched)",
            "Not executed.",
            "answered",
        ),
        (
            {"status": "no_such_tool", "executed": False, "tool": "x", "reason": "unknown"},
            "no_such_tool (unknown)",
            "x",
            "answered",
        ),
        ("text", "ok", '"text"', "ok"),
        (None, "ok", "null", "ok"),
    ],
)
def test_how_an_act_ended(output: Any, word: str, says: str, tone: str) -> None:
    told = outcome_of(result(4, "call", output))
    assert (told.word, told.says, told.tone) == (word, says, tone)


@pytest.mark.parametrize(
    ("code", "word"),
    [("timeout", "failed: timeout"), ("interrupted", "interrupted"), ("cancelled", "cancelled")],
)
def test_how_an_act_failed(code: str, word: str) -> None:
    told = outcome_of(result(4, "call", error={"code": code, "message": "It took\ntoo long."}))
    assert (told.word, told.says, told.tone) == (word, "It took too long.", "failed")


@pytest.mark.parametrize(
    ("name", "input", "touches"),
    [
        ("read", {"address": "~/tools/x"}, "x"),
        ("read", {"address": "~/tools/"}, None),
        ("call", {"tool": "x"}, "x"),
        ("bash", {}, "bash"),
    ],
)
def test_which_tool_an_agents_call_names(name: str, input: Any, touches: str | None) -> None:
    assert row_of(call(1, name, input)).touches == touches
    assert row_of(call(1, name, input, actor="user")).touches is None


def test_a_long_message_is_cut_and_says_so() -> None:
    row = row_of(message(1, "line\n" * 1000))
    assert row.more
    assert row.text.count("\n") < MESSAGE_LINES
    assert row_of(message(1, "x" * (MESSAGE_CHARS + 1))).more
    assert not row_of(message(1, "x" * MESSAGE_CHARS)).more


@pytest.mark.parametrize("text", CANARIES)
def test_no_row_holds_a_character_that_steers_a_terminal(text: str) -> None:
    rows = [
        row_of(message(1, text)),
        row_of(call(1, text or "x", {"address": text, "content": text, text: text})),
    ]
    told = outcome_of(result(2, "call", {"status": text, "reason": text, "output": text, "message": text}))
    for shown in (*(part for row in rows for part in (row.what, row.text)), told.word, told.says):
        assert printable(shown) == shown
    assert "\n" not in told.says + told.word


@given(st.text(max_size=3000))
def test_one_line_is_one_bounded_line(text: str) -> None:
    line, _ = one_line(text)
    assert len(line) <= SUBJECT_CHARS
    assert "\n" not in line


@given(st.text(st.sampled_from("a\n"), max_size=60), st.integers(1, 40), st.integers(1, 10))
def test_cut_lines_keeps_a_beginning(text: str, chars: int, lines: int) -> None:
    kept, cut = cut_lines(text, chars, lines)
    assert text.startswith(kept.removesuffix("…"))
    assert cut == (kept != text)
    assert kept.count("\n") < lines

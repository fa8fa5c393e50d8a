"""Lines of the composer and the acts that they are."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import HarnessError
from workbench.app.transcript.commands import FORMS, Command, parse


@pytest.mark.parametrize(
    ("line", "name", "input"),
    [
        ("read ~/tools/", "read", {"address": "~/tools/"}),
        ("  read   ~/self  ", "read", {"address": "~/self"}),
        (
            'read ~/tools/x {"part": "source"}',
            "read",
            {"address": "~/tools/x", "options": {"part": "source"}},
        ),
        ("read ~/memory/my file.txt", "read", {"address": "~/memory/my file.txt"}),
        ("read ~/memory/a {b", "read", {"address": "~/memory/a {b"}),
        ('read {"address": "~/self"}', "read", {"address": "~/self"}),
        ("write ~/memory/a.txt some text", "write", {"address": "~/memory/a.txt", "content": "some text"}),
        ("write ~/memory/a.json {not json", "write", {"address": "~/memory/a.json", "content": "{not json"}),
        ('write ~/memory/a.json {"a": 1}', "write", {"address": "~/memory/a.json", "content": '{"a": 1}'}),
        ('write "~/memory/a b.txt" x', "write", {"address": "~/memory/a b.txt", "content": "x"}),
        ('write ~/tools/x {"description": "d"}', "write", {"address": "~/tools/x", "content": {"description": "d"}}),
        ('write ~/self {"tools": null}', "write", {"address": "~/self", "content": {"tools": None}}),
        (
            'write {"address": "~/memory/a", "options": {"delete": true}}',
            "write",
            {"address": "~/memory/a", "options": {"delete": True}},
        ),
        ('call word_count {"text": "a b"}', "call", {"tool": "word_count", "input": {"text": "a b"}}),
        ("call word_count", "call", {"tool": "word_count"}),
        ('call {"tool": "x", "options": {"timeout_secs": 3}}', "call", {"tool": "x", "options": {"timeout_secs": 3}}),
        ('word_count {"text": "a"}', "word_count", {"text": "a"}),
        ("bash {}", "bash", {}),
        ("bash [1]", "bash", [1]),
        ('plan {"steps": []}', "plan", {"steps": []}),
    ],
)
def test_what_a_line_does(line: str, name: str, input: Any) -> None:
    assert parse(line) == Command(name, input)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "Write an act"),
        ("read", "read needs an address"),
        ('read ~/tools/x {"part": }', "the options"),
        ("write", "write needs an address"),
        ("write ~/memory/a.txt", "To delete"),
        ('write "~/memory/a', "no second one"),
        ("write ~/tools/x {bad}", "the content of ~/tools/x"),
        ("call", "call needs a tool"),
        ("call x {", "the input of x"),
        ("call x hello", "the input of x"),
        ("plan", "plan takes its input as JSON"),
        ("hello", "hello is no verb"),
        ("hello there", "switch the voice to message"),
        ('word_count {"a": 1, "a": 2}', "the input of word_count"),
        ('read {"a": NaN}', "the input of read"),
    ],
)
def test_what_is_not_understood_is_said_in_words(line: str, says: str) -> None:
    with pytest.raises(HarnessError) as caught:
        parse(line)
    assert says in caught.value.message


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_that_are_shown_are_understood(form: str) -> None:
    parse(form.replace("{json}", "{}"))


@given(st.text(max_size=60))
def test_any_line_is_an_act_or_a_fault_in_words(line: str) -> None:
    command = None
    with contextlib.suppress(HarnessError):
        command = parse(line)
    assert command is None or command.name

"""What counts as a number of tokens."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.agent.models.model import Usage
from workbench.agent.models.usage import tokens, usage_of
from workbench.agent.recorded import answers_of
from workbench.harness.log.events import Event, Message, RequestEnded, RequestSent, Run

NO_TOKENS = [-1, 2**53, 10**400, True, False, "12", 1.5, float("nan"), float("inf"), -1.0, 1e300, None, [1], {}, b"1"]


@pytest.mark.parametrize("given", NO_TOKENS, ids=repr)
def test_what_is_no_number_of_tokens_is_unknown(given: Any) -> None:
    assert tokens(given) is None
    assert usage_of(given, 3, given, given) == Usage(None, 3)
    assert usage_of(given, given) is None


@given(st.integers(0, 2**53 - 1))
def test_a_number_of_tokens_is_itself(count: int) -> None:
    assert tokens(count) == tokens(float(count)) == count
    assert type(tokens(float(count))) is int


def answered(usage: Usage | None) -> list[Event]:
    """A thread with one answer, whose request cost this."""
    at: dict[str, Any] = {"thread": "t", "time": "2026-01-01T00:00:00Z", "process": "p"}
    start, sent = {**at, "number": 1, "seq": 1}, {**at, "number": 2, "seq": 2}
    said, ended = {**at, "number": 3, "seq": 3}, {**at, "number": 4, "seq": 4}
    return [
        _event(Run, start, run="r", state="start"),
        _event(RequestSent, sent, request="q"),
        _event(Message, said, role="assistant", text="Hi", message="m", actor="agent"),
        _event(RequestEnded, ended, request="q", finish="stop", usage=usage),
    ]


def _event(kind: Any, at: dict[str, Any], **more: Any) -> Any:
    known = {name: value for name, value in (at | more).items() if name in kind.__struct_fields__}
    fields = msgspec.structs.fields(kind)
    return kind(**known, **{field.name: None for field in fields if field.required and field.name not in known})


@pytest.mark.parametrize(
    ("recorded", "told"),
    [
        (Usage(-5, 7), Usage(None, 7)),
        (Usage(10**30, -1), None),
        (Usage(12, 5, 0), Usage(12, 5, 0)),
        (None, None),
    ],
)
def test_an_older_log_tells_only_what_was_counted(recorded: Usage | None, told: Usage | None) -> None:
    (answer,) = answers_of(answered(recorded))

    assert answer.usage == told

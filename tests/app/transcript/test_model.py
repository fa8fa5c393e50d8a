"""A thread as rows, read forwards and backwards."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.app.transcript.made import call, message, result
from workbench.app.transcript.model import ThreadRows

CONTRACT = {"status": "contract", "executed": False, "reason": "untouched", "contract": "c", "cid": "bafyone"}
EVENTS = [
    message(1, "hello"),
    call(2, "call", {"tool": "x"}),
    call(3, "read", {"address": "~/tools/y"}),
    result(4, "read", {"status": "ok", "contract": "c", "cid": "bafyy"}, of=3),
    result(5, "call", CONTRACT, of=2),
    call(6, "call", {"tool": "x"}),
    result(7, "call", {"status": "ok", "cid": "bafyone", "output": 1}),
    call(8, "write", {"address": "~/tools/x", "content": {}}),
    result(9, "write", {"status": "saved", "name": "x", "cid": "bafytwo"}),
    call(10, "bash", {}),
]


def read(*parts: list) -> ThreadRows:
    rows = ThreadRows("demo", len(EVENTS))
    for part in parts:
        rows.read(part)
    return rows


def test_a_result_belongs_to_its_call_and_takes_no_place() -> None:
    rows = read(EVENTS)
    assert [index + 1 for index in range(rows.last) if not rows.folded(index)] == [1, 2, 3, 6, 8, 10]
    row = rows.row(2)
    assert row is not None
    assert row.outcome is not None
    assert (row.outcome.seq, row.outcome.word) == (5, "contract (untouched)")
    assert rows.shown(5) == 2
    assert rows.shown(1) == 1


def test_a_call_without_a_result_is_open() -> None:
    assert read(EVENTS).open_calls() == ("call-10",)


def test_which_contract_the_agent_was_given_last() -> None:
    rows = read(EVENTS)
    assert rows.given("x") == "bafytwo"
    assert rows.given("x", 8) == "bafyone"
    assert rows.given("x", 4) is None
    assert rows.given("y") == "bafyy"
    assert rows.given("bash") is None


@given(st.lists(st.integers(0, len(EVENTS)), max_size=4))
def test_in_whatever_slices_it_is_read_the_rows_are_the_same(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(EVENTS)]
    slices = [EVENTS[a:b] for a, b in pairwise(edges)]
    backwards, forwards = read(*reversed(slices)), read(EVENTS)
    assert backwards.rows == forwards.rows
    assert backwards.open_calls() == forwards.open_calls()
    assert [backwards.given("x", at) for at in range(11)] == [forwards.given("x", at) for at in range(11)]


def test_reading_says_which_rows_are_different_now() -> None:
    rows = ThreadRows("demo")
    assert rows.read(EVENTS[:2]) == [0, 1]
    assert rows.read(EVENTS[2:5]) == [1, 2, 3, 4]
    assert rows.last == 5


def test_words_are_found_in_what_a_row_shows() -> None:
    rows = read(EVENTS)
    assert rows.find("CALL x", rows.last, -1) == 5
    assert rows.find("call x untouched", rows.last, -1) == 1
    assert rows.find("x", 1, 1) == 5
    assert rows.find("x", 0, -1) is None
    assert rows.find("  ", 0, 1) is None

"""What is left out of a request that a model's context cannot take."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.log.payloads import dumps
from workbench.harness.log.window import LEAST_BYTES, left_out


def user(size: int = 10) -> dict[str, Any]:
    return {"role": "user", "text": "u" * size}


def answer(size: int = 10) -> list[dict[str, Any]]:
    return [
        {"role": "assistant", "calls": [{"id": "c", "name": "x", "input": {}}]},
        {"role": "tool", "results": [{"id": "c", "name": "x", "text": "r" * size}]},
    ]


def picture() -> list[dict[str, Any]]:
    call, result = answer()
    result["results"][0]["images"] = [{"mime_type": "image/png", "cid": "b", "bytes": 10}]
    return [call, result]


def bytes_of(messages: list[dict[str, Any]]) -> int:
    return sum(len(dumps(message)) for message in messages)


@pytest.mark.parametrize(
    ("messages", "gone"),
    [
        ([], 0),
        ([user(), *answer(), user()], 0),
        ([user(5_000), user()], 1),
        ([user(), *answer(5_000), user()], 3),
        ([user(), *answer(50_000)], 1),
        ([user(50_000)], 0),
        ([user(), *picture(), user()], 3),
        ([user(), *picture()], 1),
    ],
    ids=[
        "nothing",
        "it fits",
        "the first is too large",
        "a call goes with its result",
        "the newest stays",
        "alone",
        "an image counts",
        "a new image stays",
    ],
)
def test_what_is_left_out(messages: list[dict[str, Any]], gone: int) -> None:
    assert left_out(messages, LEAST_BYTES) == gone


units = st.lists(
    st.one_of(st.integers(1, 3_000).map(lambda n: [user(n)]), st.integers(1, 3_000).map(answer)),
    min_size=1,
    max_size=40,
)


@given(units, st.integers(0, 20_000))
def test_what_stays_fits_and_begins_with_no_orphan(conversation: list[list[dict[str, Any]]], room: int) -> None:
    messages = [message for unit in conversation for message in unit]
    gone = left_out(messages, room)
    assert messages[gone]["role"] != "tool"
    assert gone <= len(messages) - len(conversation[-1]), "the newest always stays"
    alone = gone == len(messages) - len(conversation[-1])
    assert alone or bytes_of(messages[gone:]) <= max(room, LEAST_BYTES)


@given(units, st.integers(0, 20_000))
def test_a_cut_stays_where_it_is_until_room_is_needed_again(
    conversation: list[list[dict[str, Any]]], room: int
) -> None:
    """A provider keeps the beginning of a request in its cache; a cut that moved each time would throw it away."""
    moves, before, grown = 0, 0, 0
    messages: list[dict[str, Any]] = []
    for unit in conversation:
        messages += unit
        now = left_out(messages, room)
        assert now >= before
        if now > before:
            moves += 1
            grown = 0
        grown += bytes_of(unit)
        before = now
    assert moves <= 1 + bytes_of(messages) // (max(room, LEAST_BYTES) // 2)

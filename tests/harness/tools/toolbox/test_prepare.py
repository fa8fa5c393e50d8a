"""Repairs before an input is checked, and numbers that are whole."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec import UNSET

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.prepare import number_in, path_in, take_file_path, whole_number


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({"file_path": "a"}, {"path": "a"}),
        ({"file_path": "a", "limit": 3}, {"path": "a", "limit": 3}),
        ({"path": "a", "file_path": "a"}, {"path": "a"}),
        ({"path": "a"}, {"path": "a"}),
        ({"file_path": 5}, {"path": 5}),
        ({}, {}),
        (None, None),
        ("text", "text"),
        (["file_path"], ["file_path"]),
    ],
)
def test_file_path_says_what_path_says(sent: Any, taken: Any) -> None:
    assert take_file_path(sent) == taken


def test_what_was_sent_stays_as_it_is() -> None:
    sent = {"file_path": "a"}
    assert take_file_path(sent) is not sent
    assert sent == {"file_path": "a"}
    kept = {"path": "a"}
    assert take_file_path(kept) is not kept


def test_two_paths_that_differ_are_refused_and_both_named() -> None:
    with pytest.raises(HarnessError, match="path is 'a' and file_path is 'b', which differ") as raised:
        take_file_path({"path": "a", "file_path": "b"})
    assert raised.value.code == "bad_input"
    with pytest.raises(HarnessError) as raised:
        take_file_path({"path": "a" * 10_000, "file_path": "b\ud800"})
    assert len(raised.value.message) < 400
    raised.value.message.encode()


@pytest.mark.parametrize(("value", "whole"), [(UNSET, None), (5.0, 5), (0.0, 0), (-3.0, -3), (1e300, int(1e300))])
def test_a_number_that_is_whole(value: Any, whole: int | None) -> None:
    assert whole_number(value, "limit") == whole


@pytest.mark.parametrize("value", [0.5, -1.25, math.inf, math.nan])
def test_a_number_that_is_not_whole_is_refused(value: float) -> None:
    with pytest.raises(HarnessError, match=r"^limit is .*\. It must be a whole number\.$"):
        whole_number(value, "limit")


def test_what_is_drawn_stands_any_input() -> None:
    assert [number_in(body, "n") for body in ({"n": 5}, {"n": 5.0}, {"n": 5.5}, {"n": True}, {"n": "5"}, {}, None)] == [
        5,
        5,
        None,
        None,
        None,
        None,
        None,
    ]
    assert [path_in(body) for body in ({"path": "a"}, {"file_path": "b"}, {"path": 1}, None)] == ["a", "b", "", ""]

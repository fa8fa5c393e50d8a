"""JSON as a tree: every value is there, large ones in parts, and none of it steers the terminal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.canaries import CANARIES, NEVER_SHOWN
from workbench.app.widgets.json_outline import (
    CHUNK,
    CUT,
    LINE_CUT,
    MAX_LINES,
    JsonTwig,
    json_twig,
    json_twigs,
    text_twig,
)
from workbench.app.widgets.outline.twig import Twig

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=60)


def words(twig: Twig) -> str:
    return "".join(text for text, _ in twig.line)


def below(twig: Twig) -> list[Twig]:
    return list(twig.children()) if twig.children is not None else []


def leaves(twig: Twig) -> list[JsonTwig]:
    stack, found = [twig], list[JsonTwig]()
    while stack:
        one = stack.pop()
        if one.children is None:
            assert isinstance(one, JsonTwig)
            found.append(one)
        stack += reversed(below(one))
    return found


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({}, "{}"),
        ([], "[]"),
        ({"a": 1}, "{1}"),
        (list(range(1024)), "[1,024]"),
        ("text", '"text"'),
        ("two\nlines", "2 lines  two"),
        ("one\n", "1 line  one"),
        ("\n", "1 line"),
        ("\x1b]0;x\x07", '"\\u001b]0;x\\u0007"'),
        (None, "null"),
        (True, "true"),
        (2**63 + 1, "9223372036854775809"),
        (10**300, "1" + "0" * 300),
        (1.0, "1.0"),
        (1e400, "Infinity"),
        ("x" * 1_000, '"' + "x" * CUT + " … 1,000 characters, enter shows them"),
    ],
)
def test_a_value_on_its_line(value: Any, line: str) -> None:
    assert words(json_twig(value)) == line


def test_members_stand_under_their_keys_in_their_order() -> None:
    twigs = json_twigs({"b": [1, {"c": None}], "a b": "x", "": 2})
    assert [(twig.key, words(twig)) for twig in twigs] == [
        ("$.b", "b: [2]"),
        ('$["a b"]', '"a b": "x"'),
        ('$[""]', '"": 2'),
    ]
    assert [(twig.key, words(twig)) for twig in below(twigs[0])] == [("$.b[0]", "0: 1"), ("$.b[1]", "1: {1}")]


def test_what_is_large_stands_in_ranges_that_are_made_when_looked_at() -> None:
    twig = json_twig(list(range(1_000_000)))
    ranges = below(twig)
    assert len(ranges) == CHUNK
    assert words(ranges[0]) == "[0…9,999]"
    assert words(ranges[-1]) == "[990,000…999,999]"
    inner = below(ranges[3])
    assert words(inner[2]) == "[30,200…30,299]"
    assert [words(leaf) for leaf in below(inner[2])][:2] == ["30,200: 30200", "30,201: 30201"]
    assert below(inner[2])[0].key == "$[30200]"


def test_many_keys_stand_in_ranges_too() -> None:
    ranges = below(json_twig({f"k{number}": number for number in range(250)}))
    assert [words(one) for one in ranges] == ["k0 … k99  100 keys", "k100 … k199  100 keys", "k200 … k249  50 keys"]
    assert below(ranges[1])[0].key == "$.k100"


def test_a_text_that_its_line_does_not_show_whole_says_so() -> None:
    twigs = leaves(json_twig(["x", "x" * CUT, "x" * (CUT + 1)]))
    assert [leaf.whole for leaf in twigs] == [True, True, False]


def test_the_lines_of_a_text_stand_below_it_and_each_leads_to_the_whole() -> None:
    text = "\n".join(f"line {number}" for number in range(MAX_LINES + 5)) + "\n"
    found = leaves(json_twig({"log": text}))
    assert [words(leaf) for leaf in found[:2]] == ["line 0", "line 1"]
    assert words(found[-1]) == "… 5 more lines, enter shows them all"
    assert len(found) == MAX_LINES + 1
    assert {leaf.value for leaf in found} == {text}
    wide = leaves(text_twig("x" * 5_000, "$"))
    assert [words(leaf) for leaf in wide] == ["x" * LINE_CUT + " … 5,000 characters, enter shows them"]


@given(VALUES)
def test_every_value_is_there_once(value: Any) -> None:
    found: list[Any] = []
    stack = [value]
    while stack:
        one = stack.pop()
        members = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        if not members:
            found.append(one)
        stack += reversed(members)
    twigs = leaves(json_twig(value))
    assert len({leaf.key for leaf in twigs}) == len(twigs)
    once = [leaf.value for leaf in twigs if "\n" not in leaf.key or leaf.key.endswith("\n0")]
    assert once == found


@given(st.recursive(st.sampled_from(CANARIES), lambda inner: st.dictionaries(st.sampled_from(CANARIES), inner)))
def test_nothing_in_it_steers_the_terminal(value: Any) -> None:
    stack: list[Twig] = [json_twig(value)]
    while stack:
        twig = stack.pop()
        assert not NEVER_SHOWN & set(words(twig))
        stack += below(twig)

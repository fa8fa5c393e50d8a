"""What is JSON here, what is not and why, and what becomes of numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import (
    MAX_DEPTH,
    MAX_SAFE_INTEGER,
    canonical,
    check,
    normalise_numbers,
    parse,
    pretty,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def fault_of(text: str | bytes) -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        parse(text, what="the content")
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" \t\r\n[1, 1.0, true] ", [1, 1.0, True]),
        (b'{"\xc3\xa9": "\xf0\x9f\x98\x80"}', {"é": "😀"}),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\\ud800"', r"\ud800"),
        ('{"__proto__": 1, "/": null}', {"__proto__": 1, "/": None}),
        ('{"a": {"b": 1}, "b": {"b": 2}}', {"a": {"b": 1}, "b": {"b": 2}}),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        (f"1{'0' * 308}", 10**308),
        ('"NaN"', "NaN"),
        ('"[[[["', "[[[["),
    ],
)
def test_json_is_read_exactly(text: str | bytes, value: object) -> None:
    found = parse(text, what="the content")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ["not JSON: empty"]),
        (" \n", ["not JSON: empty"]),
        ('{"a": 1,}', ["not JSON", "line 1, column 9", "comma"]),
        ("{'a': 1}", ["not JSON", "line 1, column 2", "double quotes"]),
        ('{\n  "a": 1\n  "b": 2\n}', ["not JSON", "line 3, column 3"]),
        ("[1, // one\n2]", ["not JSON", "comments"]),
        ('{"a": 1} {}', ["not JSON", "exactly one value"]),
        ('{"a": "x\ny"}', ["not JSON", r"\n"]),
        ('{"a": [1, 2', ["not JSON", "ends too early"]),
        ("[01]", ["not JSON"]),
        ("[+1]", ["not JSON"]),
        ("\u00a0", ["not JSON"]),
        ("nul", ["not JSON"]),
        ("[}", ["not JSON"]),
        ("}{", ["not JSON"]),
        ("[NaN]", ["not JSON: NaN", "line 1, column 2"]),
        ('["-Infinity",\n -Infinity]', ["not JSON: -Infinity", "line 2, column 2"]),
        ('{"a": {"b": 1, "c": [{"b": 2}], "b": 3}}', ['"b" twice', "line 1, column 33"]),
        (r'{"a": 1, "\u0061": 2}', ['"a" twice', "line 1, column 10"]),
        ("[1e400]", ["beyond a double", "1e400"]),
        ("-1" + "0" * 309, ["beyond a double"]),
        ("1" * 5000, ["beyond a double", "5,000 characters"]),
        (r'["a", "x\ud800y"]', ["lone surrogate", "line 1, column 7"]),
        (r'{"\udc00": 1}', ["lone surrogate"]),
        ('"\ud800"', ["lone surrogate"]),
        ("\ufeff{}", ["byte order mark"]),
        (b"\xef\xbb\xbf{}", ["byte order mark"]),
        ('{"a": 1}'.encode("utf-16"), ["byte order mark"]),
        ('{"a": 1}'.encode("utf-16-le"), ["not UTF-8"]),
        ('{"a": 1}'.encode("utf-32-be"), ["not UTF-8"]),
        (b'"\xed\xa0\x80"', ["not UTF-8", "0xed", "offset 1"]),
        (b'"\xc0\xaf"', ["not UTF-8"]),
        (b'\n"\xff"', ["not UTF-8", "line 2"]),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(text: str | bytes, says: list[str]) -> None:
    fault = fault_of(text)
    assert fault.code == "bad_input"
    assert fault.message.startswith("the content")
    for words in says:
        assert words in fault.message


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_nesting_ends_at_the_limit_before_any_recursion(opening: str) -> None:
    closing = opening.replace('"a":', "")[::-1].translate({ord("["): "]", ord("{"): "}"})
    levels = len(closing)
    most = MAX_DEPTH // levels
    parse(opening * most + "1" + closing * most, what="it")
    fault = fault_of(opening * (most + 1) + "1" + closing * (most + 1))
    assert fault.code == "limit"
    assert "128 levels" in fault.message
    assert fault_of(opening * 100_000).code == "limit"


def test_a_megabyte_without_an_end_is_read_in_linear_time() -> None:
    assert fault_of('"' + "\\\\" * 500_000).code == "bad_input"
    assert fault_of("[" + '"\\"' * 300_000).code == "bad_input"


@given(VALUES)
def test_what_the_standard_writer_writes_is_read_back(value: Any) -> None:
    assert parse(json.dumps(value), what="it") == value
    assert parse(canonical(value).encode(), what="it") == value
    assert parse(pretty(value), what="it") == value


def outcome(text: str | bytes) -> str:
    try:
        parse(text, what="it")
    except HarnessError as fault:
        return fault.code
    return "read"


@given(st.text() | st.binary())
def test_any_text_and_any_bytes_are_read_or_refused(text: str | bytes) -> None:
    assert outcome(text) in {"read", "bad_input", "limit"}


def test_canonical_has_one_text_for_one_value() -> None:
    assert canonical({"b": [1, 1.5], "a": "é\u2028"}) == '{"a":"é\u2028","b":[1,1.5]}'
    assert canonical({"b": 1, "a": 2}) == canonical({"a": 2, "b": 1})
    assert pretty({"b": 1, "a": []}) == '{\n  "b": 1,\n  "a": []\n}'


def itself() -> list[Any]:
    value: list[Any] = []
    value.append({"a": value})
    return value


def shared() -> list[Any]:
    value: list[Any] = [1]
    for _ in range(MAX_DEPTH - 1):
        value = [value, value]
    return value


def deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = {"a": value} if level % 2 else [value]
    return value


@pytest.mark.parametrize(
    ("value", "code", "says"),
    [
        (itself(), "bad_input", "contains itself"),
        (shared(), "limit", "values"),
        (deep(MAX_DEPTH + 1), "limit", "128 levels"),
        (deep(50_000), "limit", "128 levels"),
        ({1: 2}, "bad_input", "a key is of type int"),
        ({"a": {None: 2}}, "bad_input", "a key is of type NoneType"),
        ((1, 2), "bad_input", "type tuple"),
        ({"a": {1, 2}}, "bad_input", "type set"),
        (b"x", "bad_input", "type bytes"),
        ([float("nan")], "bad_input", "NaN"),
        ([float("-inf")], "bad_input", "-Infinity"),
        ([10**400], "bad_input", "beyond a double"),
        ([10**5000], "bad_input", "beyond a double"),
        (["\ud800"], "bad_input", "lone surrogate"),
        ({"\udfff": 1}, "bad_input", "lone surrogate"),
    ],
)
def test_a_python_value_that_is_no_json_is_refused(value: object, code: str, says: str) -> None:
    with pytest.raises(HarnessError) as caught:
        check(value, what="the input")
    assert caught.value.code == code
    assert says in caught.value.message


@given(VALUES)
def test_json_values_pass_the_check(value: Any) -> None:
    check(value, what="it")


def test_a_value_at_the_limit_passes_and_shared_parts_are_no_cycle() -> None:
    check(deep(MAX_DEPTH), what="it")
    part: list[Any] = []
    check({"a": part, "b": [part, part]}, what="it")
    with pytest.raises(HarnessError):
        check([[1]], what="it", max_depth=1)


@pytest.mark.parametrize(
    ("written", "stored", "notes"),
    [
        ("1.0", 1, ()),
        ("1e3", 1000, ()),
        ("-0.0", 0, ()),
        ("-0", 0, ()),
        ("0.1", 0.1, ()),
        ("1e20", 1e20, ()),
        ("true", True, ()),
        (str(MAX_SAFE_INTEGER), MAX_SAFE_INTEGER, ()),
        (str(-MAX_SAFE_INTEGER), -MAX_SAFE_INTEGER, ()),
        (f"{MAX_SAFE_INTEGER}.0", MAX_SAFE_INTEGER, ()),
        ("9007199254740992", 2.0**53, ("9007199254740992 is stored as 9007199254740992.0",)),
        ("9223372036854775807", 2.0**63, ("9223372036854775807 is stored as 9223372036854775808.0",)),
        ("100000000000000000000000", 1e23, ("100000000000000000000000 is stored as 1e+23",)),
    ],
)
def test_numbers_are_stored_as_every_language_reads_them(written: str, stored: object, notes: tuple[str, ...]) -> None:
    value, told = normalise_numbers(parse(f'[{{"a": {written}}}]', what="it"))
    assert value == [{"a": stored}]
    assert isinstance(value, list)
    assert isinstance(value[0], dict)
    assert type(value[0]["a"]) is type(stored)
    assert told == notes


def test_many_notes_become_a_count() -> None:
    _, notes = normalise_numbers([2**60 + 1000 * step for step in range(100)])
    assert len(notes) == 21
    assert notes[-1] == "and 80 more numbers"


@given(VALUES)
def test_normalising_twice_changes_nothing_more(value: Any) -> None:
    once, _ = normalise_numbers(value)
    twice, notes = normalise_numbers(once)
    assert canonical(twice) == canonical(once)
    assert notes == ()

"""Keys that a schema does not name."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.space.schema import UnknownKey, unknown_keys
from workbench.harness.space.schema.unknown import MAX_KEYS

OPEN = {"type": "object", "properties": {"text": {"type": "string"}}}


def test_the_nearest_name_is_told() -> None:
    assert unknown_keys(OPEN, {"text": "a", "txet": "b"}) == (UnknownKey("txet", "$", "text"),)
    assert unknown_keys({**OPEN, "additionalProperties": False}, {"txet": "b"}) == (UnknownKey("txet", "$", "text"),)
    assert unknown_keys(OPEN, {"TEXT": "b", "colour": 1}) == (
        UnknownKey("TEXT", "$", "text"),
        UnknownKey("colour", "$", None),
    )


def found(schema: Any, instance: Any) -> list[tuple[str, str]]:
    return [(unknown.path, unknown.key) for unknown in unknown_keys(schema, instance)]


A = {"properties": {"a": {}}}
B = {"properties": {"b": {}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [A, B]},
        {"anyOf": [A, B]},
        {"oneOf": [A, B]},
        {"if": A, "then": B},
        {"if": True, "then": A, "else": B},
        {"dependentSchemas": {"a": B}, **A},
        {"$ref": "#/$defs/x", "$defs": {"x": {**A, "allOf": [{"$ref": "#/$defs/y"}]}, "y": B}},
        {"$ref": "#x", "$defs": {"x": {"$anchor": "x", "properties": {"a": {}, "b": {}}}}},
    ],
)
def test_names_are_found_in_branches_and_behind_references(schema: Any) -> None:
    assert found(schema, {"a": 1, "b": 2, "c": 3}) == [("$", "c")]


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"type": "object"},
        {"additionalProperties": {"type": "string"}},
        {**A, "additionalProperties": {"type": "string"}},
        {**A, "unevaluatedProperties": {"type": "string"}},
        {**A, "patternProperties": {"^x-": {}}},
        {"allOf": [A, {"additionalProperties": {}}]},
        {"not": A},
        {"$ref": "https://example.com/remote", **A},
    ],
)
def test_a_place_that_names_none_or_leaves_the_others_to_a_schema_reports_none(schema: Any) -> None:
    assert found(schema, {"z": 1}) == []


@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    [
        ({"properties": {"a": A}}, {"a": {"z": 1}}, [("$.a", "z")]),
        ({"items": A}, [{"a": 1}, {"z": 1}], [("$[1]", "z")]),
        ({"prefixItems": [A], "items": B}, [{"z": 1}, {"z": 1, "b": 2}], [("$[0]", "z"), ("$[1]", "z")]),
        (
            {"properties": {"list": {"items": {"properties": {"a": A}}}}},
            {"list": [{"a": {"y": 1}}]},
            [("$.list[0].a", "y")],
        ),
        ({"additionalProperties": A}, {"any": {"z": 1}}, [("$.any", "z")]),
        ({"patternProperties": {"^x": A}}, {"x1": {"z": 1}}, [("$.x1", "z")]),
        ({"properties": {"a": {"$ref": "#"}}}, {"a": {"a": {"z": 1}}}, [("$.a.a", "z")]),
        (
            {"allOf": [{"properties": {"o": A}}, {"properties": {"o": B}}]},
            {"o": {"a": 1, "b": 1, "z": 1}},
            [("$.o", "z")],
        ),
        ({"properties": {"a": {}}}, {"a": {"anything": 1}}, []),
        ({"properties": {"two words": A}}, {"two words": {"z": 1}}, [('$["two words"]', "z")]),
        (A, [1], []),
        (A, "text", []),
    ],
)
def test_nested_objects_and_arrays_are_entered(schema: Any, instance: Any, expected: list[tuple[str, str]]) -> None:
    assert found(schema, instance) == expected


def test_at_most_fifty_are_reported_and_keys_are_cut() -> None:
    assert len(unknown_keys(OPEN, {f"k{number}": 1 for number in range(1000)})) == MAX_KEYS
    (unknown,) = unknown_keys(OPEN, {"x" * 100_000: 1})
    assert len(unknown.key) == 200
    assert unknown.nearest is None


def nearest(key: str, names: list[str]) -> str | None:
    (unknown,) = unknown_keys({"properties": {name: {} for name in names}}, {key: 1})
    return unknown.nearest


def as_difflib_says(key: str, names: list[str]) -> str | None:
    folded = {name.casefold(): name for name in sorted(names)}
    close = get_close_matches(key.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


WORDS = st.text("abcdeXY_-é1", min_size=1, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=40, unique=True), WORDS)
def test_the_nearest_is_the_one_that_difflib_finds(names: list[str], key: str) -> None:
    if key not in names:
        assert nearest(key, names) == as_difflib_says(key, names)


VOCABULARY = [
    f"{first}_{second}"
    for first in ("max", "min", "user", "file", "start", "end", "page", "total", "output", "source", "timeout", "retry")
    for second in (
        "name",
        "id",
        "count",
        "size",
        "path",
        "offset",
        "limit",
        "time",
        "date",
        "kind",
        "text",
        "mode",
        "url",
    )
]


@given(st.sampled_from(VOCABULARY), st.data())
def test_an_ordinary_typo_among_many_names_finds_its_name(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 2))
    typo = data.draw(
        st.sampled_from(
            [
                name[:at] + name[at + 1] + name[at] + name[at + 2 :],  # swapped
                name[:at] + name[at + 1 :],  # left out
                name[:at] + name[at] + name[at:],  # doubled
                name[:at] + "x" + name[at + 1 :],  # another
                name.upper(),
                name.replace("_", ""),
                name.replace("_", "-"),
            ]
        )
    )
    if typo not in VOCABULARY:
        assert nearest(typo, VOCABULARY) == as_difflib_says(typo, VOCABULARY)


def test_long_names_are_compared_by_their_beginning() -> None:
    name = "a_very_long_name_of_a_parameter_that_somebody_generated_from_a_form" * 2
    assert nearest(name.replace("long", "logn"), [name, "other"]) == name

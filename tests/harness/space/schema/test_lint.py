"""What a provider refuses is said while the schema is written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.space.schema.lint import MAX_NOTES, provider_lint

CHOICE = {"type": "string", "enum": ["a", "b"], "oneOf": [{"const": "a"}, {"const": "b"}]}

BREAKS = [
    ({"type": "object", "required": None}, '$: "required" is null'),
    ({"properties": {"a": {"type": "string", "required": True}}}, '$.properties.a: "required" is true'),
    ({"properties": {"a": CHOICE}}, '$.properties.a: "type", "enum" and "oneOf" stand side by side'),
    ({"properties": {"a": {"items": CHOICE, "type": "array"}}}, "$.properties.a.items:"),
    ({"$defs": {"x": CHOICE}}, "$.$defs.x:"),
    ({"type": "object", "anyOf": [{"required": ["a"]}]}, '$: "anyOf" at the root'),
    ({"properties": {"a": {"type": "array"}}}, '$.properties.a: is an array without "items"'),
    ({"properties": {"two words": {}}}, '$: the property "two words" has a name'),
]

FINE: list[Any] = [
    {},
    {"type": "object"},
    {"properties": {"a": {"type": "string", "enum": ["a"]}, "b": {"oneOf": [{"const": "a"}]}}, "required": ["a"]},
    {"properties": {"required": {"type": "null"}, "enum": {"type": "array", "items": {}}}},
    {"properties": {"a": {"default": {"required": None}, "enum": [{"required": None}]}}},
    True,
    None,
    7,
    {"properties": [1]},
    {"properties": {"a": {"properties": {"two words": {}}}}},
]


@pytest.mark.parametrize(("schema", "begins"), BREAKS, ids=[begins for _, begins in BREAKS])
def test_what_breaks_a_provider_is_named_with_its_path(schema: Any, begins: str) -> None:
    (note,) = provider_lint(schema)
    assert note.startswith(begins)


@pytest.mark.parametrize("schema", FINE, ids=range(len(FINE)))
def test_other_schemas_are_left_alone(schema: Any) -> None:
    assert provider_lint(schema) == ()


def test_many_notes_end_with_that_there_are_more() -> None:
    schema = {"properties": {f"p{number}": {"required": None} for number in range(100)}}
    notes = provider_lint(schema)
    assert len(notes) == MAX_NOTES + 1
    assert notes[-1] == "and more of the same"


def test_a_deep_schema_costs_no_recursion() -> None:
    schema: Any = {"required": None}
    for _ in range(3000):
        schema = {"items": schema}
    assert provider_lint(schema)


KEYWORDS = ["type", "required", "enum", "oneOf", "anyOf", "items", "properties", "$defs", "dependencies", "not"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["array", "object"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
    )
)
def test_nothing_raises(junk: Any) -> None:
    assert all(isinstance(note, str) for note in provider_lint(junk))

"""Does an input match: the answers of the keywords, their words, and that they are jsonschema's answers."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import Problem, validate
from workbench.harness.space.schema.validator import MAX_PROBLEMS

CLOSED = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def told(schema: object, instance: object) -> list[tuple[str, str]]:
    return [(problem.path, problem.message) for problem in validate(schema, instance).errors]


def test_a_missing_property_is_told_at_its_own_path() -> None:
    assert told(CLOSED, {"txet": "a"}) == [
        ("$.text", "required property is missing"),
        ("$.txet", "is not allowed: the properties are text"),
    ]


@pytest.mark.parametrize(
    ("schema", "instance", "path", "says"),
    [
        ({"type": "integer"}, "5", "$", 'must be integer, is "5"'),
        ({"type": ["string", "null"]}, True, "$", "must be string or null, is true"),
        ({"type": "integer"}, True, "$", "must be integer"),
        ({"const": 1}, True, "$", "must be 1, is true"),
        ({"enum": ["red", "green"]}, "blue", "$", 'must be one of "red", "green", is "blue"'),
        ({"enum": [[1], {"a": 1}]}, [2], "$", "is an array of 1 item"),
        ({"minLength": 2}, "a", "$", "at least 2 characters"),
        ({"maxLength": 1}, "😀😀", "$", "at most 1 character, has 2"),
        ({"pattern": "^a"}, "b", "$", 'the pattern "^a"'),
        ({"minimum": 3}, 2, "$", "minimum of 3"),
        ({"exclusiveMaximum": 3}, 3, "$", "3"),
        ({"multipleOf": 0.01}, 19.995, "$", "a multiple of 0.01"),
        ({"minItems": 1}, [], "$", "at least 1 item, has 0"),
        ({"maxItems": 1}, [1, 2], "$", "at most 1 item, has 2"),
        ({"uniqueItems": True}, [{"a": 1}, 2, {"a": 1.0}], "$[2]", "repeats item 0"),
        ({"prefixItems": [{}], "items": False}, [1, 2], "$", "at most 1 item"),
        ({"items": {"type": "string"}}, ["a", 5], "$[1]", "must be string"),
        ({"contains": {"const": 1}}, [2], "$", "at least 1 item"),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], "$", "at most 1 item"),
        ({"properties": {"a b": {"properties": {"c": False}}}}, {"a b": {"c": 1}}, '$["a b"].c', "nothing is allowed"),
        ({"patternProperties": {"^x-": {"type": "string"}}}, {"x-a": 1}, "$.x-a", "must be string"),
        ({"additionalProperties": {"type": "string"}}, {"a": 1}, "$.a", "must be string"),
        (
            {"unevaluatedProperties": False, "allOf": [{"properties": {"a": {}}}]},
            {"a": 1, "b": 1},
            "$.b",
            "not allowed",
        ),
        ({"unevaluatedItems": False, "prefixItems": [{}]}, [1, 2], "$[1]", "nothing is allowed"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "$.ab", "no name for a property"),
        ({"minProperties": 1}, {}, "$", "at least 1 property, has 0"),
        ({"maxProperties": 0}, {"a": 1}, "$", "at most 0 properties, has 1"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "$.b", '"a" is given'),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, "$.b", "missing"),
        ({"not": {"type": "string"}}, "a", "$", "must not fit"),
        ({"oneOf": [{"type": "string"}, {"minLength": 1}]}, "ab", "$", "the forms 1, 2 of oneOf"),
        ({"if": {"type": "string"}, "then": {"minLength": 2}}, "a", "$", "at least 2 characters"),
    ],
)
def test_a_fault_is_told_with_its_place_and_in_words(schema: Any, instance: Any, path: str, says: str) -> None:
    ((found, message),) = told(schema, instance)
    assert found == path
    assert says in message


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"type": "integer"}, 1.0),
        ({"const": 1}, 1.0),
        ({"enum": [1]}, 1.0),
        ({"multipleOf": 0.01}, 19.99),
        ({"multipleOf": 1e-300}, 1e300),
        ({"uniqueItems": True}, [1, True, 0, False, "1", [1], [True], {"a": 1}, {"a": True}, None]),
        ({"format": "email"}, "no mail address"),
        ({"additionalProperties": False, "patternProperties": {"^x-": {}}}, {"x-a": 1}),
        ({"contains": {"const": 1}, "minContains": 0}, []),
        ({"required": ["a"]}, "no object"),
        (True, {"any": "thing"}),
        ({"pattern": "^\\d+$"}, "123"),
    ],
)
def test_what_matches(schema: Any, instance: Any) -> None:
    assert told(schema, instance) == []


def test_of_several_forms_the_closest_is_told() -> None:
    forms = [
        {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
        {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
        {"type": "string"},
    ]
    for keyword in ("anyOf", "oneOf"):
        assert told({keyword: forms}, {"kind": "square", "side": "long"}) == [
            ("$.side", f'must be number, is "long" (in form 2 of 3 of {keyword}, the closest)')
        ]
    assert told({"anyOf": [{"type": "string"}, {"const": 1}, {"type": "null"}]}, 5) == [
        ("$", "must be string or 1 or null, is 5")
    ]


def test_a_pattern_that_cannot_be_checked_is_no_error() -> None:
    verdict = validate({"properties": {"a": {"pattern": "(?<=x)y"}}}, {"a": "z"})
    assert verdict.ok
    (note,) = verdict.unchecked
    assert note.startswith('$.properties.a.pattern: the pattern "(?<=x)y" cannot be checked')


def test_properties_behind_an_unchecked_pattern_are_not_refused() -> None:
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        verdict = validate({"patternProperties": {"(?=x)": {"type": "string"}}, keyword: False}, {"x": 1})
        assert verdict.ok
        assert verdict.unchecked


def test_problems_are_ordered_by_place_and_bounded() -> None:
    errors = validate({"items": {"type": "string"}}, list(range(200))).errors
    assert len(errors) == MAX_PROBLEMS + 1
    assert [error.path for error in errors[:12]] == [f"$[{index}]" for index in range(12)]
    assert errors[-1] == Problem("$", "and 150 more errors")
    assert (
        validate({"items": {"type": "string"}}, list(range(5000))).errors[-1].message == "and at least 950 more errors"
    )


def test_a_message_never_repeats_a_long_value() -> None:
    long = "x" * 1_000_000
    for schema in (
        {"type": "null"},
        {"maxLength": 1},
        {"const": long + "y"},
        {"pattern": "y"},
        {"enum": [long + "y"] * 50},
    ):
        ((_, message),) = told(schema, long)
        assert len(message) <= 600
    ((path, message),) = told({"additionalProperties": False}, {long: 1})
    assert len(path) < 200


def test_the_order_of_keys_in_the_schema_does_not_show() -> None:
    other = {key: CLOSED[key] for key in reversed(CLOSED)}
    assert told(other, {"b": 1, "a": 2}) == told(CLOSED, {"a": 2, "b": 1})


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(HarnessError, match="a value of type set"):
        validate({}, {1, 2})
    with pytest.raises(HarnessError, match="the schema is not JSON"):
        validate({"const": float("nan")}, 1)

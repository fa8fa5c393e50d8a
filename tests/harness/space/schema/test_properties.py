"""What holds for every schema and every input: jsonschema's verdicts, and never anything but an answer or `limit`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import unknown_keys, validate
from workbench.harness.space.schema.soundness import faults_of, subschemas

NAMES = st.sampled_from(["a", "b", "c", "$ref", "a/b~"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, -0.5, 2.5])
    | st.sampled_from(["", "a", "ab"])
)
INSTANCES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
COUNTS = st.integers(0, 3) | st.sampled_from([1.0, 2.0])
TYPES = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])
REFERENCES = st.sampled_from(["#", "#/$defs/a", "#/$defs/b", "#here", "#/properties/a"])
PATTERNS = st.sampled_from(["^a", "b$", "a*"])


def _schema(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    many = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    names = st.lists(NAMES, max_size=2, unique=True)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "const": INSTANCES,
        "enum": st.lists(INSTANCES, max_size=3),
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.integers(-2, 2),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": COUNTS,
        "maxLength": COUNTS,
        "pattern": PATTERNS,
        "minItems": COUNTS,
        "maxItems": COUNTS,
        "uniqueItems": st.booleans(),
        "items": inner,
        "prefixItems": many,
        "contains": inner,
        "minContains": COUNTS,
        "maxContains": COUNTS,
        "unevaluatedItems": inner,
        "properties": named,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "additionalProperties": inner,
        "unevaluatedProperties": inner,
        "propertyNames": inner,
        "required": names,
        "minProperties": COUNTS,
        "maxProperties": COUNTS,
        "dependentRequired": st.dictionaries(NAMES, names, max_size=2),
        "dependentSchemas": named,
        "allOf": many,
        "anyOf": many,
        "oneOf": many,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "default": INSTANCES,
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), max_size=4, unique=True)
    return chosen.flatmap(lambda keys: st.fixed_dictionaries({key: keywords[key] for key in keys}))


SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.booleans() | TYPES.map(lambda name: {"type": name}), _schema, max_leaves=8
)
"""Sound schemas without references."""

LINKED: st.SearchStrategy[Any] = st.builds(
    lambda root, a, b, reference: {
        **root,
        "$defs": {"a": a, "b": {**b, "$ref": reference}},
        "anyOf": [{"$ref": "#/$defs/a"}],
    },
    SCHEMAS.filter(lambda schema: isinstance(schema, dict)),
    SCHEMAS,
    SCHEMAS.filter(lambda schema: isinstance(schema, dict)),
    REFERENCES,
)
"""Schemas with references, some of which lead nowhere or in a circle."""

_KEYWORDS = st.sampled_from(
    sorted(
        {"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef", "$ref", "$schema", "$vocabulary", "type"}
        | {"$defs", "definitions", "dependencies", "dependentRequired", "dependentSchemas", "properties", "required"}
        | {"patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "title"}
        | {"prefixItems", "contains", "minContains", "minItems", "uniqueItems", "unevaluatedItems", "contentSchema"}
        | {"allOf", "anyOf", "oneOf", "not", "if", "then", "const", "enum", "multipleOf", "exclusiveMinimum", "minimum"}
        | {"pattern", "maxLength", "format"}
    )
)
ARBITRARY: st.SearchStrategy[Any] = st.recursive(
    SCALARS | TYPES | REFERENCES | st.sampled_from(["(", "(?=a)", "http://[", "#%zz", "//x", "\x00"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(_KEYWORDS, inner, max_size=4)
        | st.dictionaries(NAMES, inner, max_size=2)
    ),
    max_leaves=20,
)
"""JSON made of the words of JSON Schema, sound only by chance."""


METASCHEMA = Draft202012Validator(Draft202012Validator.META_SCHEMA)


def sound_by_the_table(schema: Any) -> bool:
    waiting = [schema]
    while waiting:
        place = waiting.pop()
        if isinstance(place, bool):
            continue
        if not isinstance(place, dict) or any(True for _ in faults_of(place)):
            return False
        waiting.extend(child for keyword, value in place.items() for _, child in subschemas(keyword, value))
    return True


@given(SCHEMAS)
def test_the_table_passes_what_the_metaschema_passes(schema: Any) -> None:
    assert METASCHEMA.is_valid(schema)
    assert sound_by_the_table(schema)


@given(ARBITRARY)
def test_the_table_agrees_with_the_metaschema(schema: Any) -> None:
    assert sound_by_the_table(schema) == METASCHEMA.is_valid(schema)


@settings(max_examples=300)
@given(SCHEMAS, INSTANCES)
def test_the_verdict_is_that_of_jsonschema(schema: Any, instance: Any) -> None:
    assert validate(schema, instance).ok == Draft202012Validator(schema).is_valid(instance)


SAMPLE = Path(__file__).parents[3] / "data" / "catalog-sample.jsonl"
TOOLS = [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]


@settings(max_examples=20)
@pytest.mark.parametrize("tool", [pytest.param(tool, id=tool["name"]) for tool in TOOLS])
@given(data=st.data())
def test_the_verdict_on_real_tools_is_that_of_jsonschema(tool: dict[str, Any], data: st.DataObject) -> None:
    schema = {key: value for key, value in tool["inputSchema"].items() if key != "$schema"}
    required = {name: INSTANCES | st.just("text") for name in schema.get("required", ())}
    others = {name: INSTANCES for name in schema.get("properties", {}) if name not in required}
    instance = data.draw(st.fixed_dictionaries(required, optional={**others, "invented": INSTANCES}))
    verdict = validate(tool["inputSchema"], instance)
    assert verdict.ok == Draft202012Validator(schema).is_valid(instance)


def failures(schema: Any, instance: Any) -> list[str]:
    codes: list[str] = []
    for judge in (validate, unknown_keys):
        try:
            judge(schema, instance)
        except HarnessError as fault:
            codes.append(fault.code)
    return codes


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(ARBITRARY | LINKED, INSTANCES | ARBITRARY)
def test_nothing_but_limit_is_raised_whatever_comes(schema: Any, instance: Any) -> None:
    assert set(failures(schema, instance)) <= {"limit"}

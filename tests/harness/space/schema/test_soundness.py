"""Is a schema sound: the answers in words, and the table held to the draft's own metaschema."""

from __future__ import annotations

from typing import Any

import pytest

from tests.catalogue import catalogue
from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import check_schema
from workbench.harness.space.schema.compiled import MAX_PATTERNS


def refusal(schema: object, *, object_root: bool = False) -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        check_schema(schema, "input", object_root=object_root)
    return caught.value


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "objekt"}, "$.type: must be one of array, boolean, integer, null, number, object, string"),
        ({"required": None}, "$.required: must be a list of different texts, is null"),
        ({"required": ["a", "a"]}, "$.required"),
        ({"properties": {"a": {"required": True}}}, "$.properties.a.required"),
        ({"properties": {"two words": {"type": 5}}}, '$.properties["two words"].type'),
        ({"properties": []}, "$.properties: must be an object"),
        ({"items": [{"type": "string"}]}, "prefixItems"),
        ({"anyOf": []}, "$.anyOf: must be a list of at least one schema"),
        ({"allOf": [1]}, "$.allOf[0]: must be a schema"),
        ({"minLength": -1}, "$.minLength: must be an integer, 0 or more, is -1"),
        ({"minLength": 1.5}, "$.minLength"),
        ({"exclusiveMinimum": True}, "the bound itself"),
        ({"multipleOf": 0}, "$.multipleOf: must be a number over 0"),
        ({"enum": "a"}, "$.enum: must be a list"),
        ({"pattern": 5}, "$.pattern: must be a text"),
        ({"$id": "https://example.com/#part"}, "$.$id"),
        ({"$anchor": "1"}, "$.$anchor"),
        ({"not": {"if": {"then": {"else": "x"}}}}, "$.not.if.then.else"),
        ("text", "$: a schema is an object, true or false"),
    ],
)
def test_a_fault_is_told_with_its_place(schema: object, says: str) -> None:
    fault = refusal(schema)
    assert fault.code == "bad_input"
    assert fault.message.startswith("input is unsound")
    assert says in fault.message


@pytest.mark.parametrize("schema", [True, {"type": "array"}, {"type": ["object"]}, {"type": ["object", "null"]}])
def test_an_input_needs_an_object_root(schema: object) -> None:
    assert check_schema(schema, "output") == ()
    assert "object root" in refusal(schema, object_root=True).message


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"minLength": 1.0},
        {"const": None, "enum": [], "default": {"type": "objekt"}, "examples": [{"required": 5}]},
        {"x-unknown": {"type": "objekt"}, "title": "", "format": "no such format"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}, "$ref": "#/definitions/a"},
    ],
)
def test_sound_schemas(schema: object) -> None:
    assert check_schema(schema, "input", object_root=True) == ()


def test_what_cannot_be_checked_is_told() -> None:
    notes = check_schema({"properties": {"a": {"pattern": "(?=x)"}}, "dependencies": {"a": ["b"]}}, "input")
    assert notes[0] == "$.dependencies: is no keyword of draft 2020-12"
    assert notes[1].startswith('$.properties.a.pattern: the pattern "(?=x)" cannot be checked')


def test_a_schema_may_be_as_deep_as_a_document() -> None:
    schema: dict[str, Any] = {}
    for _ in range(127):
        schema = {"not": schema}
    assert check_schema(schema, "input") == ()
    assert refusal({"not": schema}).code == "limit"
    for _ in range(10_000):
        schema = {"not": schema}
    assert refusal(schema).code == "limit"


def test_many_faults_and_many_patterns_are_bounded() -> None:
    broken = {"properties": {f"p{number}": {"type": number} for number in range(10_000)}}
    assert len(refusal(broken).message) < 5000
    patterns = {"patternProperties": {f"a{number}": {} for number in range(MAX_PATTERNS + 1)}}
    assert "pattern too many" in refusal(patterns).message


def test_the_schemas_of_real_tools_are_sound() -> None:
    tools = catalogue()
    for tool in tools:
        assert check_schema(tool["inputSchema"], tool["name"], object_root=True) == ()
        if "outputSchema" in tool:
            check_schema(tool["outputSchema"], tool["name"])
    assert len(tools) >= 15

"""What each provider is sent of a contract, and the losses by name."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.agent.models.projection import ANTHROPIC, OPENAI, UNFIT_AT_THE_ROOT, Rules, legal_name, project

OBJECT = {"type": "object", "properties": {}}
each = pytest.mark.parametrize("rules", [OPENAI, ANTHROPIC], ids=lambda rules: rules.who)


def a_tool(schema: Any, name: str = "t") -> dict[str, Any]:
    return {"name": name, "description": "What it does", "input_schema": schema}


def sent(schema: Any, rules: Rules) -> tuple[Any, list[tuple[str, str]]]:
    """The schema that is sent, None for a tool that is left out, and the losses' places and keywords."""
    projection = project([a_tool(schema)], rules)
    losses = [(loss.path, loss.keyword) for loss in projection.losses]
    return (projection.tools[0]["input_schema"] if projection.tools else None), losses


@each
def test_a_schema_with_everything_deeper_down_is_the_very_same(rules: Rules) -> None:
    inner = {"oneOf": [{"$ref": "#/$defs/a"}, {"not": {"enum": [1.0]}}], "pattern": "^(?=x)", "x-own": None}
    schema = {
        "$defs": {"a": {"anyOf": [True, {"$ref": "#"}]}},
        "type": "object",
        "properties": {"b": inner, "a": {"type": "array"}},
        "if": {"required": ["a"]},
        "then": {"required": ["b"]},
        "dependentRequired": {"a": ["b"]},
        "$schema": "https://json-schema.org/draft/2020-12/schema",
    }
    tools = [a_tool(schema), a_tool(OBJECT, "u")]

    projection = project(tools, rules)

    assert projection.losses == ()
    assert [tool is given for tool, given in zip(projection.tools, tools, strict=True)] == [True, True]


@each
@pytest.mark.parametrize("keyword", UNFIT_AT_THE_ROOT)
def test_branches_at_the_root_are_left_out(rules: Rules, keyword: str) -> None:
    schema = {"type": "object", keyword: [{"required": ["a"]}], "properties": {"a": {keyword: []}}}

    assert sent(schema, rules) == ({"type": "object", "properties": {"a": {keyword: []}}}, [("", keyword)])


@each
@pytest.mark.parametrize(
    ("schema", "expected", "losses"),
    [
        (
            {"$ref": "#/$defs/in", "$defs": {"in": {"type": "object", "properties": {"a": {"$ref": "#/$defs/in"}}}}},
            {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/in"}},
                "$defs": {"in": {"type": "object", "properties": {"a": {"$ref": "#/$defs/in"}}}},
            },
            [],
        ),
        (
            {"title": "T", "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b%20~1"}, "b /": OBJECT}},
            {"title": "T", **OBJECT, "$defs": {"a": {"$ref": "#/$defs/b%20~1"}, "b /": OBJECT}},
            [],
        ),
        (
            {"$ref": "#/$defs/a", "description": "D", "$defs": {"a": {**OBJECT, "description": "E"}}},
            {**OBJECT, "description": "D", "$defs": {"a": {**OBJECT, "description": "E"}}},
            [("/$defs/a", "description")],
        ),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {**OBJECT, "anyOf": [{"required": ["a"]}]}}},
            {**OBJECT, "$defs": {"a": {**OBJECT, "anyOf": [{"required": ["a"]}]}}},
            [("", "anyOf")],
        ),
        ({"$ref": "#", **OBJECT}, OBJECT, [("", "$ref")]),
        ({"$ref": "https://example.org/s.json", **OBJECT}, OBJECT, [("", "$ref")]),
        ({"$ref": "#/$defs/none", **OBJECT}, OBJECT, [("", "$ref")]),
        ({"$ref": 7, **OBJECT}, OBJECT, [("", "$ref")]),
        (
            {"$ref": "#/$defs/a", **OBJECT, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            {**OBJECT, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            [("", "$ref")],
        ),
    ],
)
def test_a_reference_at_the_root_is_put_in_place(
    rules: Rules, schema: Any, expected: Any, losses: list[tuple[str, str]]
) -> None:
    found = sent(schema, rules)

    assert found == (expected, losses)
    assert json.dumps(found[0]) == json.dumps(expected)


@each
@pytest.mark.parametrize(
    ("schema", "expected", "losses"),
    [
        ({"properties": {}}, OBJECT, [("", "type")]),
        ({"properties": {}, "type": ["object", "null"]}, OBJECT, [("", "type")]),
        ({"type": "string"}, None, [("", "type")]),
        ({"type": ["string", "null"]}, None, [("", "type")]),
        (False, None, [("", "false")]),
    ],
)
def test_the_outermost_is_an_object(rules: Rules, schema: Any, expected: Any, losses: list[tuple[str, str]]) -> None:
    assert sent(schema, rules) == (expected, losses)


def test_openai_wants_the_word_properties() -> None:
    assert sent({"type": "object"}, OPENAI) == (OBJECT, [])
    assert sent({"type": "object"}, ANTHROPIC) == ({"type": "object"}, [])


def test_anthropic_takes_some_names_of_properties_only() -> None:
    properties = {"ok": {}, "für/wen": {}, "a" * 65: {}, "_.-9": {"properties": {"ü": {}}}, "": {}}
    schema = {"type": "object", "properties": properties, "required": ["ok", "für/wen"], "minProperties": 1}

    kept, losses = sent(schema, ANTHROPIC)

    fitting = {"ok": {}, "_.-9": {"properties": {"ü": {}}}}
    assert kept == {"type": "object", "properties": fitting, "required": ["ok"], "minProperties": 1}
    assert losses == [(f"/properties/{name}", "properties") for name in ("für~1wen", "a" * 65, "")]
    assert sent(schema, OPENAI) == (schema, [])


@pytest.mark.parametrize(
    ("name", "openai", "anthropic"),
    [("read", True, True), ("a" * 64, True, True), ("a" * 65, False, True), ("a" * 129, False, False)]
    + [(name, False, False) for name in ("a.b", "a b", "é", "", "a\n")],
)
def test_a_name_that_does_not_fit_leaves_the_tool_out(name: str, openai: bool, anthropic: bool) -> None:
    for rules, fits in ((OPENAI, openai), (ANTHROPIC, anthropic)):
        projection = project([a_tool(OBJECT, name)], rules)

        assert (len(projection.tools) == 1) is fits
        assert [(loss.tool, loss.keyword) for loss in projection.losses] == ([] if fits else [(name, "name")])


def test_openai_takes_the_first_128() -> None:
    tools = [a_tool(OBJECT, f"t{number}") for number in range(130)]

    projection = project(tools, OPENAI)

    assert projection.tools == tuple(tools[:128])
    assert [(loss.tool, loss.keyword) for loss in projection.losses] == [("t128", "tools"), ("t129", "tools")]
    assert "at most 128" in projection.losses[0].why
    assert len(project(tools, ANTHROPIC).tools) == 130


@each
@pytest.mark.parametrize("name", ["read", "no such töol", "", "x" * 300, "a\nb"])
def test_a_made_up_name_becomes_one_that_may_stand_in_a_call(rules: Rules, name: str) -> None:
    legal = legal_name(name, rules)

    assert rules.name.match(legal)
    assert (legal == name) is bool(rules.name.match(name))


KEYWORDS = st.sampled_from(
    ["type", "properties", "required", "$ref", "$defs", "pattern", "title", "enum", "x-own", *UNFIT_AT_THE_ROOT]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
    | st.sampled_from(["object", "#/$defs/a", "#/$defs/b", "#"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(KEYWORDS | st.sampled_from(["a", "b", "ü"]), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip
SCHEMAS = st.dictionaries(KEYWORDS, VALUES, max_size=6)


@each
@given(schemas=st.lists(SCHEMAS, max_size=4))
def test_what_was_projected_fits_and_loses_nothing_more(rules: Rules, schemas: list[Any]) -> None:
    tools = [a_tool(schema, f"t{number}") for number, schema in enumerate(schemas)]
    given_first = copy.deepcopy(tools)

    once = project(tools, rules)
    twice = project(once.tools, rules)

    assert tools == given_first
    assert project(tools, rules) == once
    assert twice.losses == ()
    assert json.dumps(twice.tools) == json.dumps(once.tools)
    for tool in once.tools:
        root = tool["input_schema"]
        assert root["type"] == "object"
        assert not {"$ref", *UNFIT_AT_THE_ROOT} & set(root)


@each
@given(schema=SCHEMAS)
def test_every_difference_has_a_loss_and_none_is_deeper_down(rules: Rules, schema: dict[str, Any]) -> None:
    projection = project([a_tool(schema)], rules)
    named = {loss.keyword for loss in projection.losses}
    if not projection.tools:
        assert named
        return
    root = projection.tools[0]["input_schema"]

    for key, value in schema.items():
        if key == "$ref" or key in named:
            continue
        assert json.dumps(root[key]) == json.dumps(value)
    if "$ref" not in schema:
        assert set(root) - set(schema) <= named | {"properties"}

"""Schemas as trees: what stands on each line, what is below it, and that no schema breaks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.catalogue import catalogue
from workbench.app.tools.contract.schema_tree import schema_twigs, type_words
from workbench.app.widgets.outline.twig import Twig


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"enum": ["a", 1, None]}, '"a" | 1 | null'),
        ({"enum": list(range(20))}, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | … 8 more"),
        ({"const": 3}, "3"),
        ({"type": "array", "items": {"type": "integer"}}, "array of integer"),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, "string | number"),
        ({"allOf": [{"type": "string"}, {"$ref": "#/$defs/A"}]}, "string & A"),
        ({"$ref": "#/$defs/Place"}, "Place"),
        (True, "anything"),
        (False, "nothing"),
        ({}, "anything"),
        (7, "?"),
        ({"properties": {}}, "object"),
    ],
)
def test_what_a_value_may_be_in_words(schema: Any, words: str) -> None:
    assert type_words(schema) == words


def told(twigs: Sequence[Twig], depth: int = 0, deepest: int = 4) -> list[str]:
    """The tree as indented lines, unfolded."""
    lines: list[str] = []
    for twig in twigs:
        lines.append("  " * depth + "".join(text for text, _ in twig.line).rstrip())
        lines += ["  " * (depth + 1) + "".join(text for text, _ in line) for line in twig.rest]
        if twig.children is not None and depth < deepest:
            lines += told(twig.children(), depth + 1, deepest)
    return lines


@pytest.mark.parametrize(
    ("schema", "lines"),
    [
        (
            {
                "properties": {
                    "a": {
                        "description": "Where.",
                        "properties": {"b": {"type": "integer", "minimum": 1}},
                        "required": ["b"],
                    },
                    "c": {"type": "boolean", "default": False},
                },
                "additionalProperties": False,
            },
            ["a  object", "  Where.", "  b*  integer  minimum 1", "c  boolean  default false", "other keys  nothing"],
        ),
        ({"required": ["ghost"]}, ["ghost*  anything"]),
        (
            {"properties": {"at": {"$ref": "#/properties/to"}, "to": {"properties": {"x": {"type": "number"}}}}},
            ["at  to", "  x  number", "to  object", "  x  number"],
        ),
        ({"properties": {"a": {"$ref": "#here"}}, "$defs": {"h": {"$anchor": "here", "type": "null"}}}, ["a  #here"]),
        (
            {"properties": {"a": {"$ref": "https://elsewhere.example/x"}}},
            [
                "a  x",
                '  ✗ "https://elsewhere.example/x" is a remote reference, and nothing is fetched: put that schema '
                'under "$defs" and refer to it as "#/$defs/NAME"',
            ],
        ),
        (
            {"properties": {"rows": {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}}},
            ["rows  array of object", "  id  string"],
        ),
        (
            {"oneOf": [{"properties": {"a": {"const": 1}}}, {"type": "string"}]},
            ["one of, 1 of 2  object", "  a  1", "one of, 2 of 2  string"],
        ),
        ({"properties": {"a": {"x-hint": [1]}}}, ["a  anything", "  x-hint [1]"]),
        ({"properties": {"a/b": {}, "a": {"properties": {"b": {}}}}}, ["a/b  anything", "a  object", "  b  anything"]),
        ({"type": "object"}, []),
        (False, []),
    ],
)
def test_everything_a_schema_says_stands_in_the_tree(schema: Any, lines: list[str]) -> None:
    assert told(schema_twigs("in", schema)) == lines


def test_circles_unfold_a_level_at_a_time() -> None:
    node = {"properties": {"next": {"$ref": "#/$defs/Node"}}}
    twigs = schema_twigs("in", {"$ref": "#/$defs/Node", "$defs": {"Node": node}})
    for _ in range(50):
        assert twigs[0].line[0] == ("next", "key")
        assert twigs[0].children is not None
        twigs = twigs[0].children()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"properties": {"a": {"type": "array", "items": {"$ref": "#"}}}},
    ],
)
def test_references_to_themselves_end(schema: Any) -> None:
    told(schema_twigs("in", schema))


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "$ref", "required", "enum", "default", "$defs", "x", "not"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(any_json)
def test_any_json_at_all_is_told(schema: Any) -> None:
    told(schema_twigs("in", schema))


def test_the_keys_of_every_real_contract_are_unique() -> None:
    for tool in catalogue():
        keys = _keys(schema_twigs("in", tool["inputSchema"]), 4)
        assert len(keys) == len(set(keys)), tool["name"]


def _keys(twigs: Sequence[Twig], deepest: int) -> list[str]:
    below = [key for twig in twigs if twig.children and deepest for key in _keys(twig.children(), deepest - 1)]
    return [twig.key for twig in twigs] + below

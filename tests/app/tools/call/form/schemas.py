"""Schemas and values for the tests of the form: made at random, large, and as wrong as they come."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "c", "kind", "two words", "ünï", "$ref", "[/]", "\x1b[31m", ""])

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(blacklist_categories=["Cs"]), max_size=8)
    | st.sampled_from(["", "null", "1", "a\nb", "\x1b[0m", "\u2028", 1.0, 1, -0.0, 10**20])
)

VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)
"""Any JSON."""


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, max_size=4)},
        optional={
            "required": st.lists(NAMES, max_size=3, unique=True),
            "additionalProperties": st.booleans() | inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "d$", "(?=x)"]), inner, max_size=2),
            "default": VALUES,
            "if": inner,
        },
    )


def _wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    return (
        _objects(inner)
        | st.fixed_dictionaries({"type": st.just("array")}, optional={"items": inner, "prefixItems": several})
        | st.fixed_dictionaries({"anyOf": several}, optional={"default": VALUES, "type": st.just(["object", "null"])})
        | st.fixed_dictionaries({"oneOf": several})
        | st.fixed_dictionaries({"allOf": several})
    )


SCHEMAS = st.recursive(
    st.sampled_from(
        [
            True,
            False,
            {},
            {"type": "string"},
            {"type": "integer", "minimum": 1},
            {"type": "number"},
            {"type": "boolean", "default": True},
            {"type": "null"},
            {"type": ["string", "null"]},
            {"type": ["integer", "string"]},
            {"enum": ["a", 1, 1.0, None, {"x": [1]}]},
            {"const": {"k": 1}},
            {"$ref": "#"},
            {"$ref": "#/properties/a"},
            {"$ref": "#/nowhere"},
            {"type": "array"},
            {"type": "object"},
        ]
    ),
    _wider,
    max_leaves=10,
)
"""Schemas of every kind that the form draws, and of some that it does not."""

JUNK_KEYWORDS = [
    "type", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "enum", "const",
    "default", "$ref", "$id", "$anchor", "additionalProperties", "patternProperties", "minimum", "maxLength",
    "format", "title", "description", "examples", "pattern", "if", "propertyNames", "contentMediaType", "minItems",
]  # fmt: skip

JUNK = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(JUNK_KEYWORDS),
            inner | st.sampled_from(["object", "array", "string", "#", "#/properties", "#x"]),
            max_size=5,
        )
    ),
    max_leaves=14,
)
"""What stands where a schema should."""


def large_schema(size: int = 44 * 1024) -> dict[str, Any]:
    """A schema of at least so many bytes, with everything in it that real ones have."""
    properties: dict[str, Any] = {}
    number = 0
    length = 0
    while length < size:
        number += 1
        block = {
            f"name_{number}": {"type": "string", "minLength": 1, "description": f"What number {number} is called."},
            f"count_{number}": {"type": "integer", "minimum": 0, "maximum": 100, "default": number % 7},
            f"mode_{number}": {"enum": ["fast", "slow", "none"], "default": "slow"},
            f"note_{number}": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            f"place_{number}": {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "label": {"$ref": "#/$defs/label"}},
                "required": ["x", "y"],
            },
            f"tags_{number}": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
        }
        properties |= block
        length += len(str(block))
    return {
        "type": "object",
        "properties": properties,
        "required": ["name_1", "place_1"],
        "$defs": {"label": {"type": "string", "maxLength": 20}},
    }


def deep_schema(levels: int = 100) -> dict[str, Any]:
    """Objects inside each other, all required."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}, "required": ["in"]}
    return schema

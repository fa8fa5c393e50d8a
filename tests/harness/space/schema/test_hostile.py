"""Schemas and inputs that mean harm: the answer is a verdict or `limit`, and it comes soon."""

from __future__ import annotations

import time
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import unknown_keys, validate

SOON = 10.0
"""Seconds: very much longer than any of these takes, very much shorter than what they take unbounded."""


def outcome(schema: object, instance: object) -> str:
    begin = time.monotonic()
    try:
        answer = "ok" if validate(schema, instance).ok else "errors"
    except HarnessError as fault:
        answer = fault.code
    assert time.monotonic() - begin < SOON
    return answer


def reported(schema: object, instance: object) -> int:
    begin = time.monotonic()
    try:
        count = len(unknown_keys(schema, instance))
    except HarnessError as fault:
        count = 0 if fault.code == "limit" else -1
    assert time.monotonic() - begin < SOON
    return count


def doubling(keyword: str, depth: int = 40) -> dict[str, Any]:
    """Two references to the next level in each level: 2^depth ways to the last."""
    levels = {
        f"d{level}": {keyword: [{"$ref": f"#/$defs/d{level + 1}"}, {"$ref": f"#/$defs/d{level + 1}"}]}
        for level in range(depth)
    }
    return {"$ref": "#/$defs/d0", "$defs": levels | {f"d{depth}": {"type": "string"}}}


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


MANY: list[Any] = [{"number": number} for number in range(100_000)]


@pytest.mark.parametrize(
    ("schema", "instance", "answer"),
    [
        pytest.param(doubling("anyOf"), 1, "limit", id="exponential anyOf"),
        pytest.param(doubling("anyOf"), "a", "ok", id="exponential anyOf that fits at once"),
        pytest.param(doubling("allOf"), "a", "limit", id="exponential allOf"),
        pytest.param(doubling("oneOf"), 1, "limit", id="exponential oneOf"),
        pytest.param({"unevaluatedProperties": False, **doubling("anyOf")}, {"a": 1}, "limit", id="unevaluated"),
        pytest.param({"$ref": "#"}, 1, "limit", id="itself"),
        pytest.param({"$dynamicRef": "#x", "$dynamicAnchor": "x"}, 1, "limit", id="itself, dynamically"),
        pytest.param({"not": {"$ref": "#"}}, 1, "limit", id="the liar"),
        pytest.param(
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            1,
            "limit",
            id="a circle",
        ),
        pytest.param({"if": {"$ref": "#"}, "unevaluatedItems": False}, [1], "limit", id="if itself"),
        pytest.param({"pattern": "^(a+)+$"}, "a" * 100_000 + "b", "errors", id="ReDoS"),
        pytest.param(
            {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
            {"a" * 50_000 + "b": 1},
            "errors",
            id="ReDoS in a name",
        ),
        pytest.param({"pattern": "((a|b){30}){30}c"}, "ab" * 500_000, "limit", id="a large automaton"),
        pytest.param({"uniqueItems": True}, MANY, "ok", id="100,000 different objects"),
        pytest.param({"uniqueItems": True}, [*MANY, {"number": 5.0}], "errors", id="100,000 and one again"),
        pytest.param({"uniqueItems": True}, [number * (2**61 - 1) for number in range(50_000)], "ok", id="one hash"),
        pytest.param({"items": {"enum": list(range(1000))}}, list(range(1000)) * 20, "ok", id="a wide enum"),
        pytest.param({"items": {"anyOf": [{"type": "string"}] * 1000}}, MANY, "limit", id="a wide anyOf"),
        pytest.param({"items": {"required": [f"r{n}" for n in range(10_000)]}}, MANY, "errors", id="much required"),
        pytest.param({"anyOf": [{"const": "x" * 1000}] * 500}, "y" * 4_000_000, "errors", id="a long text many times"),
        pytest.param({"properties": {"a": {"$ref": "#"}}}, nested(128), "ok", id="as deep as allowed"),
        pytest.param({}, nested(129), "limit", id="too deep"),
        pytest.param({}, nested(100_000), "limit", id="far too deep"),
        pytest.param(nested(129), {}, "limit", id="too deep a schema"),
        pytest.param({"$schema": 5, "$id": [], "$ref": {}}, 1, "errors", id="no schema"),
        pytest.param({"$id": "http://[", "properties": {"a": {"$ref": "#"}}}, {"a": {}}, "ok", id="an odd id"),
    ],
)
def test_the_answer_comes_and_is_bounded(schema: Any, instance: Any, answer: str) -> None:
    assert outcome(schema, instance) == answer
    assert 0 <= reported(schema, instance) <= 50


def test_a_recursive_form_takes_an_input_of_128_levels() -> None:
    tree = {
        "$ref": "#/$defs/v",
        "$defs": {
            "v": {"anyOf": [{"type": "integer"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/v"}}]}
        },
    }
    assert outcome(tree, nested(128)) == "ok"

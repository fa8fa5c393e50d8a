"""Schemas and inputs that mean harm: the answer is a verdict or `limit`, and it takes a bounded amount of work.

Work is counted in function calls, which no machine makes fewer of; what hangs in one is for the suite's timeout.
"""

from __future__ import annotations

import cProfile
import random
from collections.abc import Callable
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import nearest, unknown, unknown_keys, validate, walker
from workbench.harness.strict_json import canonical, check

CALLS_PER_STEP = 20
"""Function calls that a counted step stands for, at most."""

SEARCH = (unknown.MAX_STEPS + nearest.MAX_STEPS) * CALLS_PER_STEP
"""Function calls of one search for unknown keys, at most."""


def calls(act: Callable[[], object]) -> int:
    """How many function calls it takes, built-in functions included."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        act()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def reading(schema: object, instance: object) -> int:
    """Function calls that it takes to see that both are JSON: they grow with the size, as they must."""

    def read() -> None:
        for value in (schema, instance):
            try:
                check(value, what="a value")
                canonical(value)
            except HarnessError:
                return

    return calls(read)


def outcome(schema: object, instance: object) -> str:
    try:
        return "ok" if validate(schema, instance).ok else "errors"
    except HarnessError as fault:
        return fault.code


def reported(schema: object, instance: object) -> int:
    try:
        return len(unknown_keys(schema, instance))
    except HarnessError as fault:
        return 0 if fault.code == "limit" else -1


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
    read = reading(schema, instance)
    assert calls(lambda: outcome(schema, instance)) <= walker.MAX_STEPS * CALLS_PER_STEP + read
    assert 0 <= reported(schema, instance) <= unknown.MAX_KEYS
    assert calls(lambda: reported(schema, instance)) <= SEARCH + read


def test_a_recursive_form_takes_an_input_of_128_levels() -> None:
    tree = {
        "$ref": "#/$defs/v",
        "$defs": {
            "v": {"anyOf": [{"type": "integer"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/v"}}]}
        },
    }
    assert outcome(tree, nested(128)) == "ok"


DICE = random.Random(7)


def letters(length: int) -> str:
    return "".join(DICE.choices("ab", k=length))


def shuffled() -> str:
    return "".join(DICE.sample("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 62))


def names(*texts: str) -> dict[str, Any]:
    return {"properties": {text: {} for text in texts}}


def keys(*texts: str) -> dict[str, Any]:
    return {text: {} for text in texts}


NUMBERS = range(100_000)
BIG = {"$defs": {"big": names(*(f"q{number}" for number in range(20_000)))}}
TO_BIG = {"properties": {f"p{number}": {"$ref": "#/$defs/big"} for number in range(10_000)}}


@pytest.mark.parametrize(
    ("schema", "instance", "count"),
    [
        pytest.param(names(*(letters(199) for _ in range(300))), keys(*(letters(199) for _ in range(5))), 5, id="long"),
        pytest.param(
            names(*(letters(64) for _ in NUMBERS[:300])), keys(*(letters(64) for _ in NUMBERS[:50])), 50, id="alike"
        ),
        pytest.param(
            names(*(f"{letters(8)}{n}" for n in range(300))),
            keys(*(f"{letters(8)}x{n}" for n in range(2000))),
            50,
            id="short",
        ),
        pytest.param(
            names(*(shuffled() for _ in range(300))), keys(*(shuffled() for _ in range(2000))), 50, id="anagrams"
        ),
        pytest.param(
            names(*("a" * n for n in range(1, 300))), keys(*("a" * n + "b" for n in range(200))), 50, id="one letter"
        ),
        pytest.param(
            names(*(f"n{n}" for n in range(50_000))), keys(*(f"m{n}" for n in NUMBERS)), 50, id="wide on both sides"
        ),
        pytest.param(names("text"), keys(*(f"k{n}" for n in NUMBERS)), 50, id="4 MiB of keys"),
        pytest.param({"items": names("text")}, [{"txet": 1}] * 30_000, 50, id="the same key again and again"),
        pytest.param({"allOf": [{"items": {}}] * 50_000}, [{}] * 100_000, 0, id="many schemas of items"),
        pytest.param({"allOf": [{"prefixItems": [{}]}] * 30_000}, [{}] * 100_000, 0, id="many prefixes"),
        pytest.param({**TO_BIG, **BIG}, {f"p{n}": {} for n in range(10_000)}, 0, id="many ways to a wide place"),
        pytest.param(
            {**TO_BIG, "$defs": {"big": {"allOf": [True] * 100_000}}},
            {f"p{n}": {} for n in range(10_000)},
            0,
            id="many ways to many branches",
        ),
        pytest.param(
            {"patternProperties": {"((a|b){30}){30}c": {}}}, {"ab" * 2_000_000: {}}, 0, id="a large automaton"
        ),
    ],
)
def test_unknown_keys_are_told_with_bounded_work(schema: Any, instance: Any, count: int) -> None:
    reported(schema, {})  # the schema is read
    assert reported(schema, instance) == count
    assert calls(lambda: reported(schema, instance)) <= SEARCH + reading(schema, instance)


def test_one_large_input_names_the_first_keys_that_resemble_something() -> None:
    found = unknown_keys(names("text", "colour"), {"txet": 1, "color": 1, **dict.fromkeys(map(str, NUMBERS), 1)})
    assert [(one.key, one.nearest) for one in found[:3]] == [
        ("txet", "text"),
        ("color", "colour"),
        ("0", None),
    ]


def test_items_of_many_branches_are_judged_in_bounded_work() -> None:
    branches = [{"$ref": "#/$defs/long"}] * 10_000
    schema = {"allOf": branches, "unevaluatedItems": False, "$defs": {"long": {"prefixItems": [True] * 20_000}}}
    assert outcome(schema, [1] * 20_000) == "limit"

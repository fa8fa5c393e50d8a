"""What the other keywords of a schema have already judged, for `unevaluatedProperties` and `unevaluatedItems`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.space.schema.soundness import Step
from workbench.harness.space.schema.walker import Walker, too_deep
from workbench.harness.strict_json import Json

MAX_NESTING = 200
"""Branches inside branches that are followed; over it the check ends with `limit`."""


def judged(walker: Walker, instance: dict[str, Json] | list[Json], schema: dict[str, Json]) -> set[Step] | None:
    """What of an object (names of properties) or a list (positions of items) a keyword beside or in a matching branch
    judges; None: all of it."""
    if isinstance(instance, dict):
        unevaluated, rest = "unevaluatedProperties", "additionalProperties"
    else:
        unevaluated, rest = "unevaluatedItems", "items"
    found: set[Step] = set()
    for place in _places(walker, instance, schema):
        if rest in place or (unevaluated in place and place is not schema):
            return None
        here = _names(walker, instance, place) if isinstance(instance, dict) else _positions(walker, instance, place)
        if here is None:
            return None
        found.update(here)
    return found


def _names(walker: Walker, instance: dict[str, Json], place: dict[str, Json]) -> Iterable[str] | None:
    judged: set[str] = set()
    named = place.get("properties")
    if isinstance(named, dict):
        walker.spend(len(instance))
        judged.update(name for name in instance if name in named)
    patterns = place.get("patternProperties")
    if isinstance(patterns, dict):
        for pattern in patterns:
            program = compile_pattern(pattern)
            if isinstance(program, Unsupported):
                return None
            for name in instance:
                walker.spend(program.cost(name))
                if program.found_in(name):
                    judged.add(name)
    return judged


def _positions(walker: Walker, instance: list[Json], place: dict[str, Json]) -> Iterable[int]:
    judged: set[int] = set()
    prefix = place.get("prefixItems")
    if isinstance(prefix, list):
        first = min(len(prefix), len(instance))
        walker.spend(first // 8)
        judged.update(range(first))
    if "contains" in place:
        contained = place["contains"]
        judged.update(index for index, item in enumerate(instance) if walker.matches(item, contained))
    return judged


def _places(walker: Walker, instance: Json, schema: dict[str, Json], level: int = 0) -> Iterator[dict[str, Json]]:
    """The schema and the branches of it that apply to this very value, all the way down."""
    walker.spend()
    if level > MAX_NESTING:
        raise too_deep()
    yield schema
    for branch in _branches(walker, instance, schema):
        if isinstance(branch, dict):
            yield from _places(walker, instance, branch, level + 1)


def _branches(walker: Walker, instance: Json, schema: dict[str, Json]) -> Iterator[Json]:
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            yield walker.compiled.target(schema, keyword)
    every = schema.get("allOf")
    if isinstance(every, list):
        yield from every
    for keyword in ("anyOf", "oneOf"):
        some = schema.get(keyword)
        if isinstance(some, list):
            yield from (branch for branch in some if walker.matches(instance, branch))
    if "if" in schema:
        if walker.matches(instance, schema["if"]):
            yield schema["if"]
            yield schema.get("then")
        else:
            yield schema.get("else")
    dependent = schema.get("dependentSchemas")
    if isinstance(dependent, dict) and isinstance(instance, dict):
        yield from (branch for name, branch in dependent.items() if name in instance)

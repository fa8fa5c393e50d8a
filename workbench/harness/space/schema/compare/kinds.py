"""Kinds of values, and the values that a schema lists."""

from __future__ import annotations

from typing import cast

from workbench.harness.strict_json import Json

KINDS = ("null", "boolean", "integer", "fraction", "string", "array", "object")
"""The kinds of values; a fraction is a number that is no integer."""

ALL_KINDS = frozenset(KINDS)


def kind_of(value: Json) -> str:
    """The kind of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "fraction"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def kinds_of_type(plain: dict[str, Json]) -> frozenset[str]:
    """The kinds of values that `type` alone allows."""
    return kinds_named(plain["type"]) if "type" in plain else ALL_KINDS


def kinds_named(types: Json) -> frozenset[str]:
    """The kinds of values that the value of a `type` allows."""
    names = frozenset(map(str, types if isinstance(types, list) else [types]))
    return (names - {"number"}) | (frozenset({"integer", "fraction"}) if "number" in names else frozenset[str]())


def listed_values(plain: dict[str, Json]) -> list[list[Json]]:
    """The values that `const` and `enum` allow, each on its own."""
    found: list[list[Json]] = []
    if "const" in plain:
        found.append([plain["const"]])
    if isinstance(plain.get("enum"), list):
        found.append(cast("list[Json]", plain["enum"]))
    return found

"""Bringing the keywords of two schemas that must both fit into one, where that changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from workbench.harness.space.schema.values import identity
from workbench.harness.strict_json import Json

Plain = dict[str, Json]
Both = Callable[[Json, Json], Json]

_GROUPS = (
    frozenset({"additionalProperties", "properties", "patternProperties"}),
    frozenset({"items", "prefixItems"}),
    frozenset({"contains", "minContains", "maxContains"}),
)
_HIGHEST = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_LOWEST = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


def merged(first: Mapping[str, Json], second: Mapping[str, Json], both: Both) -> Plain | None:
    """The keywords of both, or None where they cannot be said in one schema. `both` makes one place of two."""
    if not first or not second:
        return {**first, **second}
    if any(_shared(group, first, second) for group in _GROUPS):
        return None
    result: Plain = {**first}
    for keyword, value in second.items():
        if keyword not in result:
            result[keyword] = value
            continue
        joined = _joined(keyword, result[keyword], value, both)
        if joined is None:
            return None
        result[keyword] = joined[0]
    return result


def _shared(group: frozenset[str], first: Mapping[str, Json], second: Mapping[str, Json]) -> bool:
    """Whether both hold keywords of a group that belongs together, in a way that only one place may."""
    if group.isdisjoint(first) or group.isdisjoint(second):
        return False
    if "additionalProperties" in group:
        return "additionalProperties" in first or "additionalProperties" in second
    return True


def _joined(keyword: str, first: Json, second: Json, both: Both) -> tuple[Json] | None:
    if keyword in _HIGHEST | _LOWEST:
        numbers = (cast("float", first), cast("float", second))
        return (max(numbers) if keyword in _HIGHEST else min(numbers),)
    if keyword == "type":
        return (_types(first, second),)
    if keyword == "required" and isinstance(first, list) and isinstance(second, list):
        return (list(dict.fromkeys([*first, *second])),)
    if keyword in {"properties", "patternProperties"} and isinstance(first, dict) and isinstance(second, dict):
        return (
            {**first, **{name: both(first[name], place) if name in first else place for name, place in second.items()}},
        )
    if keyword == "uniqueItems":
        return (first is True or second is True,)
    scalar = not isinstance(first, (dict, list)) or keyword in {"enum", "const"}
    return (first,) if scalar and identity(first) == identity(second) else None


def _types(first: Json, second: Json) -> Json:
    """The types that both allow; an integer is a number."""
    one, other = (set(map(str, each if isinstance(each, list) else [each])) for each in (first, second))
    common = one & other
    numbers = {"integer", "number"}
    if "number" not in common and one & numbers and other & numbers:
        common |= {"integer"}
    return [*sorted(common)]

"""Is a schema sound under draft 2020-12: which keyword holds what.

The table says what the draft's metaschema says. It is read without recursion and in a time that follows the size of
the schema; running the metaschema itself takes fifty times as long and cannot go 128 levels deep. A test holds the
table to jsonschema's own verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from workbench.harness.space.schema.values import show
from workbench.harness.strict_json import Json

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
"""The types of JSON Schema."""

Step = str | int
Check = Callable[[Json], str | None]
"""Answers what a keyword's value must be, or None when it is that."""

_ANCHOR = re.compile(r"[A-Za-z_][-A-Za-z0-9._]*\Z")


def faults_of(place: dict[str, Json]) -> Iterator[tuple[tuple[Step, ...], str]]:
    """What is wrong with the keywords of one schema object, as (steps from it, message). Subschemas are not entered."""
    for keyword, value in place.items():
        check = _CHECKS.get(keyword)
        if check is None:
            continue
        wanted = check(value)
        if wanted is not None:
            yield (keyword,), f"must be {wanted}, is {show(value)}{_advice(keyword, value)}"
            continue
        for steps, child in subschemas(keyword, value):
            if not isinstance(child, (dict, bool)):
                yield steps, f"must be a schema (an object, true or false), is {show(child)}"


def subschemas(keyword: str, value: Json) -> Iterator[tuple[tuple[Step, ...], Json]]:
    """The places below one keyword where schemas stand, with the steps to them, whatever stands there."""
    if keyword in _ONE:
        yield (keyword,), value
    elif keyword in _LISTS and isinstance(value, list):
        for index, item in enumerate(value):
            yield (keyword, index), item
    elif keyword in _MAPS and isinstance(value, dict):
        for name, item in value.items():
            yield (keyword, name), item
    elif keyword == "dependencies" and isinstance(value, dict):
        for name, item in value.items():
            if not isinstance(item, list):
                yield (keyword, name), item


def _advice(keyword: str, value: Json) -> str:
    if keyword == "items" and isinstance(value, list):
        return " (a list of schemas is called prefixItems in draft 2020-12)"
    if keyword == "required" and isinstance(value, bool):
        return " (required lists names, beside properties)"
    if keyword in {"exclusiveMinimum", "exclusiveMaximum"} and isinstance(value, bool):
        return " (since draft 6 the bound itself stands here)"
    return ""


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _text(value: Json) -> str | None:
    return None if isinstance(value, str) else "a text"


def _anchor(value: Json) -> str | None:
    fits = isinstance(value, str) and _ANCHOR.match(value)
    return None if fits else "a name of letters, digits, -, . and _ that begins with a letter or _"


def _id(value: Json) -> str | None:
    fits = isinstance(value, str) and "#" not in value.removesuffix("#")
    return None if fits else "a URI without a fragment"


def _boolean(value: Json) -> str | None:
    return None if isinstance(value, bool) else "true or false"


def _number(value: Json) -> str | None:
    return None if _is_number(value) else "a number"


def _positive(value: Json) -> str | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0
    return None if fits else "a number over 0"


def _count(value: Json) -> str | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 and value == int(value)
    return None if fits else "an integer, 0 or more"


def _list(value: Json) -> str | None:
    return None if isinstance(value, list) else "a list"


def _schemas(value: Json) -> str | None:
    return None if isinstance(value, list) and value else "a list of at least one schema"


def _schema(value: Json) -> str | None:
    return None if isinstance(value, (dict, bool)) else "a schema (an object, true or false)"


def _object(value: Json) -> str | None:
    return None if isinstance(value, dict) else "an object"


def _is_name_list(value: Json) -> bool:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return False
    return len(set(map(str, value))) == len(value)


def _names(value: Json) -> str | None:
    return None if _is_name_list(value) else "a list of different texts"


def _name_lists(value: Json) -> str | None:
    fits = isinstance(value, dict) and all(map(_is_name_list, value.values()))
    return None if fits else "an object of lists of different texts"


def _vocabulary(value: Json) -> str | None:
    fits = isinstance(value, dict) and all(isinstance(item, bool) for item in value.values())
    return None if fits else "an object of true and false"


def _dependencies(value: Json) -> str | None:
    fits = isinstance(value, dict) and all(not isinstance(item, list) or _is_name_list(item) for item in value.values())
    return None if fits else "an object of schemas or of lists of different texts"


def _types(value: Json) -> str | None:
    if isinstance(value, str) and value in TYPES:
        return None
    if _is_name_list(value) and isinstance(value, list) and value and all(item in TYPES for item in value):
        return None
    return f"one of {', '.join(TYPES)}, or a list of different ones"


_ONE = frozenset(
    {
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})

_BY_CHECK: dict[Check, str] = {
    _text: "$comment $dynamicRef $recursiveRef $ref $schema contentEncoding contentMediaType description format "
    "pattern title",
    _anchor: "$anchor $dynamicAnchor $recursiveAnchor",
    _id: "$id",
    _vocabulary: "$vocabulary",
    _boolean: "deprecated readOnly uniqueItems writeOnly",
    _number: "exclusiveMaximum exclusiveMinimum maximum minimum",
    _positive: "multipleOf",
    _count: "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties",
    _list: "enum examples",
    _names: "required",
    _name_lists: "dependentRequired",
    _dependencies: "dependencies",
    _types: "type",
}
_CHECKS: dict[str, Check] = {
    **{keyword: check for check, keywords in _BY_CHECK.items() for keyword in keywords.split()},
    **dict.fromkeys(_ONE, _schema),
    **dict.fromkeys(_LISTS, _schemas),
    **dict.fromkeys(_MAPS, _object),
}

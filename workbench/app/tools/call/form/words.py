"""What may stand in a field, said in few words. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from workbench.app.tools.call.form.places import Layer
from workbench.harness.space.schema.values import shorten, show_wanted
from workbench.harness.strict_json import Json
from workbench.harness.text import fold

UNDRAWN = (
    "if", "then", "else", "not", "dependentSchemas", "dependentRequired", "dependencies", "propertyNames", "contains",
    "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems", "contentSchema",
)  # fmt: skip
"""Keywords that the form does not draw; they are checked all the same."""

_KNOWN = frozenset(UNDRAWN) | {
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema", "$vocabulary",
    "additionalProperties", "allOf", "anyOf", "const", "contentEncoding", "contentMediaType", "default",
    "definitions", "deprecated", "description", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum",
    "format", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength",
    "minProperties", "minimum", "multipleOf", "oneOf", "pattern", "patternProperties", "prefixItems", "properties",
    "readOnly", "required", "title", "type", "uniqueItems", "writeOnly",
}  # fmt: skip

_MAX_PATTERN = 60
_MAX_EXAMPLES = 2


def compact(value: Json) -> str:
    """A value as one line of JSON; two values share it only if they are the same to the last digit."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def first(layers: Iterable[Layer], keyword: str) -> Json:
    """What the outermost schema that has the keyword says; None where none has."""
    for layer in layers:
        if keyword in layer.schema:
            return layer.schema[keyword]
    return None


def first_text(layers: Iterable[Layer], keyword: str) -> str:
    """The same, where it is a text that says something."""
    for layer in layers:
        text = layer.schema.get(keyword)
        if isinstance(text, str) and text.strip():
            return text
    return ""


def bounds(layers: Sequence[Layer]) -> list[str]:
    """Bounds, formats, patterns, examples."""
    said = [
        *_between(_number(layers, "minimum", max), _number(layers, "maximum", min)),
        *(f"> {low}" for low in [_number(layers, "exclusiveMinimum", max)] if low is not None),
        *(f"< {high}" for high in [_number(layers, "exclusiveMaximum", min)] if high is not None),
        *(f"a multiple of {step}" for step in [_number(layers, "multipleOf", max)] if step is not None),
        *_counted(layers, "Length", "character"),
        *_counted(layers, "Items", "item"),
        *_counted(layers, "Properties", "key"),
    ]
    if any(layer.schema.get("uniqueItems") is True for layer in layers):
        said.append("no two alike")
    for layer in layers:
        pattern = layer.schema.get("pattern")
        if isinstance(pattern, str):
            said.append(f"pattern {shorten(fold(pattern), _MAX_PATTERN)}")
    for keyword in ("contentMediaType", "contentEncoding"):
        text = first(layers, keyword)
        if isinstance(text, str):
            said.append(shorten(fold(text), _MAX_PATTERN))
    examples = first(layers, "examples")
    if isinstance(examples, list) and examples:
        said.append("such as " + " or ".join(show_wanted(each, 40) for each in examples[:_MAX_EXAMPLES]))
    said += [
        words
        for keyword, words in (("deprecated", "deprecated"), ("readOnly", "read only"))
        if any(layer.schema.get(keyword) is True for layer in layers)
    ]
    return list(dict.fromkeys(said))


def undrawn(layers: Sequence[Layer], further: Sequence[str] = ()) -> list[str]:
    """What stands in these schemas and is not drawn, by name."""
    checked = [keyword for keyword in UNDRAWN if any(keyword in layer.schema for layer in layers)]
    checked += [keyword for keyword in further if keyword not in checked]
    unknown = {
        shorten(keyword, 40): None
        for layer in layers
        for keyword in layer.schema
        if keyword not in _KNOWN and not keyword.startswith("x-")
    }
    said = [f"not drawn, but checked: {', '.join(checked)}"] if checked else []
    return said + ([f"not known, so without effect: {', '.join(list(unknown)[:6])}"] if unknown else [])


def _between(low: str | None, high: str | None) -> list[str]:
    if low is not None and high is not None:
        return [f"{low} to {high}" if low != high else f"exactly {low}"]
    return [f"≥ {low}"] if low is not None else [f"≤ {high}"] if high is not None else []


def _counted(layers: Sequence[Layer], what: str, thing: str) -> list[str]:
    low, high = _number(layers, f"min{what}", max), _number(layers, f"max{what}", min)
    low = None if low == "0" else low
    things = thing if high == "1" or (high is None and low == "1") else f"{thing}s"
    if low is not None and high is not None:
        return [f"{low} to {high} {things}" if low != high else f"exactly {low} {things}"]
    return [f"at least {low} {things}"] if low is not None else [f"at most {high} {things}"] if high is not None else []


def _number(layers: Sequence[Layer], keyword: str, tightest: Callable[[list[float]], float]) -> str | None:
    numbers: list[float] = [
        value
        for layer in layers
        if isinstance(value := layer.schema.get(keyword), (int, float)) and not isinstance(value, bool)
    ]
    return shorten(json.dumps(tightest(numbers)), 30) if numbers else None

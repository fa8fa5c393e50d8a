"""What a few schemas say together: types, choices, constants, and what to call them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from workbench.app.tools.call.form.places import Book, Layer, Part
from workbench.app.tools.call.form.words import compact, first_text
from workbench.harness.space.schema.soundness import TYPES
from workbench.harness.space.schema.values import shorten
from workbench.harness.strict_json import Json
from workbench.harness.text import fold

LONG_TEXT = 200
"""A text that may be longer is written in an editor of several lines."""

_UNIONS = ("anyOf", "oneOf")
_FOLLOWED = frozenset({"$ref", "$dynamicRef", "allOf"})
_LONG_FORMATS = frozenset({"markdown", "multiline", "textarea", "text", "html", "code", "json", "yaml", "sql"})
_DEMANDS = frozenset({"required", "not", "title", "description", "$comment", "dependentRequired", "minProperties"})
_SHAPING = frozenset(
    {"type", "properties", "items", "prefixItems", "enum", "const", "anyOf", "oneOf", "patternProperties"}
)
_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_OBJECT = ("properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties")
_ARRAY = ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")
_STRING = ("pattern", "minLength", "maxLength", "format", "contentMediaType", "contentEncoding")
_NUMBER = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


SHOWN = 80
"""Characters of a value by which it is called."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of a few values, and what it is called."""

    value: Json
    title: str = ""

    @property
    def label(self) -> str:
        """Its title, and the value where that says something else."""
        value, title = self.value, self.title
        if isinstance(value, str) and not title:
            return value if value and value.strip() == value else compact(value)
        shown = shorten(compact(value), SHOWN)
        return f"{title} ({shown})" if title and title != value else title or shown


def is_null(book: Book, form: Json, layer: Layer) -> bool:
    """Whether a form of a union is null and nothing else."""
    if not isinstance(form, dict):
        return False
    known = book.nulls.get(id(form))
    if known is None:
        layers = book.flatten((Part(form, layer.resource),)).layers
        known = book.nulls[id(form)] = types_of(layers) == ["null"] or any(
            each.schema.get("const", 0) is None or each.schema.get("enum") == [None] for each in layers
        )
    return known


def constants(book: Book, form: Json, layer: Layer) -> list[Option] | None:
    """The values that a form lists, where it does nothing else."""
    layers = book.flatten((Part(form, layer.resource),)).layers
    if any(keyword in each.schema for each in layers for keyword in ("properties", "items", "anyOf", "oneOf")):
        return None
    title = fold(first_text(layers, "title"))
    for each in layers:
        if "const" in each.schema:
            return [Option(each.schema["const"], title)]
        if isinstance(each.schema.get("enum"), list):
            return [Option(value) for value in cast("list[Json]", each.schema["enum"])]
    return [Option(None)] if types_of(layers) == ["null"] else None


def demands_only(book: Book, forms: list[Json], layer: Layer, types: list[str] | None) -> bool:
    """Whether the forms of a union add nothing that could be drawn, such as which properties are required."""
    scalar = types is not None and len(types) == 1 and types[0] in _SCALARS
    for form in forms:
        for each in book.flatten((Part(form, layer.resource),)).layers:
            if not _SHAPING.isdisjoint(each.schema) if scalar else not each.schema.keys() <= _DEMANDS:
                return False
    return True


def branch_label(book: Book, form: Part, number: int) -> str:
    """What a form of a choice is called: its title, a constant in it, its name, its fields, its type."""
    layers = book.flatten((form,)).layers
    title = fold(first_text(layers, "title"))
    if title:
        return shorten(title, 40)
    for layer in layers:
        for name, schema in map_of(layer, "properties").items():
            if isinstance(schema, dict) and "const" in schema:
                return shorten(f"{name} {compact(schema['const'])}", 40)
    if isinstance(form.schema, dict) and isinstance(form.schema.get("$ref"), str):
        name = str(form.schema["$ref"]).rpartition("/")[2].strip("#")
        if name:
            return shorten(fold(name), 40)
    for layer in layers:
        if "const" in layer.schema:
            return shorten(compact(layer.schema["const"]), 40)
    names = [name for layer in layers for name in (*map_of(layer, "properties"), *list_of(layer, "required"))]
    word = word_of(book, [form])
    if word in {"object", "anything"} and names:
        return shorten(f"with {', '.join(list(dict.fromkeys(map(str, names)))[:3])}", 40)
    return word if word != "anything" else f"form {number}"


def word_of(book: Book, parts: Sequence[Part]) -> str:
    """What stands at a place in a word, without reading what is inside of it."""
    layers = book.flatten(tuple(parts)).layers
    types = types_of(layers)
    if types:
        return " or ".join(types)
    if any("enum" in layer.schema for layer in layers):
        return "a few values"
    return inferred(layers) or ("one of several forms" if unions_of(layers) else "anything")


def types_of(layers: Iterable[Layer]) -> list[str] | None:
    """The types that all layers admit, in the order of the first that names some; None where none does."""
    found: list[str] | None = None
    for layer in layers:
        said = layer.schema.get("type")
        names = [said] if isinstance(said, str) else said
        if not isinstance(names, list) or not all(name in TYPES for name in names if isinstance(name, str)):
            continue
        own = list(dict.fromkeys(name for name in names if isinstance(name, str)))
        if "number" in own:
            own = [name for name in own if name != "integer"]
        if found is None:
            found = own
        elif "number" in own and "integer" in found:
            found = [name for name in found if name in own or name == "integer"]
        elif "number" in found and "integer" in own:
            found = ["integer" if name == "number" else name for name in found if name in own or name == "number"]
        else:
            found = [name for name in found if name in own]
    return found


def unions_of(layers: Iterable[Layer]) -> list[tuple[Layer, str, list[Json]]]:
    """Each `anyOf` and `oneOf`, with the layer that it stands in and its forms."""
    found: list[tuple[Layer, str, list[Json]]] = []
    for layer in layers:
        for keyword in _UNIONS:
            forms = layer.schema.get(keyword)
            if isinstance(forms, list) and forms:
                found.append((layer, keyword, forms))
    return found


def part_without(layer: Layer, leave_out: set[str]) -> Part:
    """A layer as a part whose references were followed already, without some keywords."""
    gone = (_FOLLOWED | leave_out) & layer.schema.keys()
    if not gone:
        return Part(layer.schema, layer.resource)
    return Part({key: value for key, value in layer.schema.items() if key not in gone}, layer.resource)


def map_of(layer: Layer, keyword: str) -> dict[str, Json]:
    """What a keyword holds, where that is an object."""
    value = layer.schema.get(keyword)
    return value if isinstance(value, dict) else {}


def list_of(layer: Layer, keyword: str) -> list[Json]:
    """What a keyword holds, where that is a list."""
    value = layer.schema.get(keyword)
    return value if isinstance(value, list) else []


def says_nothing(parts: Iterable[Part]) -> bool:
    """Whether parts leave everything open."""
    return all(part.schema is True or part.schema == {} for part in parts)


def inferred(layers: Iterable[Layer]) -> str:
    """The type that keywords speak of where none is named."""
    keys = {keyword for layer in layers for keyword in layer.schema}
    for kind, words in (("object", _OBJECT), ("array", _ARRAY), ("string", _STRING), ("number", _NUMBER)):
        if not keys.isdisjoint(words):
            return kind
    return ""


def is_long(layers: Iterable[Layer]) -> bool:
    """Whether a text is better written in an editor of several lines."""
    for layer in layers:
        longest = layer.schema.get("maxLength")
        named = layer.schema.get("format")
        if "contentMediaType" in layer.schema or (isinstance(named, str) and named in _LONG_FORMATS):
            return True
        if isinstance(longest, int) and longest > LONG_TEXT:
            return True
    return False

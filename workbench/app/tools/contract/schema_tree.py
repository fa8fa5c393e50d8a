"""A JSON Schema as a tree that a person reads: name, type, required, default, enum, constraints. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.app.widgets.lines.line import Line, Piece
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.errors import HarnessError
from workbench.harness.space.schema.references import ReferenceFault, Resource
from workbench.harness.text import cut_bytes, fold, printable

MAX_TYPES = 12
"""Of an enum or a choice, how many are said on the line; the others stand below it."""

MAX_HOPS = 8
"""How many references in a row are followed."""

VALUE_BYTES = 60
"""How much of one value is said on a line."""

_CONSTRAINTS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "format", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties", "maxProperties",
    "contentMediaType", "contentEncoding", "readOnly", "writeOnly", "deprecated",
)  # fmt: skip

_BRANCHES = {"anyOf": "any of", "oneOf": "one of", "allOf": "all of"}

_INSIDE = {
    "items": "each item", "contains": "contains", "additionalProperties": "other keys", "propertyNames": "each key",
    "unevaluatedProperties": "keys named nowhere", "unevaluatedItems": "items named nowhere", "not": "not",
    "if": "if", "then": "then", "else": "else", "contentSchema": "content",
}  # fmt: skip
"""Keywords whose value is one schema, as they are called in the tree."""

_SAID = {
    *_CONSTRAINTS, *_BRANCHES, *_INSIDE, "type", "enum", "const", "default", "properties", "required", "description",
    "title", "$ref", "prefixItems", "patternProperties", "dependentSchemas", "examples", "$defs", "definitions",
    "$schema", "$id", "$anchor", "$comment",
}  # fmt: skip


def type_words(schema: Any, depth: int = 0) -> str:
    """What a value may be, in a few words: `string`, `array of integer`, `"a" | "b"`."""
    if schema is True:
        return "anything"
    if schema is False:
        return "nothing"
    if not isinstance(schema, dict) or depth > MAX_TYPES:
        return "?" if depth <= MAX_TYPES else "…"
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1] or "#"
    if "const" in schema:
        return _value(schema["const"])
    if isinstance(schema.get("enum"), list):
        return _choice([_value(item) for item in schema["enum"][: MAX_TYPES + 1]], len(schema["enum"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return _choice([str(each) for each in kind[: MAX_TYPES + 1]], len(kind))
    if kind == "array" and isinstance(schema.get("items"), dict):
        return f"array of {type_words(schema['items'], depth + 1)}"
    if isinstance(kind, str):
        return kind
    for word in _BRANCHES:
        if isinstance(schema.get(word), list):
            joint = " & " if word == "allOf" else " | "
            words = [type_words(each, depth + 1) for each in schema[word][: MAX_TYPES + 1]]
            return _choice(list(dict.fromkeys(words)), len(schema[word]), joint)
    return "object" if "properties" in schema else "anything"


def _choice(words: list[str], of: int, joint: str = " | ") -> str:
    more = [f"… {of - MAX_TYPES} more"] if of > MAX_TYPES and len(words) > MAX_TYPES else []
    return joint.join(words[:MAX_TYPES] + more)


@dataclass(frozen=True, slots=True)
class _Tree:
    """A schema document, in which references lead somewhere."""

    resource: Resource

    def twigs(self, key: str, schema: Any) -> Sequence[Twig]:
        """What stands below a schema: its properties, its branches, the schemas inside it."""
        return [
            Twig(f"{key}/{part}", line(), self._below(f"{key}/{part}", inner), _rest(inner))
            for part, inner, line in self._parts(schema, MAX_HOPS)
        ]

    def _parts(self, schema: Any, hops: int) -> Iterator[tuple[str, Any, Callable[[], Line]]]:
        """What is below, each with its place in the schema and the line that is shown of it."""
        if not isinstance(schema, dict):
            return
        yield from self._target(schema, hops)
        needed = _texts(schema.get("required"))
        properties = _table(schema.get("properties"))
        for name, inner in properties.items():
            yield f"properties/{_part(name)}", inner, _line(name, inner, "key", required=name in needed)
        for name in needed:
            if name not in properties:
                yield f"required/{_part(name)}", True, _line(name, True, "key", required=True)
        for word in ("patternProperties", "dependentSchemas"):
            called = "keys like" if word == "patternProperties" else "with the key"
            for name, inner in _table(schema.get(word)).items():
                yield f"{word}/{_part(name)}", inner, _line(f"{called} {name}", inner, "quiet")
        for place, inner in enumerate(_list(schema.get("prefixItems"))):
            yield f"prefixItems/{place}", inner, _line(f"item {place + 1}", inner, "quiet")
        for word, called in _BRANCHES.items():
            branches = _list(schema.get(word))
            for place, inner in enumerate(branches):
                yield f"{word}/{place}", inner, _line(f"{called}, {place + 1} of {len(branches)}", inner, "quiet")
        for word, called in _INSIDE.items():
            inner = schema.get(word)
            if isinstance(inner, dict) or (word in schema and inner is False):
                yield word, inner, _line(called, inner, "quiet")
        enum = _list(schema.get("enum"))
        for place, value in enumerate(enum if len(enum) > MAX_TYPES else ()):
            yield f"enum/{place}", True, _said((_value(value), "text"))
        for word in sorted(set(schema) - _SAID):
            yield f"keyword/{_part(word)}", True, _said((word, "quiet"), (f" {_value(schema[word])}", "quiet"))

    def _target(self, schema: dict[str, Any], hops: int) -> Iterator[tuple[str, Any, Callable[[], Line]]]:
        """What is below where a reference leads; references that lead to references end after `hops`."""
        if not isinstance(reference := schema.get("$ref"), str) or not hops:
            return
        try:
            target: Any = self.resource.resolve(reference, {})
        except ReferenceFault as fault:
            yield "$ref", True, _said(("✗ ", "bad"), (str(fault), ""))
            return
        yield from self._parts(target, hops - 1)

    def _below(self, key: str, schema: Any) -> Callable[[], Sequence[Twig]] | None:
        if not isinstance(schema, dict) or next(self._parts(self._shown(schema), MAX_HOPS), None) is None:
            return None
        return lambda: self.twigs(key, self._shown(schema))

    def _shown(self, schema: Any) -> Any:
        """The schema whose parts are shown for one: of a plain array that of its items, which saves a level."""
        while isinstance(schema, dict) and schema.get("type") == "array" and isinstance(schema.get("items"), dict):
            if set(schema) & {"contains", "prefixItems", *_BRANCHES} or _notes(schema["items"]):
                break
            schema = schema["items"]
        return schema


def schema_twigs(key: str, schema: Any) -> Sequence[Twig]:
    """The parts of a schema as twigs, nested ones made when they are unfolded. A schema that names none gives none."""
    resource = Resource(schema)
    for place in _places(schema):
        for word in ("$anchor", "$dynamicAnchor"):
            if isinstance(place.get(word), str):
                resource.anchors.setdefault(place[word], place)
    return _Tree(resource).twigs(key, schema)


def _places(schema: Any) -> Iterator[dict[str, Any]]:
    stack: list[Any] = [schema]
    while stack:
        place = stack.pop()
        if isinstance(place, dict):
            yield place
            stack += place.values()
        elif isinstance(place, list):
            stack += place


def _said(*pieces: Piece) -> Callable[[], Line]:
    return lambda: [(printable(text), look) for text, look in pieces]


def _line(name: str, schema: Any, look: str, *, required: bool = False) -> Callable[[], Line]:
    def line() -> Line:
        notes = ", ".join(_notes(schema))
        return [
            (printable(fold(name)), look),
            ("*" if required else "", "bad"),
            ("  ", ""),
            (printable(type_words(schema)), "text"),
            (printable(f"  {notes}") if notes else "", "quiet"),
        ]

    return line


def _rest(schema: Any) -> tuple[Line, ...]:
    if not isinstance(schema, dict):
        return ()
    words = [fold(schema[word]) for word in ("title", "description") if isinstance(schema.get(word), str)]
    said = " — ".join(word for word in words if word)
    return ([(printable(said), "quiet")],) if said else ()


def _notes(schema: Any) -> list[str]:
    if not isinstance(schema, dict):
        return []
    notes = [f"default {_value(schema['default'])}"] if "default" in schema else []
    notes += [f"{word} {_value(schema[word])}" for word in _CONSTRAINTS if word in schema]
    if schema.get("additionalProperties") is True:
        notes.append("other keys allowed")
    return notes


def _part(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _table(value: Any) -> dict[str, Any]:
    return {str(key): inner for key, inner in value.items()} if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    return list(dict.fromkeys(each for each in _list(value) if isinstance(each, str)))


def _value(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise HarnessError("bad_input", f"A value of the schema cannot be shown: {error}.") from error
    return cut_bytes(text, VALUE_BYTES)

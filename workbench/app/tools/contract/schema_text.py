"""A JSON Schema as an indented list that a person reads: name, type, required, default, enum, constraints. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from workbench.harness.text import cut_bytes, fold

MAX_LINES = 400
"""Lines of one schema at most; the exact text has the rest."""

MAX_DEPTH = 24
"""How deep it is followed."""

_CONSTRAINTS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
    "format", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SchemaLine:
    """One property: how deep it stands, what it is called, what it may be, and what is said of it."""

    depth: int
    name: str
    type: str
    required: bool
    notes: tuple[str, ...] = ()
    description: str = ""


def schema_lines(schema: Any) -> list[SchemaLine]:
    """The properties of a schema, in order. A schema that names none gives none."""
    lines: list[SchemaLine] = []
    _walk(schema, schema, 0, lines)
    if len(lines) > MAX_LINES:
        more = len(lines) - MAX_LINES
        lines = [*lines[:MAX_LINES], SchemaLine(0, f"… and {more} more", "", False, ("the exact text has them",))]
    return lines


def type_words(schema: Any, root: Any = None) -> str:
    """What a value may be, in a few words: `string`, `array of integer`, `"a" | "b"`."""
    if schema is True:
        return "anything"
    if schema is False:
        return "nothing"
    if not isinstance(schema, dict):
        return "?"
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return _value(schema["const"])
    if isinstance(schema.get("enum"), list):
        shown = [_value(item) for item in schema["enum"][:12]]
        more = len(schema["enum"]) - 12
        return " | ".join(shown) + (f" | … {more} more" if more > 0 else "")
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(str(each) for each in kind)
    if kind == "array" and isinstance(schema.get("items"), dict):
        return f"array of {type_words(schema['items'], root)}"
    if isinstance(kind, str):
        return kind
    for word in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(word), list):
            joint = " & " if word == "allOf" else " | "
            return joint.join(type_words(each, root) for each in schema[word][:8])
    return "object" if "properties" in schema else "anything"


def _walk(schema: Any, root: Any, depth: int, lines: list[SchemaLine]) -> None:
    if depth > MAX_DEPTH or len(lines) > 4 * MAX_LINES or not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if isinstance(properties, dict):
        required = schema.get("required")
        needed = set(each for each in required if isinstance(each, str)) if isinstance(required, list) else set()
        for name, inner in properties.items():
            lines.append(
                SchemaLine(
                    depth, str(name), type_words(inner, root), name in needed, _notes(inner), _description(inner)
                )
            )
            _walk(_inside(inner, root), root, depth + 1, lines)
    for word in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(word)
        if isinstance(branches, list):
            for number, branch in enumerate(branches[:16], 1):
                target = _inside(branch, root)
                if isinstance(target, dict) and "properties" in target:
                    lines.append(SchemaLine(depth, f"({word} {number} of {len(branches)})", "", False))
                    _walk(target, root, depth + 1, lines)
    if "additionalProperties" in schema and schema["additionalProperties"] is False and isinstance(properties, dict):
        lines.append(SchemaLine(depth, "(nothing else)", "", False))


def _inside(schema: Any, root: Any) -> Any:
    """What may have properties of its own: the schema, what it refers to, or what its items are."""
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/") and isinstance(root, dict):
        definitions = root.get("$defs")
        return definitions.get(reference.removeprefix("#/$defs/")) if isinstance(definitions, dict) else None
    if schema.get("type") == "array" and isinstance(schema.get("items"), dict):
        return _inside(schema["items"], root)
    return schema


def _notes(schema: Any) -> tuple[str, ...]:
    if not isinstance(schema, dict):
        return ()
    notes = [f"default {_value(schema['default'])}"] if "default" in schema else []
    notes += [f"{key} {_value(schema[key])}" for key in _CONSTRAINTS if key in schema]
    return tuple(notes)


def _description(schema: Any) -> str:
    text = schema.get("description") if isinstance(schema, dict) else None
    return fold(text) if isinstance(text, str) else ""


def _value(value: Any) -> str:
    return cut_bytes(json.dumps(value, ensure_ascii=False), 60)

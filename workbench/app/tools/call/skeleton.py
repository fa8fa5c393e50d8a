"""An input to begin with: what a schema requires, with a value of the right type in each place. Pure."""

from __future__ import annotations

from typing import Any

MAX_DEPTH = 6
"""How deep a skeleton goes; deeper objects begin empty."""


def skeleton(schema: Any) -> Any:
    """A value that has the required properties, their defaults where there are some. It need not be valid yet."""
    return _of(schema, schema, 0)


def _of(schema: Any, root: Any, depth: int) -> Any:
    if not isinstance(schema, dict):
        return None
    reference = schema.get("$ref")
    if isinstance(reference, str) and isinstance(root, dict) and depth < MAX_DEPTH:
        definitions = root.get("$defs")
        name = reference.removeprefix("#/$defs/")
        return _of(definitions.get(name), root, depth + 1) if isinstance(definitions, dict) else None
    if "default" in schema:
        return schema["default"]
    if "const" in schema:
        return schema["const"]
    enum = schema.get("enum")
    if isinstance(enum, list) and enum:
        return enum[0]
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if isinstance(branches, list) and branches and "properties" not in schema and depth < MAX_DEPTH:
            return _of(branches[0], root, depth + 1)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0] if kind else None
    match kind:
        case "string":
            return ""
        case "integer" | "number":
            least = schema.get("minimum", 0)
            return least if isinstance(least, int | float) and least > 0 else 0
        case "boolean":
            return False
        case "array":
            return []
        case "null":
            return None
        case "object" | None:
            return _object(schema, root, depth) if kind or "properties" in schema or depth == 0 else None
        case _:
            return None


def _object(schema: dict[str, Any], root: Any, depth: int) -> dict[str, Any]:
    properties, required = schema.get("properties"), schema.get("required")
    if depth >= MAX_DEPTH or not isinstance(required, list):
        return {}
    known = properties if isinstance(properties, dict) else {}
    return {name: _of(known.get(name), root, depth + 1) for name in required if isinstance(name, str)}

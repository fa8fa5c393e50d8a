"""JSON values as the schema checks see them: paths, short descriptions, equality that knows 1 from true."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable

from workbench.harness.strict_json import Json

ROOT = "$"
"""The path of the whole value."""

SHOWN_CHARACTERS = 200
"""How much of an offending value a message repeats."""

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*\Z")
_SHOWN_KEY = 100
_TRUE, _FALSE = object(), object()


def path_text(steps: Iterable[str | int]) -> str:
    """`$`, `$.a.b[0]`; a key that is no plain word stands in quotes: `$["two words"]`."""
    parts = [ROOT]
    for step in steps:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _PLAIN_KEY.match(step) and len(step) <= _SHOWN_KEY:
            parts.append(f".{step}")
        else:
            parts.append(f"[{json.dumps(shorten(step, _SHOWN_KEY), ensure_ascii=False)}]")
    return "".join(parts)


def shorten(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """The text, or its beginning and an ellipsis, at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def show(value: Json) -> str:
    """A value for a message: a scalar as JSON, shortened; of a list or an object only its kind and size."""
    if isinstance(value, dict):
        return f"an object of {len(value)} {'property' if len(value) == 1 else 'properties'}"
    if isinstance(value, list):
        return f"an array of {len(value)} {'item' if len(value) == 1 else 'items'}"
    if isinstance(value, str):
        return json.dumps(shorten(value), ensure_ascii=False)
    return shorten(json.dumps(value))


def show_wanted(value: Json, limit: int = 60) -> str:
    """A value of the schema (`const`, a member of `enum`) for a message: as JSON, at most `limit` characters.

    The time it takes follows the limit, not the value: a schema may hold a megabyte that thousands of items miss.
    """
    return shorten(_begin(value, limit + 1), limit)


def _begin(value: Json, room: int) -> str:
    if isinstance(value, str):
        return json.dumps(shorten(value, room), ensure_ascii=False)
    if not isinstance(value, (list, dict)):
        return shorten(json.dumps(value))
    opening, closing = "[]" if isinstance(value, list) else "{}"
    text = opening
    for item in value:
        if len(text) >= room:
            return text
        if len(text) > 1:
            text += ", "
        if isinstance(value, dict):
            text += f"{_begin(item, room)}: "
            item = value[str(item)]
        text += _begin(item, room - len(text))
    return text + closing


def size(value: Json) -> int:
    """How many values it holds, itself included. Expects a checked value (no cycle)."""
    count = 0
    waiting: list[Json] = [value]
    while waiting:
        item = waiting.pop()
        count += 1
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return count


def identity(value: Json) -> Hashable:
    """A key that two values share when JSON Schema calls them equal: `1` and `1.0`, but not `1` and `true`.

    Numbers are keyed by their text: the hash of text is salted, so nobody can write numbers that all collide.
    """
    if value is True:
        return _TRUE
    if value is False:
        return _FALSE
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return ("list", tuple([identity(item) for item in value]))
    if isinstance(value, dict):
        return ("object", frozenset([(key, identity(item)) for key, item in value.items()]))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return ("number", repr(value))

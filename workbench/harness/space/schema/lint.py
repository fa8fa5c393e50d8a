"""What breaks a provider in a schema that is sound: said while somebody writes it, not when a model is first asked."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from workbench.harness.space.schema.soundness import Step, subschemas
from workbench.harness.space.schema.values import path_text, show
from workbench.harness.strict_json import Json

MAX_NOTES = 20
"""Notes that are given; after them stands that there are more."""

MAX_PLACES = 20_000
"""Schemas in one document that are looked at."""

_UNIONS = ("oneOf", "anyOf", "allOf")
_PROPERTY_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")


def provider_lint(schema: Json) -> tuple[str, ...]:
    """Name what in an input schema a provider is known to refuse, each with its path and what to write instead.

    Anything may be given; nothing raises. It says nothing of what `check_schema` refuses but `required`, which is
    found in the wild so often. An empty answer is no promise: providers differ.
    """
    notes: dict[str, None] = {}
    seen: set[int] = set()
    waiting: deque[tuple[Json, tuple[Step, ...]]] = deque([(schema, ())])
    while waiting and len(seen) < MAX_PLACES:
        place, steps = waiting.popleft()
        if not isinstance(place, dict) or id(place) in seen:
            continue
        seen.add(id(place))
        for message in _faults(place, root=not steps):
            notes[f"{path_text(steps)}: {message}"] = None
            if len(notes) > MAX_NOTES:
                return (*list(notes)[:MAX_NOTES], "and more of the same")
        for keyword, value in place.items():
            waiting.extend((child, (*steps, *further)) for further, child in subschemas(keyword, value))
    return tuple(notes)


def _faults(place: dict[str, Json], *, root: bool) -> Iterator[str]:
    if "required" in place and not isinstance(place["required"], list):
        yield (
            f'"required" is {show(place["required"])}, and providers refuse the whole tool for it. Write a list of '
            "names, or leave it out."
        )
    choices = [keyword for keyword in ("oneOf", "anyOf") if keyword in place]
    if "type" in place and "enum" in place and choices:
        yield (
            f'"type", "enum" and "{choices[0]}" stand side by side, which a provider refuses. Keep one of them: "enum" '
            "says it all where every form is a constant."
        )
    if root:
        unions = [keyword for keyword in _UNIONS if keyword in place]
        if unions:
            yield (
                f'"{unions[0]}" at the root of an input is refused by some providers. Put it inside a property, or '
                "say in the description which inputs go together."
            )
    if root:
        properties = place.get("properties")
        for name in properties if isinstance(properties, dict) else ():
            if not _PROPERTY_NAME.match(name):
                yield (
                    f"the property {show(name)} has a name that some providers refuse at the root of an input: 1 to "
                    '64 of the letters a to z, digits, "_", "." and "-" are allowed.'
                )
    if place.get("type") == "array" and "items" not in place and "prefixItems" not in place:
        yield 'is an array without "items", which some providers refuse. Say what its items are, if only {}.'

"""Do two schemas say the same, word for word, wherever their references lead."""

from __future__ import annotations

from workbench.harness.space.schema.compare.steps import Steps
from workbench.harness.space.schema.compiled import Compiled
from workbench.harness.space.schema.soundness import subschemas
from workbench.harness.space.schema.values import identity, size
from workbench.harness.strict_json import Json

REFERENCES = ("$ref", "$dynamicRef")

_ANY = ("type", "const", "enum", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", *REFERENCES)
_SCALARS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
)
_ARRAYS = ("minItems", "maxItems", "uniqueItems", "prefixItems", "items", "unevaluatedItems")
_CONTAINS = ("contains", "minContains", "maxContains")
_OBJECTS = ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames")
_MEMBERS = ("required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas")

CONSTRAINTS = frozenset({*_ANY, *_SCALARS, *_ARRAYS, *_CONTAINS, *_OBJECTS, *_MEMBERS})
"""The keywords that decide what fits; everything else is words."""

_PLACES = frozenset({"$defs", "definitions"})
_UNORDERED = frozenset({"required", "enum", "type"})

Pair = tuple[int, int, bool]


class Sameness:
    """Finds out whether a place of one schema and a place of another are the same; remembers what it found.

    Two places are the same while nothing shows that they differ: so a schema that refers to itself is one with its
    twin.
    """

    def __init__(self, old: Compiled, new: Compiled, steps: Steps) -> None:
        self._old, self._new = old, new
        self._steps = steps
        self._same: set[Pair] = set()
        self._other: set[Pair] = set()

    def of(self, old: Json, new: Json, *, words: bool = False) -> bool:
        """Whether they decide the same; with `words` also whether they say it in the same words."""
        key = (id(old), id(new), words)
        if key in self._other:
            return False
        seen: set[Pair] = set()
        waiting: list[tuple[Json, Json]] = [(old, new)]
        while waiting:
            first, second = waiting.pop()
            if not isinstance(first, dict) or not isinstance(second, dict):
                if first is not second:
                    self._other.add(key)
                    return False
                continue
            pair = (id(first), id(second), words)
            if pair in self._same or pair in seen:
                continue
            seen.add(pair)
            self._steps.take()
            if not self._here(first, second, words, waiting):
                self._other |= {key, pair}
                return False
        self._same |= seen
        return True

    def _here(self, old: dict[str, Json], new: dict[str, Json], words: bool, waiting: list[tuple[Json, Json]]) -> bool:
        """Whether two schema objects say the same, given that the places below them, added to `waiting`, do."""
        names = _keywords(old, words)
        if names != _keywords(new, words):
            return False
        for name in names:
            if name in REFERENCES:
                waiting.append((self._old.target(old, name), self._new.target(new, name)))
                continue
            first = {steps: place for steps, place in subschemas(name, old[name])}
            second = {steps: place for steps, place in subschemas(name, new[name])}
            if first.keys() != second.keys():
                return False
            if first:
                waiting.extend((place, second[steps]) for steps, place in first.items())
            elif not self._value(name, old[name], new[name]):
                return False
        return True

    def _value(self, name: str, old: Json, new: Json) -> bool:
        self._steps.take((size(old) + size(new)) // 16)
        if name in _UNORDERED and isinstance(old, list) and isinstance(new, list):
            return frozenset(map(identity, old)) == frozenset(map(identity, new))
        return identity(old) == identity(new)


def _keywords(schema: dict[str, Json], words: bool) -> set[str]:
    return {name for name in schema if name not in _PLACES and (words or name in CONSTRAINTS)}

"""Keys of an input that its schema does not name: what a model invents most often, allowed or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import cast

from workbench.harness.space.schema.compiled import Compiled, compile_schema
from workbench.harness.space.schema.nearest import Name, Nearest, ready
from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.space.schema.soundness import Step
from workbench.harness.space.schema.values import path_text, shorten
from workbench.harness.space.schema.verdicts import UnknownKey
from workbench.harness.strict_json import Json, check

MAX_KEYS = 50
"""Unknown keys that are reported at most."""

MAX_STEPS = 100_000
"""Steps of some 3 µs that the search may take; in an input that needs more the rest goes unreported."""

_LONGEST_KEY = 200
_WIDTH = 8  # so many entries of a schema are gone through in a step

_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else")


def unknown_keys(schema: object, instance: object) -> tuple[UnknownKey, ...]:
    """The keys, in every object of the input, that no `properties` names there.

    Looks through local references and the branches allOf, anyOf, oneOf, if, then, else, dependentSchemas. A place that
    names none, or gives the others a schema of their own, reports none. At most `MAX_KEYS`, in the order of the input.
    Raises HarnessError as `validate` does; an unsound schema reports none.
    """
    check(instance, what="the input")
    compiled = compile_schema(schema)
    if compiled.faults:
        return ()
    return tuple(_Search(compiled).run(cast("Json", instance)))


@dataclass(slots=True)
class _Merged:
    """All that the schemas at one place say together about the value there."""

    names: dict[str, list[Json]] = field(default_factory=dict[str, "list[Json]"])
    patterns: list[tuple[str, Json]] = field(default_factory=list["tuple[str, Json]"])
    others: list[Json] = field(default_factory=list["Json"])
    prefixes: list[list[Json]] = field(default_factory=list["list[Json]"])
    items: list[tuple[int, Json]] = field(default_factory=list["tuple[int, Json]"])
    compared: tuple[Name, ...] | None = None

    @property
    def reports(self) -> bool:
        return bool(self.names) and not self.others and not self.patterns


class _Search:
    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._left = MAX_STEPS
        self._nearest = Nearest()
        self._merged: dict[tuple[int, ...], _Merged] = {}

    def run(self, instance: Json) -> list[UnknownKey]:
        found: list[UnknownKey] = []
        waiting: list[tuple[Json, list[Json], tuple[Step, ...]]] = [(instance, [self._compiled.schema], ())]
        while waiting and self._left > 0:
            value, places, steps = waiting.pop()
            self._left -= 1
            if not isinstance(value, (dict, list)) or not places:
                continue
            merged = self._merge(places)
            if isinstance(value, dict):
                found.extend(islice(self._unknown(value, merged, steps), MAX_KEYS - len(found)))
                if len(found) == MAX_KEYS:
                    break
                children: Iterable[tuple[Step, Json, list[Json]]] = self._members(value, merged)
            else:
                children = self._elements(value, merged)
            waiting.extend(reversed([(child, below, (*steps, step)) for step, child, below in children]))
        return found

    def _unknown(self, value: dict[str, Json], merged: _Merged, steps: tuple[Step, ...]) -> Iterator[UnknownKey]:
        if not merged.reports:
            return
        for key in value:
            if key not in merged.names:
                yield UnknownKey(shorten(key, _LONGEST_KEY), path_text(steps), self._like(key, merged))

    def _like(self, key: str, merged: _Merged) -> str | None:
        if len(key) > _LONGEST_KEY:
            return None
        if merged.compared is None:
            merged.compared = ready(name for name in merged.names if len(name) <= _LONGEST_KEY)
        return self._nearest.find(key, merged.compared)

    def _members(self, value: dict[str, Json], merged: _Merged) -> Iterator[tuple[Step, Json, list[Json]]]:
        for key, child in value.items():
            self._left -= 1
            if not isinstance(child, (dict, list)):
                continue
            places = list(merged.names.get(key, ()))
            for pattern, place in merged.patterns:
                program = compile_pattern(pattern)
                if isinstance(program, Unsupported):
                    continue
                self._left -= program.cost(key)
                if self._left <= 0:
                    return
                if program.found_in(key):
                    places.append(place)
            if self._left <= 0:
                return
            yield key, child, places or merged.others

    def _elements(self, value: list[Json], merged: _Merged) -> Iterator[tuple[Step, Json, list[Json]]]:
        width = (len(merged.prefixes) + len(merged.items)) // _WIDTH
        for index, child in enumerate(value):
            self._left -= 1
            if not isinstance(child, (dict, list)):
                continue
            self._left -= width
            if self._left <= 0:
                return
            places = [prefix[index] for prefix in merged.prefixes if index < len(prefix)]
            places.extend(place for first, place in merged.items if index >= first)
            yield index, child, places

    def _merge(self, places: list[Json]) -> _Merged:
        """Everything the places say, through references and branches; the same places are merged once.

        One that was begun is ended, whatever it costs: a key must not seem unknown because a name was not reached.
        """
        self._left -= len(places) // _WIDTH
        key = tuple(sorted(id(place) for place in places))
        known = self._merged.get(key)
        if known is not None:
            return known
        merged = self._merged[key] = _Merged()
        seen: set[int] = set()
        waiting = list(places)
        taken = 0
        while waiting:
            place = waiting.pop()
            taken += 1
            if not isinstance(place, dict) or id(place) in seen:
                continue
            seen.add(id(place))
            self._left -= 1
            taken += _take(place, merged)
            waiting.extend(self._branches(place))
        self._left -= taken // _WIDTH
        return merged

    def _branches(self, place: dict[str, Json]) -> Iterator[Json]:
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in place:
                yield self._compiled.target(place, keyword)
        for keyword in _BRANCHES:
            branches = place.get(keyword)
            if isinstance(branches, list):
                yield from branches
        for keyword in _CONDITIONS:
            yield place.get(keyword)
        dependent = place.get("dependentSchemas")
        if isinstance(dependent, dict):
            yield from dependent.values()


def _take(place: dict[str, Json], merged: _Merged) -> int:
    """Add what one place says; answers how many entries that were."""
    entries = 0
    properties = place.get("properties")
    if isinstance(properties, dict):
        entries += len(properties)
        for name, child in properties.items():
            merged.names.setdefault(name, []).append(child)
    patterns = place.get("patternProperties")
    if isinstance(patterns, dict):
        entries += len(patterns)
        merged.patterns.extend(patterns.items())
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        others = place.get(keyword)
        if isinstance(others, dict):
            merged.others.append(others)
    prefix = place.get("prefixItems")
    if isinstance(prefix, list):
        merged.prefixes.append(prefix)
    for keyword in ("items", "unevaluatedItems"):
        if keyword in place:
            merged.items.append((len(prefix) if isinstance(prefix, list) else 0, place[keyword]))
    return entries

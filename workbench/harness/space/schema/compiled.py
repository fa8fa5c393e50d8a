"""A schema, read once: its faults, where its references lead, which of its patterns cannot be checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field

from workbench.harness.space.schema.kept import Kept
from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.space.schema.references import ReferenceFault, Resource
from workbench.harness.space.schema.soundness import Step, faults_of, subschemas
from workbench.harness.space.schema.values import path_text, shorten
from workbench.harness.strict_json import Json, canonical, check

MAX_FAULTS = 20
"""A schema's faults beyond this number are not looked for."""

MAX_PATTERNS = 200
"""Different patterns in one schema: compiling a hostile one takes some milliseconds."""

MAX_KEPT = 1024
"""Schemas that are remembered."""

MAX_KEPT_BYTES = 16 * 1024 * 1024
"""Canonical text of all schemas that are remembered; as Python objects they take up to twenty times as much."""

_REFERENCES = ("$ref", "$dynamicRef")


@dataclass(slots=True)
class Compiled:
    """What is known of one schema. `schema` is a copy of its own, so that `targets` go by the identity of places."""

    schema: Json
    faults: list[str] = field(default_factory=list[str])
    unchecked: list[str] = field(default_factory=list[str])
    targets: dict[tuple[int, str], Json] = field(default_factory=dict[tuple[int, str], Json])

    def target(self, place: dict[str, Json], keyword: str) -> Json:
        """Where the `$ref` or `$dynamicRef` of a place leads."""
        return self.targets[id(place), keyword]


def compile_schema(schema: object) -> Compiled:
    """Read a schema, or answer from memory. Raises HarnessError when it is not JSON or nested too deeply."""
    check(schema, what="the schema")
    text = canonical(schema).encode()
    key = hashlib.blake2b(text, digest_size=20).digest()
    known = _kept.get(key)
    if known is not None:
        return known
    compiled = _Survey(json.loads(text)).compile()
    _kept.put(key, compiled, len(text))
    return compiled


_kept: Kept[Compiled] = Kept(MAX_KEPT, MAX_KEPT_BYTES)


@dataclass(frozen=True, slots=True)
class _Place:
    schema: Json
    steps: tuple[Step, ...]
    resource: Resource


class _Survey:
    """One walk over every place of a document where a schema stands."""

    def __init__(self, schema: Json) -> None:
        self._document = Resource(schema)
        self._compiled = Compiled(schema)
        self._embedded: dict[str, Resource] = {}
        self._references: list[tuple[_Place, str, str]] = []
        self._patterns: set[str] = set()
        self._dynamic: dict[str, Resource] = {}
        self._seen: set[int] = set()

    def compile(self) -> Compiled:
        root = self._compiled.schema
        if not isinstance(root, (dict, bool)):
            self._fault((), "a schema is an object, true or false")
            return self._compiled
        self._walk(_Place(root, (), self._document))
        while self._references and len(self._compiled.faults) < MAX_FAULTS:
            place, keyword, reference = self._references.pop()
            self._resolve(place, keyword, reference)
        self._compiled.faults.sort()
        self._compiled.unchecked.sort()
        return self._compiled

    def _walk(self, start: _Place) -> None:
        waiting = [start]
        while waiting and len(self._compiled.faults) < MAX_FAULTS:
            place = waiting.pop()
            if not isinstance(place.schema, dict) or id(place.schema) in self._seen:
                continue
            self._seen.add(id(place.schema))
            faults = list(faults_of(place.schema))
            for steps, message in faults:
                self._fault((*place.steps, *steps), message)
            if faults:
                continue
            resource = self._resource_of(place, place.schema)
            self._collect(_Place(place.schema, place.steps, resource), place.schema)
            for keyword, value in place.schema.items():
                for steps, child in subschemas(keyword, value):
                    waiting.append(_Place(child, (*place.steps, *steps), resource))

    def _resource_of(self, place: _Place, schema: dict[str, Json]) -> Resource:
        identifier = schema.get("$id")
        if not isinstance(identifier, str) or not identifier.removesuffix("#"):
            return place.resource
        resource = self._document if schema is self._document.root else Resource(schema)
        self._embedded.setdefault(identifier.removesuffix("#"), resource)
        return resource

    def _collect(self, place: _Place, schema: dict[str, Json]) -> None:
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = schema.get(keyword)
            if isinstance(anchor, str):
                place.resource.anchors.setdefault(anchor, schema)
                if keyword == "$dynamicAnchor" and self._dynamic.setdefault(anchor, place.resource) != place.resource:
                    self._note(
                        place.steps, f'the "$dynamicAnchor" {anchor} of several resources is taken as it is written'
                    )
        for keyword in _REFERENCES:
            reference = schema.get(keyword)
            if isinstance(reference, str):
                self._references.append((place, keyword, reference))
        for keyword in ("dependencies", "$recursiveRef"):
            if keyword in schema:
                self._note((*place.steps, keyword), "is no keyword of draft 2020-12")
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            self._pattern((*place.steps, "pattern"), pattern)
        named = schema.get("patternProperties")
        if isinstance(named, dict):
            for name in named:
                self._pattern((*place.steps, "patternProperties"), name)

    def _pattern(self, steps: tuple[Step, ...], pattern: str) -> None:
        if len(self._patterns) >= MAX_PATTERNS and pattern not in self._patterns:
            self._fault(steps, f"is one pattern too many: a schema may hold {MAX_PATTERNS} different ones")
            return
        self._patterns.add(pattern)
        program = compile_pattern(pattern)
        if isinstance(program, Unsupported):
            self._note(steps, f'the pattern "{shorten(pattern, 100)}" cannot be checked ({program.reason})')

    def _resolve(self, place: _Place, keyword: str, reference: str) -> None:
        try:
            target = place.resource.resolve(reference, self._embedded)
        except ReferenceFault as fault:
            self._fault((*place.steps, keyword), str(fault))
            return
        self._compiled.targets[id(place.schema), keyword] = target
        # a pointer may lead to a place that no keyword makes a schema, such as "#/components/x": it is one now
        self._walk(_Place(target, (*place.steps, keyword), place.resource))

    def _fault(self, steps: tuple[Step, ...], message: str) -> None:
        if len(self._compiled.faults) < MAX_FAULTS:
            self._compiled.faults.append(f"{path_text(steps)}: {message}")

    def _note(self, steps: tuple[Step, ...], message: str) -> None:
        if len(self._compiled.unchecked) < MAX_FAULTS:
            self._compiled.unchecked.append(f"{path_text(steps)}: {message}")

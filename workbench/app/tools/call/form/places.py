"""Places in a schema document, read tolerantly: a reference, an `allOf` or a mistake in it never raises.

A field is described by a conjunction: its own schema, what that refers to, what `allOf` adds, the branch that was
chosen. `flatten` gives all of them side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.harness.space.schema.references import ReferenceFault, Resource
from workbench.harness.space.schema.soundness import subschemas
from workbench.harness.strict_json import Json

MAX_LAYERS = 100
"""Schemas that one field is put together from; more are not drawn."""

_REFERENCES = ("$ref", "$dynamicRef")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One schema that describes a field, and the resource that its references are read in."""

    schema: Json
    resource: Resource


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A part that is an object, with its references and `allOf` followed."""

    schema: dict[str, Json]
    resource: Resource


@dataclass(slots=True)
class Flat:
    """Everything that describes a field. `faults` says in words what of it could not be read."""

    layers: list[Layer] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    nothing: bool = False
    targets: set[int] = field(default_factory=set)
    """The identities of the schemas it is put together from; one that comes again further down is a cycle."""


class Book:
    """One schema document, in which references are looked up. Nothing outside of it is ever asked for."""

    def __init__(self, schema: Json) -> None:
        self.schema = schema
        self._document = Resource(schema)
        self._embedded: dict[str, Resource] | None = None
        self.nulls: dict[int, bool] = {}
        """Of the forms of `anyOf` and `oneOf`, by identity: whether they are null. Asked for again at every level."""
        self.alone = 0
        """Required objects that were there from the beginning, in the form that is made of it."""

    @property
    def root(self) -> Part:
        """The whole document."""
        return Part(self.schema, self._document)

    def flatten(self, parts: tuple[Part, ...]) -> Flat:
        """Follow references and `allOf` from these parts; the outermost schema comes first."""
        flat = Flat()
        waiting = list(reversed(parts))
        while waiting:
            part = waiting.pop()
            schema = part.schema
            if schema is True:
                continue
            if not isinstance(schema, dict):
                flat.nothing = flat.nothing or schema is False
                if schema is not False:
                    flat.faults.append("where its schema should stand (an object, true or false) there is none")
                continue
            if id(schema) in flat.targets:
                continue
            if len(flat.layers) >= MAX_LAYERS:
                flat.faults.append(f"over {MAX_LAYERS} schemas describe it together")
                break
            flat.targets.add(id(schema))
            layer = Layer(schema, self._resource_of(schema, part.resource))
            flat.layers.append(layer)
            waiting.extend(reversed(self._further(layer, flat)))
        return flat

    def _further(self, layer: Layer, flat: Flat) -> list[Part]:
        further: list[Part] = []
        for keyword in _REFERENCES:
            reference = layer.schema.get(keyword)
            if isinstance(reference, str):
                try:
                    further.append(self._target(layer, reference))
                except ReferenceFault as fault:
                    flat.faults.append(str(fault))
        every = layer.schema.get("allOf")
        if isinstance(every, list):
            further.extend(Part(each, layer.resource) for each in every)
        return further

    def _target(self, layer: Layer, reference: str) -> Part:
        base, _, fragment = reference.partition("#")
        plain = not base and (not fragment or fragment.startswith("/"))
        embedded = {} if plain else self._survey()
        place = layer.resource.resolve(reference, embedded)
        return Part(place, embedded.get(base, layer.resource) if base else layer.resource)

    def _resource_of(self, schema: dict[str, Json], around: Resource) -> Resource:
        identifier = schema.get("$id")
        if schema is self.schema or not isinstance(identifier, str) or not identifier.removesuffix("#"):
            return around
        return self._survey().get(identifier.removesuffix("#"), around)

    def _survey(self) -> dict[str, Resource]:
        """The resources with an `$id`, and all anchors: looked for once, when something first asks for them."""
        if self._embedded is None:
            self._embedded = {}
            seen: set[int] = set()
            waiting: list[tuple[Json, Resource]] = [(self.schema, self._document)]
            while waiting:
                schema, resource = waiting.pop()
                if not isinstance(schema, dict) or id(schema) in seen:
                    continue
                seen.add(id(schema))
                identifier = schema.get("$id")
                if isinstance(identifier, str) and identifier.removesuffix("#"):
                    resource = self._document if schema is self.schema else Resource(schema)
                    self._embedded.setdefault(identifier.removesuffix("#"), resource)
                for keyword in ("$anchor", "$dynamicAnchor"):
                    anchor = schema.get(keyword)
                    if isinstance(anchor, str):
                        resource.anchors.setdefault(anchor, schema)
                for keyword, value in schema.items():
                    waiting.extend((child, resource) for _, child in subschemas(keyword, value))
        return self._embedded

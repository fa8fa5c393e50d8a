"""From a place in a schema to the shape of a field. Whatever stands there gives a shape; nothing raises."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from workbench.app.tools.call.form.layers import (
    Option,
    constants,
    demands_only,
    inferred,
    is_long,
    is_null,
    map_of,
    part_without,
    says_nothing,
    types_of,
    unions_of,
    word_of,
)
from workbench.app.tools.call.form.places import Book, Flat, Layer, Part
from workbench.app.tools.call.form.shape import About, Branch, Kind, Shape, Spot
from workbench.app.tools.call.form.words import compact, first, first_text
from workbench.harness.space.schema.soundness import faults_of
from workbench.harness.space.schema.values import shorten
from workbench.harness.strict_json import Json
from workbench.harness.text import fold

MAX_UNIONS = 20
"""How many `anyOf` inside each other are taken together before a field is left to a JSON editor."""

MAX_BRANCHES = 200
MAX_LEVELS = 32
MAX_CHOICES = 6
"""Choices directly inside each other that are drawn."""


_CRITICAL = frozenset({"type", "enum", "properties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "$ref"})


def read_shape(spot: Spot) -> Shape:
    """What the field at a place is."""
    return _Reading(spot).shape()


class _Reading:
    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.book: Book = spot.book
        self.flat = self.book.flatten(spot.parts)
        self.targets = set(self.flat.targets)
        self.nullable = False
        self.further: list[str] = []
        """Unions that are not drawn."""
        self.faults = list(self.flat.faults)

    def shape(self) -> Shape:
        if self.spot.level > MAX_LEVELS:
            return self._as_json(f"it is nested over {MAX_LEVELS} levels deep")
        reduced = 0
        while self._reduce():
            reduced += 1
            if reduced >= MAX_UNIONS:
                return self._as_json("its choices refer to each other without end")
        layers = self.flat.layers
        broken = [
            (steps[0], f'"{shorten(".".join(map(str, steps)), 60)}" {message}')
            for layer in layers
            for steps, message in faults_of(layer.schema)
        ]
        self.faults += [message for _, message in broken]
        critical = next((message for keyword, message in broken if keyword in _CRITICAL), None)
        if critical is not None:
            return self._as_json(f"the schema is malformed: {critical}")
        if self.flat.nothing:
            return self._as_json("the schema allows nothing here")
        options = self._options()
        if options is not None:
            return self._pick(options)
        branches = self._branches()
        if branches is not None:
            return branches
        types = types_of(layers)
        if types is not None and not types:
            return self._as_json("the types that it asks for exclude each other")
        return self._typed(types)

    # One after the other --------------------------------------------------------------------------------------

    def _reduce(self) -> bool:
        """Take a union apart that leaves one form beside null: that form is what the field is."""
        for layer, keyword, forms in unions_of(self.flat.layers):
            kept = [form for form in forms if not is_null(self.book, form, layer)]
            if len(kept) != 1:
                continue
            rest = self._without(layer, keyword)
            if len(kept) < len(forms):
                types = types_of([Layer(cast("dict[str, Json]", part.schema), part.resource) for part in rest])
                self.nullable = self.nullable or types is None or "null" in types
            self._use(self.book.flatten((*rest, Part(kept[0], layer.resource))))
            return True
        return False

    def _options(self) -> list[Option] | None:
        layers = self.flat.layers
        for layer in layers:
            if "const" in layer.schema:
                return [Option(layer.schema["const"])]
        lists = [cast("list[Json]", layer.schema["enum"]) for layer in layers if "enum" in layer.schema]
        if len(lists) == 1:
            return [Option(value) for value in lists[0]]
        if lists:
            common = set.intersection(*({compact(value) for value in values} for values in lists))
            return [Option(value) for value in lists[0] if compact(value) in common]
        if types_of(layers) == ["null"]:
            return [Option(None)]
        for layer, _, forms in unions_of(layers):
            options: list[Option] = []
            for form in forms if len(forms) <= MAX_BRANCHES else ():
                listed = constants(self.book, form, layer)
                if listed is None:
                    break
                options += listed
            else:
                if options:
                    return options
        return None

    def _pick(self, options: list[Option]) -> Shape:
        types = types_of(self.flat.layers)
        admits_null = types is None or "null" in types
        null = any(option.value is None for option in options) and len(options) > 1
        if null:
            self.nullable = admits_null
            options = [option for option in options if option.value is not None]
        if not options:
            return self._as_json("the schema lists no value that is allowed")
        by_text = {}
        for number, option in enumerate(options):
            by_text.setdefault(compact(option.value), number)
        kind: Kind = "const" if len(options) == 1 else "enum"
        listed = ", ".join(option.label for option in options[:12])
        words = f"always {options[0].label}" if kind == "const" else f"one of {len(options)}: {shorten(listed, 80)}"
        return replace(self._shape(kind, words), options=tuple(options), by_text=by_text)

    def _branches(self) -> Shape | None:
        types = types_of(self.flat.layers)
        if types is not None and "null" in types and len(types) > 1:
            self.nullable = True
            types = [name for name in types if name != "null"]
        for layer, keyword, forms in unions_of(self.flat.layers):
            if demands_only(self.book, forms, layer, types):
                self.further.append(keyword)
                continue
            if len(forms) > MAX_BRANCHES:
                return self._as_json(f"{keyword} has over {MAX_BRANCHES} forms")
            rest = self._without(layer, keyword)
            kept = [form for form in forms if not is_null(self.book, form, layer)]
            if len(kept) < len(forms) and (types is None or self.nullable):
                self.nullable = True
            return self._choice(rest, [Part(form, layer.resource) for form in kept])
        if types is not None and len(types) > 1:
            resource = self.flat.layers[0].resource
            rest = tuple(part_without(layer, {"type"}) for layer in self.flat.layers)
            return self._choice(rest, [Part({"type": name}, resource) for name in types])
        return None

    def _choice(self, rest: tuple[Part, ...], forms: list[Part]) -> Shape:
        if self.spot.choices >= MAX_CHOICES:
            return self._as_json(f"over {MAX_CHOICES} choices stand inside each other")
        level, choices = self.spot.level, self.spot.choices + 1
        branches = tuple(
            Branch(Spot(self.book, (*rest, form), level, choices), form, number) for number, form in enumerate(forms, 1)
        )
        return replace(self._shape("choice", f"one of {len(branches)} forms"), branches=branches)

    def _typed(self, types: list[str] | None) -> Shape:
        layers = self.flat.layers
        if types is not None and "null" in types and len(types) > 1:
            self.nullable = True
        kind = next((name for name in types if name != "null"), "") if types else inferred(layers)
        match kind:
            case "object":
                return self._object()
            case "array":
                return self._array()
            case "string":
                words = f"string, {shorten(fold(text), 40)}" if (text := first_text(layers, "format")) else "string"
                return replace(self._shape("string", words), multiline=is_long(layers))
            case "integer" | "number" | "boolean":
                return self._shape(kind, kind)
            case _:
                return self._as_json("", "any JSON")

    def _object(self) -> Shape:
        properties: dict[str, list[Part]] = {}
        needed: dict[str, None] = {}
        patterns: list[tuple[str, Spot]] = []
        others: Spot | None = None
        closed = False
        for layer in self.flat.layers:
            for name, schema in map_of(layer, "properties").items():
                properties.setdefault(name, []).append(Part(schema, layer.resource))
            names = layer.schema.get("required")
            if isinstance(names, list):
                needed.update((name, None) for name in names if isinstance(name, str))
            for pattern, schema in map_of(layer, "patternProperties").items():
                patterns.append((pattern, self._inside(Part(schema, layer.resource))))
            rest = layer.schema.get("additionalProperties")
            closed = closed or rest is False
            if others is None and (rest is True or isinstance(rest, dict)):
                others = self._inside(Part(rest, layer.resource))
        spots = {name: self._inside(*parts) for name, parts in properties.items()}
        for name in needed:
            if name not in spots:
                spots[name] = others or self._inside()
        if not spots and not patterns:
            if self.spot.level == 0 and (others is None or closed or says_nothing(others.parts)):
                return replace(self._shape("json", "JSON"), closed=closed)
            if others is None:
                others = self._inside()
        count = f"object, {len(spots)} {'field' if len(spots) == 1 else 'fields'}"
        return replace(
            self._shape("object", count if spots else "object, keys of your own"),
            properties=spots,
            required=frozenset(needed),
            patterns=tuple(patterns),
            others=None if closed else others,
            closed=closed,
        )

    def _array(self) -> Shape:
        prefix: tuple[Spot, ...] = ()
        items: list[Part] = []
        for layer in self.flat.layers:
            listed = layer.schema.get("prefixItems")
            if isinstance(listed, list) and not prefix:
                prefix = tuple(self._inside(Part(schema, layer.resource)) for schema in listed)
            if "items" in layer.schema:
                items.append(Part(layer.schema["items"], layer.resource))
        of = f" of {word_of(self.book, items)}" if items else ""
        words = f"array, {len(prefix)} places" if prefix else f"array{of}"
        return replace(self._shape("array", words), prefix=prefix, items=self._inside(*items))

    # Together -------------------------------------------------------------------------------------------------

    def _as_json(self, reason: str, words: str = "JSON") -> Shape:
        return replace(self._shape("json", words), reason=reason)

    def _shape(self, kind: Kind, words: str) -> Shape:
        layers = self.flat.layers
        return Shape(
            kind=kind,
            nullable=self.nullable,
            about=About(tuple(layers), words, tuple(self.faults), tuple(self.further)),
            has_default=any("default" in layer.schema for layer in layers),
            default=first(layers, "default"),
            targets=frozenset(self.targets),
        )

    def _inside(self, *parts: Part) -> Spot:
        """The place of a field inside of this one."""
        return Spot(self.book, parts, self.spot.level + 1)

    def _use(self, flat: Flat) -> None:
        flat.nothing = flat.nothing or self.flat.nothing
        self.flat = flat
        self.targets |= flat.targets
        self.faults += flat.faults

    def _without(self, layer: Layer, keyword: str) -> tuple[Part, ...]:
        """All layers, as parts whose references were followed already, without one union."""
        return tuple(part_without(each, {keyword} if each is layer else set()) for each in self.flat.layers)

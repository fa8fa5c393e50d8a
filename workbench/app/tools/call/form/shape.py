"""What a field is: its kind, what it may hold, what is said of it. Read from a schema, never raising."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from workbench.app.tools.call.form.layers import Option, branch_label
from workbench.app.tools.call.form.places import Book, Layer, Part
from workbench.app.tools.call.form.words import bounds, first_text, undrawn
from workbench.harness.space.schema.values import show_wanted
from workbench.harness.strict_json import Json
from workbench.harness.text import fold

Kind = Literal["string", "integer", "number", "boolean", "enum", "const", "null", "object", "array", "choice", "json"]

TEXT_KINDS = frozenset({"string", "integer", "number"})
"""Kinds whose draft is a text that is typed."""

PICK_KINDS = frozenset({"boolean", "enum", "const"})
"""Kinds whose value is one of a few."""


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """One of several forms that a value may have."""

    spot: Spot
    form: Part
    number: int
    """Counted from 1."""

    @property
    def label(self) -> str:
        """What it is called."""
        return branch_label(self.spot.book, self.form, self.number)


@dataclass(frozen=True, slots=True, eq=False)
class About:
    """What can be said of a field. It is put into words when the field comes into view: a form may have thousands."""

    layers: tuple[Layer, ...]
    words: str
    faults: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    """Keywords that are not drawn here, beside those that never are."""

    def notes(self, shape: Shape) -> tuple[str, ...]:
        """Type, bounds, pattern, default."""
        default = (f"default {show_wanted(shape.default)}",) if shape.has_default else ()
        return (f"{self.words} or null" if shape.nullable else self.words, *bounds(self.layers), *default)

    def remarks(self) -> tuple[str, ...]:
        """What is not drawn, and what is wrong."""
        return tuple(dict.fromkeys([*self.faults, *undrawn(self.layers, self.further)]))


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A field, as it is drawn. `reason` says why it is edited as JSON where its kind is `json`."""

    kind: Kind
    nullable: bool = False
    about: About | None = None
    reason: str = ""
    multiline: bool = False
    has_default: bool = False
    default: Json = None
    options: tuple[Option, ...] = ()
    by_text: Mapping[str, int] = field(default_factory=dict)
    """The compact JSON of each option, and its number."""
    branches: tuple[Branch, ...] = ()
    properties: Mapping[str, Spot] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    patterns: tuple[tuple[str, Spot], ...] = ()
    others: Spot | None = None
    """What other keys hold, where the schema says that there may be some."""
    closed: bool = False
    """Whether other keys are forbidden."""
    prefix: tuple[Spot, ...] = ()
    items: Spot | None = None
    targets: frozenset[int] = frozenset()
    """The schemas it comes from, by identity: how a recursion is noticed."""

    @property
    def title(self) -> str:
        """Its title, on one line."""
        return fold(first_text(self.about.layers, "title")) if self.about else ""

    @property
    def description(self) -> str:
        """What its schema says of it."""
        return first_text(self.about.layers, "description").strip() if self.about else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What it may be, in a few words each: type, bounds, pattern, default."""
        return self.about.notes(self) if self.about else ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is not drawn, and what is wrong with the schema."""
        return self.about.remarks() if self.about else ()

    @property
    def takes_keys(self) -> bool:
        """Whether it is an object to which a person adds keys."""
        return self.kind == "object" and (self.others is not None or bool(self.patterns))


class Spot:
    """Where a field stands in a schema document; its shape is read when somebody first asks."""

    __slots__ = ("_shape", "book", "choices", "level", "parts")

    def __init__(self, book: Book, parts: tuple[Part, ...], level: int = 0, choices: int = 0) -> None:
        self.book = book
        self.parts = parts
        self.level = level
        """How many objects and arrays it is in."""
        self.choices = choices
        """How many choices it is the form of."""
        self._shape: Shape | None = None

    @property
    def shape(self) -> Shape:
        """What is there."""
        if self._shape is None:
            from workbench.app.tools.call.form.reading import read_shape

            self._shape = read_shape(self)
        return self._shape

    @property
    def plain(self) -> bool:
        """Whether it certainly has nothing to begin with: no default, and nothing that could lead to one."""
        for part in self.parts:
            if not isinstance(part.schema, dict):
                continue
            if not _LEADING.isdisjoint(part.schema):
                return False
        return True


_LEADING = frozenset({"default", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"})

"""A compiled schema, and what stands at its places, brought into one form."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.harness.space.schema.compare.kinds import kinds_named
from workbench.harness.space.schema.compare.merging import merged
from workbench.harness.space.schema.compare.same import CONSTRAINTS, REFERENCES
from workbench.harness.space.schema.compare.steps import Steps
from workbench.harness.space.schema.compiled import Compiled
from workbench.harness.strict_json import Json

MAX_LEVELS = 40
"""References and `allOf` inside each other that are followed at one place."""

_CHOICES = ("anyOf", "oneOf")
_APPLIED = frozenset({"allOf", "anyOf", "oneOf", "if", "then", "else", "not", *REFERENCES})
_UNEVALUATED = ("unevaluatedItems", "unevaluatedProperties")
_REACHING = frozenset({"allOf", "anyOf", "oneOf", "if", "dependentSchemas", *REFERENCES})
_NULL: dict[str, Json] = {"type": "null"}

Schema = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Choice:
    """An `anyOf`, or a `oneOf`, of which exactly one branch must fit."""

    keyword: str
    branches: tuple[Json, ...]

    @property
    def exclusive(self) -> bool:
        """Whether exactly one must fit."""
        return self.keyword == "oneOf"


@dataclass(slots=True)
class View:
    """Everything a value at one place must fit: `plain` keywords and each of the other parts.

    What `allOf` and references say is in `plain` where it can be; members that cannot be brought together are in
    `every`. `opaque` names keywords whose meaning hangs on all the others.
    """

    never: bool = False
    plain: Schema = field(default_factory=dict[str, Json])
    every: list[Json] = field(default_factory=list["Json"])
    choices: list[Choice] = field(default_factory=list[Choice])
    nots: list[Json] = field(default_factory=list["Json"])
    conditions: list[tuple[Json, Json, Json]] = field(default_factory=list["tuple[Json, Json, Json]"])
    opaque: list[str] = field(default_factory=list[str])

    @property
    def simple(self) -> bool:
        """Whether `plain` is all there is."""
        return not (self.every or self.choices or self.nots or self.conditions or self.opaque or self.never)


class Places:
    """The places of one of the two schemas."""

    def __init__(self, compiled: Compiled, steps: Steps) -> None:
        self.compiled = compiled
        self._steps = steps
        # With each answer stands its place: an id must not be taken by another object meanwhile.
        self._views: dict[int, tuple[Json, View]] = {}
        self._made: dict[tuple[object, ...], tuple[object, Schema]] = {}
        self._open: set[int] = set()

    def view(self, place: Json) -> View:
        """What stands there."""
        if not isinstance(place, dict):
            return View(never=place is False)
        known = self._views.get(id(place))
        if known is None:
            known = self._views[id(place)] = (place, self._read(place, 0))
        return known[1]

    def target(self, place: Json) -> Json:
        """The place itself, or where it leads when it is a reference and no more."""
        for _ in range(MAX_LEVELS):
            if not isinstance(place, dict) or CONSTRAINTS.intersection(place) != frozenset({"$ref"}):
                break
            place = self.compiled.target(place, "$ref")
        return place

    def both(self, *places: Json) -> Json:
        """One schema that says what all of these say."""
        if len(places) == 1:
            return places[0]
        key = tuple(map(id, places))
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = (places, {"allOf": list(places)})
        return made[1]

    def without_choice(self, place: Schema, keyword: str, branch: Json) -> Json:
        """The place with one branch of a choice in the choice's stead."""
        key = (keyword, id(place), id(branch))
        made = self._made.get(key)
        if made is None:
            rest = {name: value for name, value in place.items() if name != keyword}
            every = rest.get("allOf")
            rest["allOf"] = [*(every if isinstance(every, list) else []), branch]
            made = self._made[key] = ((place, branch), rest)
        return made[1]

    def of_type(self, name: str) -> Json:
        """A place that says a type and no more."""
        made = self._made.get((name,))
        if made is None:
            made = self._made[name,] = (None, {"type": name})
        return made[1]

    def _read(self, place: Schema, level: int) -> View:
        self._steps.take(4)
        view = View(plain={key: value for key, value in place.items() if key in CONSTRAINTS and key not in _APPLIED})
        self._settle_unevaluated(place, view)
        for keyword in _CHOICES:
            branches = place.get(keyword)
            if isinstance(branches, list):
                view.choices.append(Choice(keyword, tuple(branches)))
        if "not" in place:
            view.nots.append(place["not"])
        if "if" in place and ("then" in place or "else" in place):
            view.conditions.append((place["if"], place.get("then", True), place.get("else", True)))
        members = [self.compiled.target(place, keyword) for keyword in REFERENCES if keyword in place]
        every = place.get("allOf")
        members += every if isinstance(every, list) else []
        members += [choice.branches[0] for choice in view.choices if len(choice.branches) == 1]
        view.choices = [choice for choice in view.choices if len(choice.branches) > 1]
        for member in members:
            self._add(view, member, level)
        self._settle_null(view, level)
        return view

    def _add(self, view: View, member: Json, level: int) -> None:
        if not isinstance(member, dict):
            view.never = view.never or member is False
            return
        if level >= MAX_LEVELS or id(member) in self._open:
            view.every.append(member)
            return
        self._open.add(id(member))
        try:
            other = self._read(member, level + 1)
        finally:
            self._open.discard(id(member))
        if not self._join(view, other):
            view.every.append(member)

    def _join(self, view: View, other: View) -> bool:
        plain = None if other.opaque or view.opaque else merged(view.plain, other.plain, self.both)
        if plain is None:
            return False
        view.plain = plain
        view.never = view.never or other.never
        view.every += other.every
        view.choices += other.choices
        view.nots += other.nots
        view.conditions += other.conditions
        return True

    def _settle_unevaluated(self, place: Schema, view: View) -> None:
        """Where nothing but the keywords beside it counts, "unevaluated" means "additional"; elsewhere it is opaque."""
        reaching = not _REACHING.isdisjoint(place)
        for keyword, rest in zip(_UNEVALUATED, ("items", "additionalProperties"), strict=True):
            value = view.plain.pop(keyword, True)
            if value is True or value == {}:
                continue
            if reaching or (rest == "items" and "contains" in place):
                view.opaque.append(keyword)
            elif rest not in view.plain:
                view.plain[rest] = value

    def _settle_null(self, view: View, level: int) -> None:
        """A choice between something simple and null is that something, nullable."""
        for choice in list(view.choices):
            if len(choice.branches) != 2 or _NULL not in choice.branches or level >= MAX_LEVELS:
                continue
            inner = choice.branches[choice.branches.index(_NULL) - 1]
            if not isinstance(inner, dict) or id(inner) in self._open:
                continue
            self._open.add(id(inner))
            try:
                other = self._read(inner, level + 1)
            finally:
                self._open.discard(id(inner))
            named = other.plain.get("type")
            if not other.simple or named is None or "null" in kinds_named(named):
                continue
            other.plain = {**other.plain, "type": [*(named if isinstance(named, list) else [named]), "null"]}
            if "const" in other.plain:
                other.plain["enum"] = [other.plain.pop("const"), None] if "enum" not in other.plain else []
            elif isinstance(values := other.plain.get("enum"), list):
                other.plain["enum"] = [*values, None]
            if other.plain.get("enum") != [] and self._join(view, other):
                view.choices.remove(choice)

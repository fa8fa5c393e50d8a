"""Words of a schema that decide nothing, and words about those that do."""

from __future__ import annotations

from workbench.harness.space.schema.compare.changes import Fact
from workbench.harness.space.schema.compare.kinds import ALL_KINDS, KINDS
from workbench.harness.space.schema.compare.same import CONSTRAINTS
from workbench.harness.space.schema.soundness import subschemas
from workbench.harness.space.schema.values import identity, shorten, show, show_wanted
from workbench.harness.strict_json import Json

_NOTES = {
    "default": "nothing fills it in; it tells what is meant when the value is left out",
    "description": "it tells what the value means, and is not checked",
    "examples": "they show how a value may look, and are not checked",
    "format": "it tells what form a text has, and is not checked here",
    "title": "it is a name for people, and is not checked",
    "deprecated": "it advises against the value, and refuses none",
}
_IGNORED = frozenset({"$defs", "definitions", "$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary"})


def word_facts(old: Json, new: Json, path: str) -> list[Fact]:
    """The keywords of two places that refuse nothing and are different."""
    one = old if isinstance(old, dict) else {}
    other = new if isinstance(new, dict) else {}
    return [
        Fact(path, _change(name, one, other), note=_NOTES.get(name, "nothing checks it"))
        for name in sorted((one.keys() | other.keys()) - CONSTRAINTS - _IGNORED)
        if name not in one or name not in other or identity(one[name]) != identity(other[name])
    ]


def kind_words(kinds: frozenset[str]) -> str:
    """Kinds of values as the names of types."""
    if kinds == ALL_KINDS:
        return "anything"
    numbers = {"integer", "fraction"} & kinds
    ordered = [*KINDS[1:], KINDS[0]]  # null at the end, as people write it
    names = ["number" if kind == "fraction" else kind for kind in ordered if kind in kinds]
    if len(numbers) == 2:
        names.remove("integer")
    return " | ".join(names) or "nothing"


def values_words(place: Json, values: list[Json] | None) -> str:
    """What a place that may be a list of values says."""
    if values is None:
        named = place.get("type") if isinstance(place, dict) else None
        return " | ".join(map(str, named if isinstance(named, list) else [named])) if named else "other values"
    if not values:
        return "nothing"
    if len(values) == 1:
        return show_wanted(values[0], 60)
    shown = [show_wanted(value, 30) for value in values[:6]]
    more = f", {len(values) - 6} more" if len(values) > 6 else ""
    return f"one of {', '.join(shown)}{more}"


def value_change(name: str, old: Json | None, new: Json | None) -> str:
    """`minLength 1 → 3`; None stands for a keyword that is not there."""
    return f"{name} {'none' if old is None else show_wanted(old)} → {'none' if new is None else show_wanted(new)}"


def told(*facts: Fact) -> list[Fact]:
    """The facts that say that something is lost, gained or not known."""
    return [fact for fact in facts if fact.narrows or fact.widens]


def _change(name: str, one: dict[str, Json], other: dict[str, Json]) -> str:
    label = shorten(name, 60)
    if name not in one:
        return f"{label} added: {_brief(name, other[name])}"
    if name not in other:
        return f"{label} removed: {_brief(name, one[name])}"
    return f"{label} {_brief(name, one[name])} → {_brief(name, other[name])}"


def _brief(name: str, value: Json) -> str:
    return show(value) if any(True for _ in subschemas(name, value)) else show_wanted(value, 100)

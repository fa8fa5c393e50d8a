"""Objects: which properties there may be, must be, and what their values are."""

from __future__ import annotations

from typing import cast

from workbench.harness.space.schema.compare.changes import Fact
from workbench.harness.space.schema.compare.pair import Pair, property_step
from workbench.harness.space.schema.compare.scalars import count_facts
from workbench.harness.space.schema.compare.words import told
from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.space.schema.values import shorten, show_wanted
from workbench.harness.strict_json import Json

Plain = dict[str, Json]


def object_facts(pair: Pair) -> list[Fact]:
    """Everything about objects."""
    old, new = pair.a.plain, pair.b.plain
    facts = _required_facts(pair)
    facts += _property_facts(pair)
    facts += _pattern_facts(pair)
    facts += _other_facts(pair)
    needed = (len(_names(old.get("required"))), len(_names(new.get("required"))))
    facts += count_facts(pair, "minProperties", "maxProperties", "objects of {} than {}", "property", *needed)
    facts += pair.below(old.get("propertyNames", True), new.get("propertyNames", True), "(names)")
    return [*facts, *_dependent_facts(pair)]


def _required_facts(pair: Pair) -> list[Fact]:
    old, new = (_names(plain.get("required")) for plain in (pair.a.plain, pair.b.plain))
    facts: list[Fact] = []
    for name in sorted((old | new) - (old & new)):
        without = f"objects without {_quoted(name)}"
        path = pair.path + property_step(name)
        if name in new:
            facts.append(Fact(path, "required now", lost=without))
        else:
            facts.append(Fact(path, "optional now", gained=without))
    return facts


def _property_facts(pair: Pair) -> list[Fact]:
    old, new = pair.comparison.old, pair.comparison.new
    named_old, named_new = (_map(plain.get("properties")) for plain in (pair.a.plain, pair.b.plain))
    facts: list[Fact] = []
    for name in dict.fromkeys([*named_new, *named_old]):
        one, other = old.property(pair.a, name), new.property(pair.b, name)
        step = property_step(name)
        if name in named_old and name in named_new:
            facts += pair.below(one, other, step)
            continue
        narrows, widens = pair.narrows_below(one, other), pair.widens_below(one, other)
        if name in named_new:
            facts.append(_added(pair, name, one, other, narrows, widens))
        else:
            facts.append(_removed(pair, name, one, other, narrows, widens))
    return facts


def _added(pair: Pair, name: str, one: Json, other: Json, narrows: bool, widens: bool) -> Fact:
    """A property that the old schema does not name; there it was one of the others."""
    quoted = _quoted(name)
    needed = "required" if name in _names(pair.b.plain.get("required")) else "optional"
    return Fact(
        pair.path + property_step(name),
        f"property added, {needed}: {_type_words(other)}",
        lost=f"objects with anything else under {quoted}, a name that was free,"
        if narrows and other is not False
        else f"objects with {quoted}"
        if narrows
        else "",
        gained=f"objects with {quoted}"
        if widens and one is False
        else f"objects with other values of {quoted}"
        if widens
        else "",
        note=f"an object could have {quoted} before as well, because other properties are allowed",
    )


def _removed(pair: Pair, name: str, one: Json, other: Json, narrows: bool, widens: bool) -> Fact:
    """A property that the new schema does not name; there it is one of the others."""
    quoted = _quoted(name)
    return Fact(
        pair.path + property_step(name),
        f"property removed: {_type_words(one)}",
        lost=f"objects with {quoted}"
        if narrows and other is False
        else f"objects with other values of {quoted}"
        if narrows
        else "",
        gained=f"objects with anything else under {quoted}, a name that is free now,"
        if widens and one is not False
        else f"objects with {quoted}"
        if widens
        else "",
        note=f"an object may have {quoted} still, because other properties are allowed",
    )


def _pattern_facts(pair: Pair) -> list[Fact]:
    old, new = (_map(plain.get("patternProperties")) for plain in (pair.a.plain, pair.b.plain))
    facts: list[Fact] = []
    for pattern in dict.fromkeys([*new, *old]):
        step = f"{{{shorten(pattern, 60)}}}"
        if pattern in old and pattern in new:
            facts += pair.below(old[pattern], new[pattern], step)
        elif pattern in new:
            before = [_others(pair.a.plain), *old.values()]
            if any(pair.narrows_below(place, new[pattern]) for place in before):
                lost = f"objects with other values under names that match {shorten(pattern, 60)}"
                facts.append(Fact(pair.path + step, "pattern of names added", lost=lost))
        elif any(pair.widens_below(old[pattern], place) for place in (_others(pair.b.plain), *new.values())):
            gained = f"objects with other values under names that match {shorten(pattern, 60)}"
            facts.append(Fact(pair.path + step, "pattern of names removed", gained=gained))
    unsure = [pattern for pattern in dict.fromkeys([*old, *new]) if isinstance(compile_pattern(pattern), Unsupported)]
    if unsure and not _same_names(pair, old, new):
        doubt = f"which names match {shorten(unsure[0], 60)} cannot be told"
        facts.append(Fact(pair.path, "names of properties", doubt=doubt, narrows=True, widens=True))
    return facts


def _same_names(pair: Pair, old: Plain, new: Plain) -> bool:
    if old.keys() != new.keys() or not all(pair.same(old[name], new[name]) for name in old):
        return False
    named = [_map(plain.get("properties")) for plain in (pair.a.plain, pair.b.plain)]
    if named[0].keys() != named[1].keys() or not all(pair.same(named[0][name], named[1][name]) for name in named[0]):
        return False
    return pair.same(_others(pair.a.plain), _others(pair.b.plain))


def _other_facts(pair: Pair) -> list[Fact]:
    """Properties that neither side names, and those that only one side has a pattern for."""
    one, other = _others(pair.a.plain), _others(pair.b.plain)
    old, new = (_map(plain.get("patternProperties")) for plain in (pair.a.plain, pair.b.plain))
    facts: list[Fact] = []
    if isinstance(one, bool) and isinstance(other, bool):
        words = "objects with properties that are not named"
        facts += told(
            Fact(
                pair.path + ".*",
                f"additionalProperties {str(one).lower()} → {str(other).lower()}",
                lost=words if one and not other else "",
                gained=words if other and not one else "",
            )
        )
    else:
        facts += pair.below(one, other, ".*")
    left = [place for name, place in old.items() if name not in new]
    if any(pair.narrows_below(place, other) for place in left):
        facts.append(Fact(pair.path + ".*", "pattern of names removed", lost="objects with names that matched it"))
    come = [place for name, place in new.items() if name not in old]
    if any(pair.widens_below(one, place) for place in come):
        facts.append(Fact(pair.path + ".*", "pattern of names added", gained="objects with names that match it"))
    return facts


def _dependent_facts(pair: Pair) -> list[Fact]:
    old, new = pair.a.plain, pair.b.plain
    facts: list[Fact] = []
    asked = [_asked(plain) for plain in (old, new)]
    for name, other in sorted(asked[0] ^ asked[1]):
        words = f"objects with {_quoted(name)} and without {_quoted(other)}"
        path = pair.path + property_step(other)
        if (name, other) in asked[1]:
            if other not in _names(old.get("required")):
                facts.append(Fact(path, f"required now beside {_quoted(name)}", lost=words))
        elif other not in _names(new.get("required")):
            facts.append(Fact(path, f"optional now beside {_quoted(name)}", gained=words))
    schemas = [_map(plain.get("dependentSchemas")) for plain in (old, new)]
    for name in dict.fromkeys([*schemas[1], *schemas[0]]):
        one, other = schemas[0].get(name, True), schemas[1].get(name, True)
        step = f"(with {shorten(name, 40)})"
        found = pair.beside(one, other, step)
        if any(fact.narrows for fact in found) and not pair.narrows(pair.old, other):
            found = [fact.keep(narrows=False) for fact in found]
        if any(fact.widens for fact in found) and not pair.widens(one, pair.new):
            found = [fact.keep(widens=False) for fact in found]
        facts += found
    return facts


def _asked(plain: Plain) -> set[tuple[str, str]]:
    return {
        (name, str(other))
        for name, needed in _map(plain.get("dependentRequired")).items()
        for other in cast("list[Json]", needed)
    }


def _others(plain: Plain) -> Json:
    others = plain.get("additionalProperties", True)
    return True if others == {} else others


def _map(value: Json | None) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _names(value: Json | None) -> set[str]:
    return set(map(str, value)) if isinstance(value, list) else set()


def _quoted(name: str) -> str:
    return f"“{shorten(name, 60)}”"


def _type_words(place: Json) -> str:
    if not isinstance(place, dict):
        return "nothing" if place is False else "anything"
    named = place.get("type")
    if named is None:
        listed = place.get("enum", [place["const"]] if "const" in place else None)
        return f"one of {show_wanted(listed)}" if listed is not None else "a schema"
    return " | ".join(map(str, named if isinstance(named, list) else [named]))

"""Numbers and texts: bounds, factors, patterns."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import cast

from workbench.harness.space.schema.compare.changes import Fact
from workbench.harness.space.schema.compare.pair import Pair
from workbench.harness.space.schema.compare.words import told, value_change
from workbench.harness.space.schema.values import show_wanted
from workbench.harness.strict_json import Json

Plain = dict[str, Json]
Bound = tuple[Fraction, bool]
"""A bound, and whether the bound itself is out."""


def number_facts(pair: Pair) -> list[Fact]:
    """Bounds and `multipleOf`."""
    old, new = pair.a.plain, pair.b.plain
    facts = [_bound_fact(pair, sign) for sign in (1, -1)]
    if old.get("multipleOf") != new.get("multipleOf"):
        facts.append(
            Fact(
                pair.path,
                value_change("multipleOf", old.get("multipleOf"), new.get("multipleOf")),
                lost=_not_multiples(old, new, whole="fraction" not in pair.old_kinds),
                gained=_not_multiples(new, old, whole="fraction" not in pair.new_kinds),
            )
        )
    return told(*facts)


def string_facts(pair: Pair) -> list[Fact]:
    """Lengths and `pattern`."""
    facts = count_facts(pair, "minLength", "maxLength", "texts {} than {}", "character")
    one, other = pair.a.plain.get("pattern"), pair.b.plain.get("pattern")
    if one != other:
        facts.append(
            Fact(
                pair.path,
                value_change("pattern", one, other),
                lost="" if other is None or one is not None else f"texts that do not match {show_wanted(other)}",
                gained="" if one is None or other is not None else f"texts that do not match {show_wanted(one)}",
                doubt="whether all that matches one pattern matches the other cannot be told",
                narrows=other is not None,
                widens=one is not None,
            )
        )
    return told(*facts)


def count_facts(
    pair: Pair, least: str, most: str, phrase: str, unit: str, old_least: int = 0, new_least: int = 0
) -> list[Fact]:
    """A minimum and a maximum that count something; `phrase` has room for shorter or longer and for so many of a unit.

    `old_least` and `new_least` are what other keywords ask for at least.
    """
    old, new = pair.a.plain, pair.b.plain
    fewer, more = ("shorter", "longer") if "texts" in phrase else ("fewer", "more")
    low = (max(_count(old.get(least, 0)), old_least), max(_count(new.get(least, 0)), new_least))
    facts = [
        Fact(
            pair.path,
            value_change(least, old.get(least), new.get(least)),
            lost=phrase.format(fewer, units(low[1], unit))
            if low[1] > low[0] and _count(new.get(least, 0)) > low[0]
            else "",
            gained=phrase.format(fewer, units(low[0], unit))
            if low[0] > low[1] and _count(old.get(least, 0)) > low[1]
            else "",
        )
    ]
    one, other = old.get(most), new.get(most)
    if one != other:
        facts.append(
            Fact(
                pair.path,
                value_change(most, one, other),
                lost=phrase.format(more, units(_count(other), unit)) if _tighter(other, one) else "",
                gained=phrase.format(more, units(_count(one), unit)) if _tighter(one, other) else "",
            )
        )
    return told(*facts)


def units(number: int, unit: str) -> str:
    """`1 property`, `3 properties`."""
    plural = "properties" if unit == "property" else f"{unit}s"
    return f"{number} {unit if number == 1 else plural}"


def _count(value: Json) -> int:
    return int(cast("float", value))


def _tighter(one: Json | None, other: Json | None) -> bool:
    return one is not None and (other is None or _count(one) < _count(other))


def _bound_fact(pair: Pair, sign: int) -> Fact:
    """The lower bound for sign 1, the upper one for -1, which is the lower one of the negated numbers."""
    names = ("minimum", "exclusiveMinimum") if sign == 1 else ("maximum", "exclusiveMaximum")
    old, new = pair.a.plain, pair.b.plain
    wholes = ("fraction" not in pair.old_kinds, "fraction" not in pair.new_kinds)
    lost, gained = (
        _higher(_bound(loose, names, sign, whole), _bound(tight, names, sign, whole))
        for loose, tight, whole in ((old, new, wholes[0]), (new, old, wholes[1]))
    )
    return Fact(
        pair.path,
        f"{_bound_words(old, names, sign)} → {_bound_words(new, names, sign)}",
        lost=_outside(new, names, sign) if lost else "",
        gained=_outside(old, names, sign) if gained else "",
    )


def _bound(plain: Plain, names: tuple[str, str], sign: int, whole: bool) -> Bound | None:
    bounds = [(Fraction(cast("float", plain[name])) * sign, name == names[1]) for name in names if name in plain]
    if not bounds:
        return None
    value, out = max(bounds)
    if whole:
        return Fraction(math.floor(value) + 1 if out else math.ceil(value)), False
    return value, out


def _higher(loose: Bound | None, tight: Bound | None) -> bool:
    return tight is not None and (loose is None or tight > loose)


def _given(plain: Plain, names: tuple[str, str], sign: int) -> str | None:
    """Which of the two keywords decides."""
    given = [(Fraction(cast("float", plain[name])) * sign, name == names[1], name) for name in names if name in plain]
    return max(given)[2] if given else None


def _bound_words(plain: Plain, names: tuple[str, str], sign: int) -> str:
    name = _given(plain, names, sign)
    return f"no {names[0]}" if name is None else f"{name} {show_wanted(plain[name])}"


def _outside(plain: Plain, names: tuple[str, str], sign: int) -> str:
    name = _given(plain, names, sign)
    if name is None:
        return ""
    side = "below" if sign == 1 else "above"
    number = show_wanted(plain[name])
    return f"numbers {side} {number}" if name == names[0] else f"{number} and numbers {side} it"


def _not_multiples(loose: Plain, tight: Plain, *, whole: bool) -> str:
    """Which numbers the tight side's factor refuses and the loose side's lets through; empty for none."""
    factor = tight.get("multipleOf")
    if factor is None:
        return ""
    wanted = Fraction(str(factor))
    # Whole numbers are multiples of 1, and so of every factor that 1 is a multiple of.
    steps = [Fraction(str(loose["multipleOf"]))] if loose.get("multipleOf") is not None else []
    steps += [Fraction(1)] if whole else []
    if any((step / wanted).denominator == 1 for step in steps):
        return ""
    return f"numbers that are no multiples of {show_wanted(factor)}"

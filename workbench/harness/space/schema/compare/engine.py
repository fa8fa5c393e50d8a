"""The comparison of two places, level by level: which values only one of them accepts.

What it promises: where no fact says that something narrows, every value that the old place accepts is accepted by the
new one; where none says that something widens, the other way round. What it cannot find out counts as both.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable

from workbench.harness.space.schema.compare.arrays import array_facts
from workbench.harness.space.schema.compare.branches import part_facts
from workbench.harness.space.schema.compare.changes import ONE_VALUE, Fact
from workbench.harness.space.schema.compare.kinds import KINDS, kinds_of_type, listed_values
from workbench.harness.space.schema.compare.objects import object_facts
from workbench.harness.space.schema.compare.pair import Pair
from workbench.harness.space.schema.compare.places import Choice
from workbench.harness.space.schema.compare.same import REFERENCES, Sameness
from workbench.harness.space.schema.compare.scalars import number_facts, string_facts
from workbench.harness.space.schema.compare.side import Side
from workbench.harness.space.schema.compare.steps import Steps
from workbench.harness.space.schema.compare.words import kind_words, told, values_words, word_facts
from workbench.harness.space.schema.compiled import Compiled
from workbench.harness.space.schema.values import identity, show_wanted
from workbench.harness.strict_json import Json

MAX_DEPTH = 60
"""Places inside each other that are compared; real schemas end long before."""

MOST_KINDS = 3
"""Kinds of values that are named one by one."""

_GROUPS = (
    (frozenset({"integer", "fraction"}), number_facts),
    (frozenset({"string"}), string_facts),
    (frozenset({"array"}), array_facts),
    (frozenset({"object"}), object_facts),
)


class Comparison:
    """One comparison of two schemas."""

    def __init__(self, old: Compiled, new: Compiled, steps: Steps) -> None:
        self._steps = steps
        self.old, self.new = Side(old, steps), Side(new, steps)
        self.same = Sameness(old, new, steps)
        self._open: dict[tuple[int, int], int] = {}
        self._depth = 0

    def facts(self, old: Json, new: Json, path: str, level: int, *, tell: bool = True) -> list[Fact]:
        """What is different at two places. `level` counts the steps down into a value that led there.

        With `tell` differences of words are facts too.
        """
        self._steps.take(10)
        if self.same.of(old, new, words=tell):
            return []
        key = (id(self.old.target(old)), id(self.new.target(new)))
        before = self._open.get(key)
        if before is not None:
            # Of a smaller value this is being found out already; of the very same value nothing follows from it.
            return [] if level > before else [_unknown(path, "the schema refers to itself without end")]
        if self._depth >= MAX_DEPTH:
            return [_unknown(path, f"it lies over {MAX_DEPTH} schemas deep")]
        self._open[key] = level
        self._depth += 1
        try:
            found = self._facts(Pair(self, old, new, path, level, tell))
        finally:
            self._depth -= 1
            del self._open[key]
        if tell and self.same.of(old, new):
            found = [fact.keep(narrows=False, widens=False) for fact in found]
        return found

    def narrows(self, old: Json, new: Json, level: int) -> bool:
        """Whether the new place may refuse something that the old one accepts."""
        return any(fact.narrows for fact in self.facts(old, new, "", level, tell=False))

    def widens(self, old: Json, new: Json, level: int) -> bool:
        """Whether the new place may accept something that the old one refuses."""
        return any(fact.widens for fact in self.facts(old, new, "", level, tell=False))

    def _facts(self, pair: Pair) -> list[Fact]:
        words = word_facts(pair.old, pair.new, pair.path) if pair.tell else []
        found = self._counted(pair)
        if found is None:
            found = self._compared(pair)
        if pair.tell and not found and not self.same.of(pair.old, pair.new):
            found = [Fact(pair.path, "written otherwise", note="the same values fit as before")]
        return [*found, *words]

    def _compared(self, pair: Pair) -> list[Fact]:
        found = [*_kind_facts(pair), *_many_values(pair)]
        for kinds, group in _GROUPS:
            if kinds & pair.old_kinds & pair.new_kinds:
                found += group(pair)
        found += part_facts(pair)
        if any(fact.narrows for fact in found) and self._saved(pair.old, pair.new, self.old, pair, old=True):
            found = [fact.keep(narrows=False) for fact in found]
        if any(fact.widens for fact in found) and self._saved(pair.new, pair.old, self.new, pair, old=False):
            found = [fact.keep(widens=False) for fact in found]
        return found

    def _counted(self, pair: Pair) -> list[Fact] | None:
        """Where one side takes only so many values, each of them is tried; None where neither does."""
        old, new = self.old.values(pair.old), self.new.values(pair.new)
        if old is None and new is None:
            return None
        lost, unsure_lost = self._tried(old, self.old, pair.old, self.new, pair.new)
        gained, unsure_gained = self._tried(new, self.new, pair.new, self.old, pair.old)
        unsure = unsure_lost or unsure_gained
        return told(
            Fact(
                pair.path,
                _counted_words(pair, old, new),
                lost=_values_listed(lost)
                if old is not None
                else "values that are not listed now"
                if new
                else "all values",
                gained=_values_listed(gained) if new is not None else "other values" if old else "values of this form",
                doubt="trying its values takes too long" if unsure else "",
                narrows=unsure_lost,
                widens=unsure_gained,
            )
        )

    def _tried(
        self, values: list[Json] | None, own: Side, place: Json, other: Side, against: Json
    ) -> tuple[list[Json], bool]:
        """The values of one side that the other refuses, and whether that is not sure."""
        only: list[Json] = []
        unsure = False
        for value in values or ():
            here = own.accepts(place, value)
            there = other.accepts(against, value) if here is not False else True
            if here is not False and there is False:
                only.append(value)
            unsure = unsure or (here is not False and there is None)
        return only, unsure

    def _saved(self, place: Json, against: Json, side: Side, pair: Pair, *, old: bool) -> bool:
        """Whether a part of a place alone, or each branch of a choice of it, makes sure that the other side fits."""
        view = side.view(place)

        def fits(part: Json) -> bool:
            return not (self.narrows(part, against, pair.level) if old else self.widens(against, part, pair.level))

        if any(fits(member) for member in view.every):
            return True
        if not isinstance(place, dict):
            return False
        return any(
            all(fits(side.without_choice(place, choice.keyword, branch)) for branch in choice.branches)
            for choice in view.choices
            if _own(place, choice)
        )


def _own(place: dict[str, Json], choice: Choice) -> bool:
    """Whether a choice stands at the place itself, which can then be taken without it."""
    branches = place.get(choice.keyword)
    if not isinstance(branches, list) or not place.keys().isdisjoint(REFERENCES):
        return False
    return len(branches) == len(choice.branches) and all(map(operator.is_, branches, choice.branches))


def _kind_facts(pair: Pair) -> list[Fact]:
    # What a choice takes away is said of the choice.
    lost = pair.old_kinds - kinds_of_type(pair.b.plain)
    gained = pair.new_kinds - kinds_of_type(pair.a.plain)
    if not lost and not gained:
        return []
    return [
        Fact(
            pair.path,
            f"type {kind_words(pair.old_kinds)} → {kind_words(pair.new_kinds)}",
            lost=_of_kinds(lost),
            gained=_of_kinds(gained),
        )
    ]


def _counted_words(pair: Pair, old: list[Json] | None, new: list[Json] | None) -> str:
    if not any(listed_values(view.plain) for view in (pair.a, pair.b)):
        return f"type {kind_words(pair.old_kinds)} → {kind_words(pair.new_kinds)}"
    return f"{values_words(pair.old, old)} → {values_words(pair.new, new)}"


def _many_values(pair: Pair) -> list[Fact]:
    """A list of values that is too long to try each of them."""
    old, new = (_identities(view.plain) for view in (pair.a, pair.b))
    if old == new:
        return []
    lost = new is not None and (old is None or not old <= new)
    gained = old is not None and (new is None or not new <= old)
    what = f"{_listed_words(old)} → {_listed_words(new)}"
    return told(
        Fact(
            pair.path,
            what,
            lost="values that are not listed now" if lost else "",
            gained="values that were not listed before" if gained else "",
        )
    )


def _identities(plain: dict[str, Json]) -> frozenset[Hashable] | None:
    found: frozenset[Hashable] | None = None
    for values in listed_values(plain):
        here = frozenset(map(identity, values))
        found = here if found is None else found & here
    return found


def _listed_words(values: frozenset[Hashable] | None) -> str:
    return "any value" if values is None else f"a list of {len(values):,} values"


def _of_kinds(kinds: frozenset[str]) -> str:
    names = {"null": "null values", "boolean": "true and false", "integer": "integers", "fraction": "fractions"}
    if len(kinds) > MOST_KINDS:
        return "values of any other type"
    words = [names.get(kind, f"{kind}s") for kind in KINDS if kind in kinds]
    return ", ".join(words)


def _values_listed(values: list[Json]) -> str:
    """Some values as a noun phrase; empty for none."""
    shown = [show_wanted(value, 40) for value in values[:8]]
    more = f" and {len(values) - 8} more" if len(values) > 8 else ""
    if len(values) == 1:
        return f"{ONE_VALUE}{shown[0]}"
    return f"the values {', '.join(shown)}{more}" if values else ""


def _unknown(path: str, why: str) -> Fact:
    return Fact(path, "cannot be compared", doubt=why, narrows=True, widens=True)

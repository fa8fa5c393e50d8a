"""The parts of a schema that hold for the very same value: choices, `not`, conditions, members that stay apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from workbench.harness.space.schema.compare.changes import Fact
from workbench.harness.space.schema.compare.pair import Pair
from workbench.harness.space.schema.compare.places import Choice
from workbench.harness.space.schema.compare.side import Side
from workbench.harness.space.schema.compare.words import kind_words
from workbench.harness.strict_json import Json

_Part = TypeVar("_Part")
_Condition: TypeAlias = "tuple[Json, Json, Json]"


def part_facts(pair: Pair) -> list[Fact]:
    """What is different in all of them."""
    facts = _member_facts(pair)
    facts += _choice_facts(pair)
    facts += _not_facts(pair)
    facts += _condition_facts(pair)
    if pair.a.opaque or pair.b.opaque:
        names = ", ".join(dict.fromkeys([*pair.a.opaque, *pair.b.opaque]))
        doubt = f"what {names} means depends on every other part of the schema"
        facts.append(Fact(pair.path, names, doubt=doubt, narrows=bool(pair.b.opaque), widens=bool(pair.a.opaque)))
    return facts


def paired(
    old: Sequence[_Part], new: Sequence[_Part], same: Callable[[_Part, _Part], bool]
) -> tuple[list[_Part], list[_Part]]:
    """What is left of two lists when what is the same is taken out of both."""
    left, rest = list[_Part](), list(new)
    for one in old:
        twin = next((index for index, other in enumerate(rest) if same(one, other)), None)
        if twin is None:
            left.append(one)
        else:
            del rest[twin]
    return left, rest


def _member_facts(pair: Pair) -> list[Fact]:
    left, rest = paired(pair.a.every, pair.b.every, pair.same)
    facts: list[Fact] = []
    for index in range(max(len(left), len(rest))):
        one = left[index] if index < len(left) else True
        other = rest[index] if index < len(rest) else True
        found = pair.beside(one, other, f"(allOf {index + 1})")
        if any(fact.narrows for fact in found) and not _narrows_whole(pair, other):
            found = [fact.keep(narrows=False) for fact in found]
        if any(fact.widens for fact in found) and not _widens_whole(pair, one):
            found = [fact.keep(widens=False) for fact in found]
        facts += found
    return facts


def _narrows_whole(pair: Pair, part: Json) -> bool:
    """Whether a part of the new schema may refuse something that the old one, taken whole, accepts."""
    return part is not True and pair.narrows(pair.old, part)


def _widens_whole(pair: Pair, part: Json) -> bool:
    return part is not True and pair.widens(part, pair.new)


def _choice_facts(pair: Pair) -> list[Fact]:
    def same(one: Choice, other: Choice) -> bool:
        if one.exclusive != other.exclusive or len(one.branches) != len(other.branches):
            return False
        return not any(paired(one.branches, other.branches, pair.same))

    left, rest = paired(pair.a.choices, pair.b.choices, same)
    facts: list[Fact] = []
    for index in range(max(len(left), len(rest))):
        if index >= len(left):
            facts += _new_choice(pair, rest[index])
        elif index >= len(rest):
            facts += _lost_choice(pair, left[index])
        else:
            facts += _changed_choice(pair, left[index], rest[index])
    return facts


def _changed_choice(pair: Pair, one: Choice, other: Choice) -> list[Fact]:
    left, rest = paired(one.branches, other.branches, pair.same)
    lost = [branch for branch in left if all(pair.narrows(branch, each) for each in other.branches)]
    come = [branch for branch in rest if all(pair.widens(each, branch) for each in one.branches)]
    facts: list[Fact] = []
    if len(left) == len(rest):
        for before, after in zip(left, rest, strict=True):
            step = f"({other.keyword} {_number(other, after)})"
            found = pair.beside(before, after, step)
            facts += [
                fact.keep(narrows=any(before is each for each in lost), widens=any(after is each for each in come))
                for fact in found
            ]
    else:
        facts += [_branch_fact(pair, one, each, pair.comparison.old, gone=True) for each in left]
        facts += [_branch_fact(pair, other, each, pair.comparison.new, gone=False) for each in rest]
        for fact, each in zip(facts, [*left, *rest], strict=True):
            is_lost, is_come = any(each is branch for branch in lost), any(each is branch for branch in come)
            fact.keep(narrows=is_lost, widens=is_come)
    narrows = other.exclusive and not _apart(pair.comparison.new, other)
    widens = one.exclusive and not _apart(pair.comparison.old, one)
    if narrows or widens:
        doubt = "a value that fits several branches of a oneOf is refused, and that none does cannot be told"
        what = f"{one.keyword} of {len(one.branches)} → {other.keyword} of {len(other.branches)}"
        facts.append(Fact(pair.path, what, doubt=doubt, narrows=narrows, widens=widens))
    return facts


def _branch_fact(pair: Pair, choice: Choice, branch: Json, side: Side, *, gone: bool) -> Fact:
    number = _number(choice, branch)
    words = f"values that fit branch {number} ({kind_words(side.kinds(branch))}) and no other"
    return Fact(
        pair.path,
        f"{choice.keyword} branch {number} {'removed' if gone else 'added'}",
        lost=words if gone else "",
        gained="" if gone else words,
        note="what fits it fits another branch too",
    )


def _new_choice(pair: Pair, choice: Choice) -> list[Fact]:
    fits = _fits_one(pair, choice, forward=True) and (not choice.exclusive or _apart(pair.comparison.new, choice))
    words = f"values that fit no branch of {choice.keyword}"
    doubt = f"values that fit no branch of {choice.keyword}, or several, may be refused"
    return (
        []
        if fits
        else [
            Fact(
                pair.path, f"{choice.keyword} added", lost="" if choice.exclusive else words, doubt=doubt, narrows=True
            )
        ]
    )


def _lost_choice(pair: Pair, choice: Choice) -> list[Fact]:
    fits = _fits_one(pair, choice, forward=False) and (not choice.exclusive or _apart(pair.comparison.old, choice))
    return (
        []
        if fits
        else [Fact(pair.path, f"{choice.keyword} removed", gained=f"values that fitted no branch of {choice.keyword}")]
    )


def _fits_one(pair: Pair, choice: Choice, *, forward: bool) -> bool:
    """Whether all that fits one side fits some branch of the other: whole, or type by type."""
    side = pair.comparison.old if forward else pair.comparison.new
    whole = pair.old if forward else pair.new

    def fits(place: Json) -> bool:
        return any(
            not (pair.narrows(place, branch) if forward else pair.widens(branch, place)) for branch in choice.branches
        )

    if fits(whole):
        return True
    types = side.view(whole).plain.get("type")
    return isinstance(types, list) and all(fits(side.both(whole, side.of_type(str(each)))) for each in types)


def _not_facts(pair: Pair) -> list[Fact]:
    left, rest = paired(pair.a.nots, pair.b.nots, pair.same)
    facts: list[Fact] = []
    for index in range(max(len(left), len(rest))):
        one = left[index] if index < len(left) else False
        other = rest[index] if index < len(rest) else False
        # What is refused by a wider "not" is more, so the two directions change places.
        narrows = pair.widens(one, other) and bool(pair.old_kinds & pair.comparison.new.kinds(other))
        widens = pair.narrows(one, other) and bool(pair.new_kinds & pair.comparison.old.kinds(one))
        what = "not added" if one is False else "not removed" if other is False else "not changed"
        facts.append(
            Fact(
                pair.path,
                what,
                lost="values that fit what must not fit now" if narrows else "",
                gained="values that fitted what must not fit" if widens else "",
                note="no value that fits the rest is concerned",
            )
        )
    return facts


def _condition_facts(pair: Pair) -> list[Fact]:
    def same(one: _Condition, other: _Condition) -> bool:
        return all(pair.same(first, second) for first, second in zip(one, other, strict=True))

    left, rest = paired(pair.a.conditions, pair.b.conditions, same)
    facts: list[Fact] = []
    for index in range(max(len(left), len(rest))):
        one = left[index] if index < len(left) else None
        other = rest[index] if index < len(rest) else None
        if one is not None and other is not None and pair.same(one[0], other[0]):
            facts += pair.beside(one[1], other[1], "(then)") + pair.beside(one[2], other[2], "(else)")
            continue
        narrows = other is not None and any(_narrows_whole(pair, part) for part in other[1:])
        widens = one is not None and any(_widens_whole(pair, part) for part in one[1:])
        what = "if added" if one is None else "if removed" if other is None else "if changed"
        doubt = "which values the condition applies to cannot be told"
        facts.append(
            Fact(pair.path, what, doubt=doubt, note="what it asks is asked anyway", narrows=narrows, widens=widens)
        )
    return facts


def _apart(side: Side, choice: Choice) -> bool:
    """Whether no value fits two of the branches."""
    branches = choice.branches
    return all(
        side.disjoint(branches[one], branches[other])
        for one in range(len(branches))
        for other in range(one + 1, len(branches))
    )


def _number(choice: Choice, branch: Json) -> int:
    return next(index for index, each in enumerate(choice.branches, 1) if each is branch)

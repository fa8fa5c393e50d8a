"""Lists: how long, what stands where, what they must contain."""

from __future__ import annotations

from typing import cast

from workbench.harness.space.schema.compare.changes import Fact
from workbench.harness.space.schema.compare.pair import Pair
from workbench.harness.space.schema.compare.scalars import count_facts
from workbench.harness.space.schema.compare.words import told, value_change
from workbench.harness.strict_json import Json

Plain = dict[str, Json]

_CONTAINS = ("contains", "minContains", "maxContains")


def array_facts(pair: Pair) -> list[Fact]:
    """Everything about lists."""
    old, new = pair.a.plain, pair.b.plain
    facts = count_facts(pair, "minItems", "maxItems", "lists of {} than {}", "item")
    unique = (old.get("uniqueItems") is True, new.get("uniqueItems") is True)
    if unique[0] != unique[1]:
        facts += told(
            Fact(
                pair.path,
                f"uniqueItems {str(unique[0]).lower()} → {str(unique[1]).lower()}",
                lost="lists that repeat an item" if unique[1] and _most(old) > 1 else "",
                gained="lists that repeat an item" if unique[0] and _most(new) > 1 else "",
            )
        )
    return [*facts, *_item_facts(pair), *_contains_facts(pair)]


def _item_facts(pair: Pair) -> list[Fact]:
    old, new = pair.a.plain, pair.b.plain
    named = max(len(_prefix(old)), len(_prefix(new)))
    facts: list[Fact] = []
    for index in range(named + 1):
        one, other = _position(old, index), _position(new, index)
        step = f"[{index}]" if index < named else "[*]" if not named else f"[{named}…]"
        facts += [
            fact.keep(narrows=_most(old) > index, widens=_most(new) > index) for fact in pair.below(one, other, step)
        ]
    return facts


def _contains_facts(pair: Pair) -> list[Fact]:
    old, new = pair.a.plain, pair.b.plain
    one, other = old.get("contains"), new.get("contains")
    if one is None and other is None:
        return []
    counts = [(old.get(name), new.get(name)) for name in _CONTAINS[1:]]
    if one is not None and other is not None and pair.same(one, other) and all(a == b for a, b in counts):
        return []
    facts: list[Fact] = []
    if one is not None and other is not None:
        facts = [fact for fact in pair.below(one, other, "(contains)") if not fact.narrows and not fact.widens]
    changed = "; ".join(
        value_change(name, old.get(name), new.get(name)) for name in _CONTAINS if old.get(name) != new.get(name)
    )
    narrows = not _as_many(pair, old, new, forward=True)
    widens = not _as_many(pair, new, old, forward=False)
    doubt = "which items are counted is different, or how many there must be"
    return [
        *facts,
        *told(Fact(pair.path, changed or "contains is different", doubt=doubt, narrows=narrows, widens=widens)),
    ]


def _as_many(pair: Pair, own: Plain, other: Plain, *, forward: bool) -> bool:
    """Whether a list that is right on one side surely has as many of the items that the other side counts."""
    rule = other.get("contains")
    if rule is None:
        return True
    least, most = _number(other.get("minContains", 1)), other.get("maxContains")
    if least == 0 and most is None:
        return True
    given = own.get("contains")
    if given is None:
        return False
    if pair.same(given, rule) if forward else pair.same(rule, given):
        fewer = most is None or (own.get("maxContains") is not None and _number(own["maxContains"]) <= _number(most))
        return _number(own.get("minContains", 1)) >= least and fewer
    if most is not None or _number(own.get("minContains", 1)) < least:
        return False
    return not (pair.narrows_below(given, rule) if forward else pair.widens_below(rule, given))


def _prefix(plain: Plain) -> list[Json]:
    prefix = plain.get("prefixItems")
    return prefix if isinstance(prefix, list) else []


def _position(plain: Plain, index: int) -> Json:
    prefix = _prefix(plain)
    return prefix[index] if index < len(prefix) else plain.get("items", True)


def _most(plain: Plain) -> float:
    return _number(plain["maxItems"]) if "maxItems" in plain else float("inf")


def _number(value: Json) -> int:
    return int(cast("float", value))

"""The keywords of draft 2020-12: jsonschema's, and ours in place of those that a hostile schema or input could use.

Ours take linear time, count their steps, and say what is wrong in a sentence of bounded length. Importing this module
imports jsonschema.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, cast

import jsonschema
from jsonschema import validators

from workbench.harness.space.schema.branches import FAULTS_PER_FORM, closest
from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.space.schema.soundness import Step
from workbench.harness.space.schema.unevaluated import judged
from workbench.harness.space.schema.values import identity, shorten, show, show_wanted, size
from workbench.harness.space.schema.verdicts import MISSING, not_of_type
from workbench.harness.space.schema.walker import Fault, Keyword, Mismatch, Walker
from workbench.harness.strict_json import Json

_SHOWN_MEMBERS = 12
Faults = Iterator[Fault]
Schema = dict[str, Json]


def fault(message: str, *, path: tuple[Step, ...] = (), keyword: str = "", wanted: str = "") -> Fault:
    """A fault of the value at hand, or of one `path` below it; `wanted` is what fits into "must be …"."""
    return Mismatch(message, keyword, wanted, deque(path))


@lru_cache(maxsize=1)
def vocabulary() -> Mapping[str, Keyword]:
    """Every keyword that is checked, by name."""
    extended: Any = cast("Any", validators).extend(jsonschema.Draft202012Validator, _OURS)
    meanings = cast("Mapping[str, Keyword]", extended.VALIDATORS)
    return {name: meaning for name, meaning in meanings.items() if name != "format"}


def is_type(instance: Json, name: str) -> bool:
    """jsonschema's types for draft 2020-12."""
    return bool(_TYPES.is_type(instance, name))


_TYPES: Any = cast("Any", jsonschema.Draft202012Validator).TYPE_CHECKER


# -- any value ------------------------------------------------------------------------------------------------------


def _type(walker: Walker, types: Json, instance: Json, schema: Schema) -> Faults:
    names = types if isinstance(types, list) else [types]
    if not any(is_type(instance, str(name)) for name in names):
        wanted = " or ".join(map(str, names))
        yield fault(not_of_type(wanted, show(instance)), keyword="type", wanted=wanted)


def _const(walker: Walker, const: Json, instance: Json, schema: Schema) -> Faults:
    if not _same(walker, const, instance):
        wanted = show_wanted(const)
        yield fault(f"must be {wanted}, is {show(instance)}", keyword="const", wanted=wanted)


def _enum(walker: Walker, members: Json, instance: Json, schema: Schema) -> Faults:
    values = _list(members)
    if isinstance(instance, (list, dict)):
        walker.spend(size(instance))
    if identity(instance) not in walker.remembered(values, _identities):
        shown = [show_wanted(member) for member in values[:_SHOWN_MEMBERS]]
        if len(values) > _SHOWN_MEMBERS:
            shown.append(f"{len(values) - _SHOWN_MEMBERS} more")
        wanted = shorten(f"one of {', '.join(shown)}", 400)
        yield fault(f"must be {wanted}, is {show(instance)}", keyword="enum", wanted=wanted)


def _identities(values: list[Json]) -> frozenset[Hashable]:
    return frozenset(map(identity, values))


def _same(walker: Walker, wanted: Json, instance: Json) -> bool:
    """Equal as JSON Schema has it; lists and objects are paid for by their size."""
    if isinstance(wanted, (list, dict)) and isinstance(instance, (list, dict)):
        if len(wanted) != len(instance):
            return False
        walker.spend(size(wanted) + size(instance))
    elif isinstance(wanted, (list, dict)) or isinstance(instance, (list, dict)):
        return False
    return identity(wanted) == identity(instance)


def _any_of(walker: Walker, branches: Json, instance: Json, schema: Schema) -> Faults:
    forms: list[list[Fault]] = []
    for branch in _list(branches):
        faults = list(islice(walker.descend(instance, branch), FAULTS_PER_FORM))
        if not faults:
            return
        forms.append(faults)
    yield from closest("anyOf", forms, instance)


def _one_of(walker: Walker, branches: Json, instance: Json, schema: Schema) -> Faults:
    forms: list[list[Fault]] = []
    fitting: list[int] = []
    for number, branch in enumerate(_list(branches), start=1):
        faults = list(islice(walker.descend(instance, branch), FAULTS_PER_FORM))
        if faults:
            forms.append(faults)
        else:
            fitting.append(number)
    if not fitting:
        yield from closest("oneOf", forms, instance)
    elif len(fitting) > 1:
        numbers = shorten(", ".join(map(str, fitting)), 60)
        yield fault(f"fits the forms {numbers} of oneOf at once, must fit exactly one, is {show(instance)}")


def _not(walker: Walker, schema_of_not: Json, instance: Json, schema: Schema) -> Faults:
    if walker.matches(instance, schema_of_not):
        yield fault(f"must not fit {show_wanted(schema_of_not)}, is {show(instance)}")


def _ref(walker: Walker, reference: Json, instance: Json, schema: Schema) -> Faults:
    return walker.descend(instance, walker.compiled.target(schema, "$ref"))


def _dynamic_ref(walker: Walker, reference: Json, instance: Json, schema: Schema) -> Faults:
    return walker.descend(instance, walker.compiled.target(schema, "$dynamicRef"))


# -- texts and numbers ----------------------------------------------------------------------------------------------


def _pattern(walker: Walker, pattern: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, str):
        return
    program = compile_pattern(str(pattern))
    if isinstance(program, Unsupported):
        return
    walker.spend(program.cost(instance))
    if not program.found_in(instance):
        yield fault(f"must match the pattern {show_wanted(pattern)}, is {show(instance)}")


def _min_length(walker: Walker, least: Json, instance: Json, schema: Schema) -> Faults:
    if isinstance(instance, str) and len(instance) < _count(least):
        yield fault(f"must have at least {_units(least, 'character')}, is {show(instance)}")


def _max_length(walker: Walker, most: Json, instance: Json, schema: Schema) -> Faults:
    if isinstance(instance, str) and len(instance) > _count(most):
        yield fault(f"must have at most {_units(most, 'character')}, has {len(instance)}: {show(instance)}")


def _multiple_of(walker: Walker, factor: Json, instance: Json, schema: Schema) -> Faults:
    if not is_type(instance, "number"):
        return
    # as written in decimals: to doubles 19.99 is no multiple of 0.01
    if (Fraction(str(instance)) / Fraction(str(factor))).denominator != 1:
        yield fault(f"must be a multiple of {show_wanted(factor)}, is {show(instance)}")


# -- arrays ---------------------------------------------------------------------------------------------------------


def _items(walker: Walker, items: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, list):
        return
    before = len(_list(schema.get("prefixItems")))
    if items is False and len(instance) > before:
        yield fault(f"must have at most {_units(before, 'item')}, has {len(instance)}")
        return
    for index in range(before, len(instance)):
        yield from walker.descend(instance[index], items, path=index)


def _min_items(walker: Walker, least: Json, instance: Json, schema: Schema) -> Faults:
    if isinstance(instance, list) and len(instance) < _count(least):
        yield fault(f"must have at least {_units(least, 'item')}, has {len(instance)}")


def _max_items(walker: Walker, most: Json, instance: Json, schema: Schema) -> Faults:
    if isinstance(instance, list) and len(instance) > _count(most):
        yield fault(f"must have at most {_units(most, 'item')}, has {len(instance)}")


def _unique_items(walker: Walker, unique: Json, instance: Json, schema: Schema) -> Faults:
    if unique is not True or not isinstance(instance, list):
        return
    walker.spend(size(instance) // 8)
    first: dict[object, int] = {}
    for index, item in enumerate(instance):
        earlier = first.setdefault(identity(item), index)
        if earlier != index:
            yield fault(f"repeats item {earlier}, items must differ: {show(item)}", path=(index,))
            return


def _contains(walker: Walker, contained: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, list):
        return
    found = sum(walker.matches(item, contained) for item in instance)
    least = schema.get("minContains", 1)
    most = schema.get("maxContains")
    if found < _count(least):
        rule = show_wanted(contained)
        yield fault(f"must have at least {_units(least, 'item')} that fit {rule}, has {found}")
    elif most is not None and found > _count(most):
        rule = show_wanted(contained)
        yield fault(f"must have at most {_units(most, 'item')} that fit {rule}, has {found}")


def _unevaluated_items(walker: Walker, rest: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, list):
        return
    known = judged(walker, instance, schema)
    if known is None:
        return
    for index, item in enumerate(instance):
        if index not in known:
            yield from walker.descend(item, rest, path=index)


# -- objects --------------------------------------------------------------------------------------------------------


def _properties(walker: Walker, properties: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    named = _object(properties)
    walker.spend(min(len(instance), len(named)) // 8)
    # over the smaller of the two: many small objects along one wide schema must not cost its width each
    for name in named if len(named) <= len(instance) else [name for name in instance if name in named]:
        if name in instance:
            yield from walker.descend(instance[name], named[name], path=name)


def _pattern_properties(walker: Walker, patterns: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    for pattern, rule in _object(patterns).items():
        program = compile_pattern(pattern)
        if isinstance(program, Unsupported):
            continue
        for name, value in instance.items():
            walker.spend(program.cost(name))
            if program.found_in(name):
                yield from walker.descend(value, rule, path=name)


def _additional_properties(walker: Walker, rest: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    named = _object(schema.get("properties"))
    programs = [compile_pattern(pattern) for pattern in _object(schema.get("patternProperties"))]
    known = [program for program in programs if not isinstance(program, Unsupported)]
    if len(known) < len(programs):
        return  # whether a property is additional cannot be told; the pattern is reported as unchecked
    for name, value in instance.items():
        if name in named:
            continue
        walker.spend(1 + sum(program.cost(name) for program in known))
        if any(program.found_in(name) for program in known):
            continue
        if rest is False:
            yield fault(f"is not allowed: {_allowed(named)}", path=(name,))
        else:
            yield from walker.descend(value, rest, path=name)


def _unevaluated_properties(walker: Walker, rest: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    known = judged(walker, instance, schema)
    if known is None:
        return
    for name, value in instance.items():
        if name in known:
            continue
        if rest is False:
            yield fault("is not allowed: no part of the schema names this property", path=(name,))
        else:
            yield from walker.descend(value, rest, path=name)


def _property_names(walker: Walker, rule: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    for name in instance:
        for found in walker.descend(name, rule):
            yield fault(f"is no name for a property here: it {found.message}", path=(name,))


def _required(walker: Walker, names: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    required = _list(names)
    walker.spend(len(required) // 8)
    for name in required:
        if str(name) not in instance:
            yield fault(MISSING, path=(str(name),))


def _dependent_required(walker: Walker, dependencies: Json, instance: Json, schema: Schema) -> Faults:
    if not isinstance(instance, dict):
        return
    rules = _object(dependencies)
    walker.spend(len(rules) // 8)
    for name, needed in rules.items():
        if name not in instance:
            continue
        walker.spend(len(_list(needed)) // 8)
        for other in _list(needed):
            if str(other) not in instance:
                yield fault(f"{MISSING}: {show(name)} is given", path=(str(other),))


def _min_properties(walker: Walker, least: Json, instance: Json, schema: Schema) -> Faults:
    if isinstance(instance, dict) and len(instance) < _count(least):
        yield fault(f"must have at least {_units(least, 'property')}, has {len(instance)}")


def _max_properties(walker: Walker, most: Json, instance: Json, schema: Schema) -> Faults:
    if isinstance(instance, dict) and len(instance) > _count(most):
        yield fault(f"must have at most {_units(most, 'property')}, has {len(instance)}")


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _count(value: Json) -> int:
    return int(value) if isinstance(value, (int, float)) else 0


def _units(value: Json, unit: str) -> str:
    number = _count(value)
    plural = "properties" if unit == "property" else f"{unit}s"
    return f"{number} {unit if number == 1 else plural}"


def _allowed(named: dict[str, Json]) -> str:
    if not named:
        return "this object takes no properties"
    names = [shorten(name, 40) for name in islice(named, _SHOWN_MEMBERS)]
    more = f" and {len(named) - _SHOWN_MEMBERS} more" if len(named) > _SHOWN_MEMBERS else ""
    return f"the properties are {', '.join(names)}{more}"


_OURS: dict[str, Keyword] = {
    "$dynamicRef": _dynamic_ref,
    "$ref": _ref,
    "additionalProperties": _additional_properties,
    "anyOf": _any_of,
    "const": _const,
    "contains": _contains,
    "dependentRequired": _dependent_required,
    "enum": _enum,
    "items": _items,
    "maxItems": _max_items,
    "maxLength": _max_length,
    "maxProperties": _max_properties,
    "minItems": _min_items,
    "minLength": _min_length,
    "minProperties": _min_properties,
    "multipleOf": _multiple_of,
    "not": _not,
    "oneOf": _one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "propertyNames": _property_names,
    "required": _required,
    "type": _type,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}

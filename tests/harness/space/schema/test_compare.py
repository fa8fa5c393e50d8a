"""What changed between two schemas, and for whom it breaks something: the cases as tables."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.harness.space.schema.compare import Use, compare_schemas

TEXT = {"type": "string"}
INT = {"type": "integer"}


def an_object(required: str = "", *, closed: bool = False, **properties: Any) -> dict[str, Any]:
    """An object schema."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required.split()
    if closed:
        schema["additionalProperties"] = False
    return schema


def with_a(**keywords: Any) -> dict[str, Any]:
    """An object whose property `a` has these keywords."""
    return an_object(a=keywords)


def said(old: Any, new: Any, use: Use = "input") -> list[str]:
    """The changes, a line each."""
    return [f"{each.kind} {each.path}: {each.what}: {each.why}" for each in compare_schemas(old, new, use)]


CASES: dict[str, tuple[Any, Any, list[str]]] = {
    "a property becomes required": (
        an_object(a=TEXT),
        an_object("a", a=TEXT),
        ["breaking $.a: required now: objects without “a” were accepted before and are refused now"],
    ),
    "a property becomes optional": (
        an_object("a", a=TEXT),
        an_object(a=TEXT),
        ["widening $.a: optional now: objects without “a” are accepted now"],
    ),
    "an optional property is added to a closed object": (
        an_object(closed=True, a=TEXT),
        an_object(closed=True, a=TEXT, b=INT),
        ["widening $.b: property added, optional: integer: objects with “b” are accepted now"],
    ),
    "an optional property is added to an open object": (
        an_object(a=TEXT),
        an_object(a=TEXT, b=INT),
        [
            "breaking $.b: property added, optional: integer: objects with anything else under “b”, a name that was "
            "free, were accepted before and are refused now"
        ],
    ),
    "a property that may be anything is added to an open object": (
        an_object(a=TEXT),
        an_object(a=TEXT, b={}),
        [
            "neutral $.b: property added, optional: a schema: an object could have “b” before as well, because other "
            "properties are allowed"
        ],
    ),
    "a property goes from a closed object": (
        an_object(closed=True, a=TEXT, b=INT),
        an_object(closed=True, a=TEXT),
        ["breaking $.b: property removed: integer: objects with “b” were accepted before and are refused now"],
    ),
    "an object is closed": (
        an_object(a=TEXT),
        an_object(closed=True, a=TEXT),
        [
            "breaking $.*: additionalProperties true → false: objects with properties that are not named were accepted "
            "before and are refused now"
        ],
    ),
    "a type changes": (
        with_a(type="integer"),
        with_a(type="string"),
        [
            "breaking $.a: type integer → string: integers were accepted before and are refused now; strings are "
            "accepted now"
        ],
    ),
    "an integer becomes any number": (
        with_a(type="integer"),
        with_a(type="number"),
        ["widening $.a: type integer → number: fractions are accepted now"],
    ),
    "a value becomes nullable, in one way": (
        with_a(type="string"),
        with_a(type=["string", "null"]),
        ["widening $.a: type string → string | null: null values are accepted now"],
    ),
    "a value becomes nullable, in another way": (
        with_a(type="string"),
        with_a(anyOf=[TEXT, {"type": "null"}]),
        ["widening $.a: type string → string | null: null values are accepted now"],
    ),
    "a truth becomes nullable": (
        with_a(type="boolean"),
        with_a(type=["boolean", "null"]),
        ["widening $.a: type boolean → boolean | null: the value null is accepted now"],
    ),
    "a text may not be empty any more": (
        with_a(type="string"),
        with_a(type="string", minLength=1),
        [
            "breaking $.a: minLength none → 1: texts shorter than 1 character were accepted before and are refused now",
        ],
    ),
    "a value is nullable in another way": (
        with_a(type=["string", "null"]),
        with_a(anyOf=[TEXT, {"type": "null"}]),
        ["neutral $.a: written otherwise: the same values fit as before"],
    ),
    "an enum loses a value": (
        with_a(enum=["x", "y"]),
        with_a(enum=["x"]),
        ['breaking $.a: one of "x", "y" → "x": the value "y" was accepted before and is refused now'],
    ),
    "an enum gets two values": (
        with_a(enum=["x"]),
        with_a(enum=["x", "y", 1]),
        ['widening $.a: "x" → one of "x", "y", 1: the values "y", 1 are accepted now'],
    ),
    "an enum stands in another order": (with_a(enum=["x", "y"]), with_a(enum=["y", "x"]), []),
    "a text becomes one of two": (
        with_a(type="string"),
        with_a(enum=["x", "y"]),
        [
            'breaking $.a: string → one of "x", "y": values that are not listed now were accepted before and are '
            "refused now"
        ],
    ),
    "an enum whose values all fit becomes a text": (
        with_a(enum=["x", "yy"]),
        with_a(type="string", minLength=1),
        ['widening $.a: one of "x", "yy" → string: other values are accepted now'],
    ),
    "lengths get narrower": (
        with_a(type="string", minLength=1),
        with_a(type="string", minLength=3, maxLength=9),
        [
            "breaking $.a: minLength 1 → 3: texts shorter than 3 characters were accepted before and are refused now",
            "breaking $.a: maxLength none → 9: texts longer than 9 characters were accepted before and are refused now",
        ],
    ),
    "a bound of whole numbers is written otherwise": (
        with_a(type="integer", minimum=1),
        with_a(type="integer", exclusiveMinimum=0),
        ["neutral $.a: written otherwise: the same values fit as before"],
    ),
    "a bound goes out": (
        with_a(type="number", minimum=0),
        with_a(type="number", exclusiveMinimum=0),
        [
            "breaking $.a: minimum 0 → exclusiveMinimum 0: 0 and numbers below it were accepted before and are refused "
            "now"
        ],
    ),
    "a factor becomes a finer one": (
        with_a(type="number", multipleOf=0.5),
        with_a(type="number", multipleOf=0.25),
        ["widening $.a: multipleOf 0.5 → 0.25: numbers that are no multiples of 0.5 are accepted now"],
    ),
    "a pattern changes": (
        with_a(type="string", pattern="^a"),
        with_a(type="string", pattern="^ab"),
        [
            'breaking $.a: pattern "^a" → "^ab": it cannot be shown to be safe: whether all that matches one pattern '
            "matches the other cannot be told"
        ],
    ),
    "a pattern goes": (
        with_a(type="string", pattern="^a"),
        with_a(type="string"),
        ['widening $.a: pattern "^a" → none: texts that do not match "^a" are accepted now'],
    ),
    "items change": (
        with_a(type="array", items=TEXT, maxItems=3),
        with_a(type="array", items=INT, maxItems=4),
        [
            "breaking $.a[*]: type string → integer: strings were accepted before and are refused now; integers are "
            "accepted now",
            "widening $.a: maxItems 3 → 4: lists of more than 3 items are accepted now",
        ],
    ),
    "a branch is added": (
        with_a(anyOf=[TEXT, INT]),
        with_a(anyOf=[TEXT, INT, {"type": "boolean"}]),
        [
            "widening $.a: anyOf branch 3 added: values that fit branch 3 (boolean) and no other are accepted now",
        ],
    ),
    "a branch goes": (
        with_a(anyOf=[TEXT, INT]),
        with_a(anyOf=[TEXT]),
        ["breaking $.a: type integer | string → string: integers were accepted before and are refused now"],
    ),
    "a branch that says nothing new is added": (
        with_a(anyOf=[{"type": "number"}, TEXT]),
        with_a(anyOf=[{"type": "number"}, TEXT, INT]),
        ["neutral $.a: anyOf branch 3 added: what fits it fits another branch too"],
    ),
    "a tagged branch changes inside": (
        with_a(oneOf=[an_object("k", k={"const": "a"}, v=TEXT), an_object("k", k={"const": "b"}, v=INT)]),
        with_a(oneOf=[an_object("k", k={"const": "a"}, v=TEXT), an_object("k", k={"const": "b"}, v={})]),
        [
            "widening $.a(oneOf 2).v: type integer → anything: values of any other type are accepted now",
        ],
    ),
    "branches of a oneOf that may overlap": (
        with_a(oneOf=[{"type": "string", "maxLength": 3}, INT]),
        with_a(oneOf=[{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 2}, INT]),
        [
            "breaking $.a: oneOf of 2 → oneOf of 3: it cannot be shown to be safe: a value that fits several branches "
            "of a oneOf is refused, and that none does cannot be told",
            "widening $.a: oneOf branch 2 added: values that fit branch 2 (string) and no other are accepted now",
        ],
    ),
    "words change": (
        with_a(type="string", default="x", description="old"),
        with_a(type="string", default="y", description="new", format="uri"),
        [
            'neutral $.a: default "x" → "y": nothing fills it in; it tells what is meant when the value is left out',
            'neutral $.a: description "old" → "new": it tells what the value means, and is not checked',
            'neutral $.a: format added: "uri": it tells what form a text has, and is not checked here',
        ],
    ),
    "a definition goes that nothing refers to": (
        {"type": "object", "$defs": {"x": TEXT}},
        {"type": "object"},
        [],
    ),
    "a reference is written out": (
        {**with_a(**{"$ref": "#/$defs/t"}), "$defs": {"t": TEXT}},
        with_a(**TEXT),
        ["neutral $.a: written otherwise: the same values fit as before"],
    ),
    "a schema that refers to itself": (
        {"$ref": "#/$defs/n", "$defs": {"n": an_object(next={"$ref": "#/$defs/n"}, v=INT)}},
        {"$ref": "#/$defs/n", "$defs": {"n": an_object(next={"$ref": "#/$defs/n"}, v={"type": "number"})}},
        ["widening $.v: type integer → number: fractions are accepted now"],
    ),
    "allOf is written out": (
        {"allOf": [an_object(a=TEXT), an_object("b", b=INT)]},
        an_object("b", a=TEXT, b=INT),
        ["neutral $: written otherwise: the same values fit as before"],
    ),
    "unevaluatedProperties where nothing but properties counts": (
        {**an_object(a=TEXT), "unevaluatedProperties": False},
        an_object(closed=True, a=TEXT),
        ["neutral $: written otherwise: the same values fit as before"],
    ),
    "unevaluatedProperties across branches": (
        {"anyOf": [an_object(a=TEXT)], "unevaluatedProperties": False},
        {"anyOf": [an_object(a=TEXT, b=INT)], "unevaluatedProperties": False},
        [
            "breaking $(allOf 1).b: property added, optional: integer: objects with anything else under “b”, a name "
            "that was free, were accepted before and are refused now",
            "breaking $: unevaluatedProperties: it cannot be shown to be safe: what unevaluatedProperties means "
            "depends on every other part of the schema",
        ],
    ),
    "not goes": (
        with_a(type="string", **{"not": {"const": "x"}}),
        with_a(type="string"),
        ["widening $.a: not removed: values that fitted what must not fit are accepted now"],
    ),
    "a condition changes": (
        with_a(**{"if": {"const": 1}, "then": TEXT}),
        with_a(**{"if": {"const": 2}, "then": TEXT}),
        [
            "breaking $.a: if changed: it cannot be shown to be safe: which values the condition applies to cannot be "
            "told"
        ],
    ),
    "nothing is accepted any more": (
        with_a(type="string"),
        an_object(a=False),
        ["breaking $.a: type string → nothing: all values were accepted before and are refused now"],
    ),
    "a required property beside another": (
        {"type": "object"},
        {"type": "object", "dependentRequired": {"a": ["b"]}},
        [
            "breaking $.b: required now beside “a”: objects with “a” and without “b” were accepted before and are "
            "refused now"
        ],
    ),
    "names of properties": (
        {"type": "object", "patternProperties": {"^x": TEXT}},
        {"type": "object", "patternProperties": {"^x": INT}, "propertyNames": {"maxLength": 5}},
        [
            "breaking ${^x}: type string → integer: strings were accepted before and are refused now; integers are "
            "accepted now",
            "breaking $(names): maxLength none → 5: texts longer than 5 characters were accepted before and are "
            "refused now",
        ],
    ),
}


@pytest.mark.parametrize(("old", "new", "changes"), CASES.values(), ids=CASES.keys())
def test_what_callers_are_told(old: Any, new: Any, changes: list[str]) -> None:
    assert said(old, new) == changes


OUTPUTS: dict[str, tuple[Any, Any, list[str]]] = {
    "a new value may come": (
        {"enum": ["ok"]},
        {"enum": ["ok", "late"]},
        ['breaking $: "ok" → one of "ok", "late": the value "late" may come now, which readers did not have to expect'],
    ),
    "a value comes no more": (
        {"type": ["string", "null"]},
        {"type": "string"},
        ["widening $: type string | null → string: null values do not come any more"],
    ),
    "a property always comes": (
        an_object(a=INT),
        an_object("a", a=INT),
        ["widening $.a: required now: objects without “a” do not come any more"],
    ),
    "a property may be missing": (
        an_object("a", a=INT),
        an_object(a=INT),
        [
            "breaking $.a: optional now: objects without “a” may come now, which readers did not have to expect",
        ],
    ),
    "nothing was promised, and now it is": (
        True,
        {"type": "integer"},
        [
            "widening $: type anything → integer: values of any other type do not come any more",
        ],
    ),
    "a pattern changes": (
        {"type": "string", "pattern": "^a"},
        {"type": "string", "pattern": "^ab"},
        [
            'breaking $: pattern "^a" → "^ab": it cannot be shown to be safe: whether all that matches one pattern '
            "matches the other cannot be told"
        ],
    ),
}


@pytest.mark.parametrize(("old", "new", "changes"), OUTPUTS.values(), ids=OUTPUTS.keys())
def test_what_readers_are_told(old: Any, new: Any, changes: list[str]) -> None:
    assert said(old, new, "output") == changes


def test_the_breaking_ones_come_first() -> None:
    old = an_object(closed=True, a=TEXT, b=TEXT, c={"type": "string", "title": "x"})
    new = an_object(closed=True, a={"type": ["string", "null"]}, b=INT, c={"type": "string", "title": "y"})
    assert [each.kind for each in compare_schemas(old, new)] == ["breaking", "widening", "neutral"]


def test_what_takes_too_long_is_breaking_and_says_why() -> None:
    old, new = ({"anyOf": [an_object(**{f"{side}{n}": TEXT}) for n in range(400)]} for side in "pq")
    (change,) = compare_schemas(old, new)
    assert change.kind == "breaking"
    assert change.why == "it cannot be shown to be safe: comparing the two takes over 100,000 steps"


def test_very_many_changes_are_counted() -> None:
    old = an_object(**{f"p{number}": TEXT for number in range(500)})
    new = an_object(**{f"p{number}": INT for number in range(500)})
    changes = compare_schemas(old, new)
    assert len(changes) == 301
    assert (changes[-1].kind, changes[-1].what) == ("breaking", "and 200 more changes")
    assert changes[-1].why == "they are 200 breaking, 0 widening, 0 neutral"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"$ref": "#"}, {"$ref": "#", "type": "object"}),
        ({"allOf": [{"$ref": "#"}]}, {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        ({"not": {"$ref": "#"}}, {"not": {"not": {"$ref": "#"}}}),
        ({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, {"type": "string"}),
    ],
)
def test_a_schema_without_an_end_ends(old: Any, new: Any) -> None:
    assert any(each.kind == "breaking" for each in compare_schemas(old, new))


def test_deep_schemas_are_compared_as_far_as_they_go() -> None:
    old: Any = {"type": "string"}
    new: Any = {"type": "integer"}
    for _ in range(100):
        old, new = {"items": old}, {"items": new}
    (change,) = compare_schemas(old, new)
    assert change.kind == "breaking"
    assert "60 schemas deep" in change.why

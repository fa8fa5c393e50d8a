"""What people reported against other forms, row by row: what is right here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app.tools.call.form.filling import at, form, refused, sent
from tests.app.tools.call.form.schemas import large_schema
from workbench.app.tools.call.form.assembling import assemble
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.node import State
from workbench.app.tools.call.form.rows import rows_of

TEXT = {"type": "string"}
MAYBE_TEXT = {"anyOf": [{"type": "string"}, {"type": "null"}]}


def test_an_integer_field_sends_an_integer() -> None:
    draft = form({"count": {"type": "integer"}})
    draft.write(at(draft, "count"), "1")
    assert sent(draft) == {"count": 1}
    assert type(sent(draft)["count"]) is int


@pytest.mark.parametrize("text", ["1.5", "abc", "01", "1e", "-", "1,000", "1_000", "+1", "0x10", "NaN", "1e999"])
def test_what_is_no_integer_is_refused_at_the_field(text: str) -> None:
    draft = form({"count": {"type": "integer"}})
    draft.write(at(draft, "count"), text)
    assert set(refused(draft)) == {"$.count"}
    assert at(draft, "count").text == text


def test_integers_of_any_size_are_exact() -> None:
    draft = form({"n": {"type": "integer"}})
    draft.write(at(draft, "n"), "123456789012345678901234567890")
    assert sent(draft) == {"n": 123456789012345678901234567890}


def test_a_number_is_sent_as_it_was_written() -> None:
    draft = form({"x": {"type": "number"}})
    for text, shown in [("1", "1"), ("1.0", "1.0"), ("1e3", "1000.0"), ("-0.5", "-0.5")]:
        draft.write(at(draft, "x"), text)
        assert json.dumps(sent(draft)["x"]) == shown


def test_an_object_argument_is_parsed_once() -> None:
    draft = form({"data": {}, "list": {"type": "array"}})
    draft.write(at(draft, "data"), '{"a": "b"}')
    draft.write_json(at(draft, "list"), "[1, 2]")
    assert sent(draft) == {"data": {"a": "b"}, "list": [1, 2]}


@pytest.mark.parametrize(
    "schema",
    [
        TEXT,
        MAYBE_TEXT,
        MAYBE_TEXT | {"default": None},
        {"type": ["string", "null"]},
        {"type": "array", "items": TEXT},
        {"type": "boolean"},
        {"type": "integer"},
        {"enum": ["a", None]},
        {"const": 1},
        {"type": "object", "properties": {"a": TEXT | {"default": "x"}}, "required": ["a"]},
        {"anyOf": [TEXT, {"type": "object", "properties": {"a": TEXT}}]},
        {},
    ],
    ids=str,
)
def test_an_untouched_optional_is_absent(schema: Any) -> None:
    assert sent(form({"it": schema})) == {}


def test_null_is_sent_only_where_the_schema_admits_it_and_somebody_chose_it() -> None:
    draft = form({"maybe": MAYBE_TEXT, "text": TEXT})
    assert draft.set_null(at(draft, "maybe"))
    assert not draft.set_null(at(draft, "text"))
    assert sent(draft) == {"maybe": None}


@pytest.mark.parametrize("schema", [MAYBE_TEXT, {"type": ["string", "null"]}, {"oneOf": [{"type": "null"}, TEXT]}])
def test_a_text_or_null_is_a_text_field_with_both(schema: Any) -> None:
    draft = form({"it": schema})
    field = at(draft, "it")
    assert (field.kind, field.shape.nullable) == ("string", True)
    draft.write(field, "null")
    assert sent(draft) == {"it": "null"}
    draft.set_null(field)
    assert sent(draft) == {"it": None}
    draft.clear(field)
    assert sent(draft) == {}


def test_absent_null_and_an_empty_text_are_three_things() -> None:
    draft = form({"it": MAYBE_TEXT})
    field = at(draft, "it")
    draft.write(field, "")
    assert (field.state, sent(draft)) == (State.VALUE, {"it": ""})
    draft.leave_out(field)
    assert (field.state, sent(draft)) == (State.ABSENT, {})


def test_invalid_json_is_refused_and_named() -> None:
    draft = form({"data": {}})
    draft.write(at(draft, "data"), '{"a": ')
    assert "not JSON" in refused(draft)["$.data"]


def test_the_draft_text_stands_apart_from_the_value() -> None:
    draft = form({"x": {"type": "number"}, "data": {}})
    for text, value in [("-", None), ("-1", -1), ("-1.", None), ("-1.5", -1.5)]:
        draft.write(at(draft, "x"), text)
        assert at(draft, "x").text == text
        assert sent(draft).get("x") == value
    typed = ""
    for char in '{"k": "a\\"b"}':
        typed += char
        draft.write(at(draft, "data"), typed)
        assert at(draft, "data").text == typed
    assert sent(draft)["data"] == {"k": 'a"b'}


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["a", "b", None]},
        {"type": ["string", "null"], "enum": ["a", "b", None]},
        {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]},
    ],
)
def test_a_nullable_enum_is_a_select_with_null(schema: Any) -> None:
    field = at(form({"it": schema}), "it")
    assert (field.kind, field.shape.nullable) == ("enum", True)
    assert [option.value for option in field.shape.options] == ["a", "b"]


def test_choices_of_objects_inside_items_of_an_array_are_drawn() -> None:
    item = {
        "anyOf": [
            {"type": "object", "properties": {"url": TEXT}, "required": ["url"]},
            {"type": "object", "properties": {"file": TEXT}, "required": ["file"]},
        ]
    }
    draft = form({"sources": {"type": "array", "items": item}})
    added = draft.add_item(at(draft, "sources"))
    assert added is not None
    draft.choose(added, 1)
    draft.write(at(draft, "sources", 0, "file"), "a.txt")
    assert sent(draft) == {"sources": [{"file": "a.txt"}]}
    assert refused(draft) == {}


def test_an_optional_field_that_cannot_be_sent_is_refused_not_left_out() -> None:
    draft = form({"x": {"type": "number"}, "y": TEXT})
    draft.write(at(draft, "x"), "many")
    draft.write(at(draft, "y"), "z")
    assert refused(draft) == {"$.x": "must be a number, such as 1.5, is many"}


def test_an_enum_is_a_select_in_declaration_order_with_its_default() -> None:
    field = at(form({"mode": {"type": "string", "enum": ["slow", "fast", "auto"], "default": "auto"}}), "mode")
    assert [option.label for option in field.shape.options] == ["slow", "fast", "auto"]
    assert (field.state, field.chosen, field.is_default) == (State.VALUE, 2, True)


def test_an_enum_may_hold_any_json() -> None:
    values: list[Any] = ["1", 1, 1.0, True, {"a": [None]}, []]
    draft = form({"it": {"enum": values}})
    for number, value in enumerate(values):
        draft.pick(at(draft, "it"), number)
        assert json.dumps(sent(draft)["it"]) == json.dumps(value)


def test_an_array_of_objects_has_rows_with_fields_to_add_remove_and_move() -> None:
    point = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    draft = form({"points": {"type": "array", "items": point}})
    for number in "123":
        draft.add_item(at(draft, "points"))
        draft.write(at(draft, "points", int(number) - 1, "x"), number)
    assert [row.node.key for row in rows_of(draft) if row.node.key] == ["points", "x", "x", "x", "points"]
    draft.move(at(draft, "points", 2), -1)
    draft.remove(at(draft, "points", 0))
    assert sent(draft) == {"points": [{"x": 3}, {"x": 2}]}


def test_rows_are_keyed_by_identity() -> None:
    draft = form({"names": {"type": "array", "items": TEXT}})
    same = [draft.add_item(at(draft, "names")) for _ in range(3)]
    for item in same:
        assert item is not None
        draft.write(item, "same")
    draft.remove(at(draft, "names", 1))
    assert at(draft, "names").members == [same[0], same[2]]


def test_local_references_are_followed_by_definition_by_path_and_by_anchor() -> None:
    draft = FormDraft(
        {
            "type": "object",
            "properties": {
                "a": {"$ref": "#/$defs/number"},
                "b": {"$ref": "#/properties/a"},
                "c": {"$ref": "#text"},
                "d": {"allOf": [{"$ref": "#/$defs/number"}, {"maximum": 5}]},
                "e": {"$ref": "https://elsewhere.example/x"},
            },
            "$defs": {"number": {"type": "integer", "minimum": 1}, "t": {"$anchor": "text", "type": "string"}},
        }
    )
    assert [at(draft, name).kind for name in "abcd"] == ["integer", "integer", "string", "integer"]
    assert at(draft, "d").shape.notes == ("integer", "1 to 5")
    assert "nothing is fetched" in at(draft, "e").shape.remarks[0]


def test_a_recursive_schema_unfolds_a_level_at_a_time() -> None:
    tree = {
        "type": "object",
        "properties": {"name": TEXT, "child": {"$ref": "#"}, "more": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["child"],
    }
    draft = FormDraft(tree)
    assert sent(draft) == {}
    draft.write(at(draft, "child", "child", "name"), "deep")
    assert sent(draft) == {"child": {"child": {"name": "deep"}}}


def test_what_is_not_drawn_is_named_and_checked_all_the_same() -> None:
    draft = form({"a": TEXT, "b": TEXT}, dependentRequired={"a": ["b"]}, propertyNames={"maxLength": 1})
    assert draft.root.shape.remarks == ("not drawn, but checked: dependentRequired, propertyNames",)
    draft.write(at(draft, "a"), "x")
    assert list(refused(draft)) == ["$.b"] or list(refused(draft)) == ["$"]


@pytest.mark.parametrize("schema", [{"type": "object"}, {}, True, {"type": "object", "properties": {}}])
def test_no_parameters_gives_a_json_editor_with_an_empty_object(schema: Any) -> None:
    draft = FormDraft(schema)
    assert draft.root.kind == "json"
    assert sent(draft) == {}
    draft.take({"anything": [1]})
    assert draft.root.kind == "json"
    assert sent(draft) == {"anything": [1]}


def test_a_large_schema_loses_no_field() -> None:
    schema = large_schema()
    draft = FormDraft(schema)
    named = {row.node.key for row in rows_of(draft) if row.depth == 0}
    assert named == set(schema["properties"])


def test_types_and_bounds_are_said() -> None:
    draft = form(
        {
            "a": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2},
            "b": {"type": "string", "minLength": 1, "maxLength": 5, "pattern": "^x", "format": "uri"},
            "c": {"type": "array", "items": TEXT, "maxItems": 3, "uniqueItems": True},
            "d": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
        }
    )
    assert at(draft, "a").shape.notes == ("integer", "1 to 9", "default 2")
    assert at(draft, "b").shape.notes == ("string, uri", "1 to 5 characters", "pattern ^x")
    assert at(draft, "c").shape.notes == ("array of string", "at most 3 items", "no two alike")
    assert at(draft, "d").shape.notes == ("number", "> 0", "a multiple of 0.5")


def test_a_default_is_filled_in_marked_and_sent_only_if_kept() -> None:
    draft = form({"limit": {"type": "integer", "default": 10}})
    field = at(draft, "limit")
    assert (field.text, field.is_default, sent(draft)) == ("10", True, {"limit": 10})
    draft.write(field, "20")
    assert (field.is_default, sent(draft)) == (False, {"limit": 20})
    draft.clear(field)
    assert (field.is_default, sent(draft)) == (True, {"limit": 10})
    draft.clear(field)
    assert sent(draft) == {}
    assert refused(draft) == {}


def test_a_default_that_is_of_another_type_is_not_filled_in() -> None:
    assert sent(form({"limit": {"type": "integer", "default": "ten"}})) == {}


def test_only_what_is_required_is_required() -> None:
    draft = form({"a": TEXT, "b": TEXT | {"default": "x"}, "c": {"const": "v1"}}, "a", "c")
    assert refused(draft) == {"$.a": "required property is missing"}
    assert [problem.missing for problem in assemble(draft).problems] == [True]
    assert sent(draft) == {"b": "x", "c": "v1"}


def test_a_nested_object_is_sent_whole_once_something_in_it_is_filled_in() -> None:
    inner = {"type": "object", "properties": {"x": TEXT, "y": TEXT | {"default": "d"}}, "required": ["x"]}
    draft = form({"in": inner})
    draft.write(at(draft, "in", "x"), "1")
    assert sent(draft) == {"in": {"x": "1", "y": "d"}}
    draft.clear(at(draft, "in", "x"))
    assert sent(draft) == {}
    draft.include(at(draft, "in"))
    assert refused(draft) == {"$.in.x": "required property is missing"}


def test_a_required_nested_object_is_there_from_the_beginning() -> None:
    draft = form({"in": {"type": "object", "properties": {"x": TEXT}, "required": ["x"]}}, "in")
    assert refused(draft) == {"$.in.x": "required property is missing"}

"""What can be done to a form: choices, keys, places, and a contract that changes under it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.tools.call.form.filling import at, form, refused, sent
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.node import State

TEXT = {"type": "string"}
NUMBER = {"type": "number"}

BY_NAME = {"title": "by name", "type": "object", "properties": {"name": TEXT, "limit": NUMBER}, "required": ["name"]}
BY_ID = {"title": "by id", "type": "object", "properties": {"id": {"type": "integer"}, "limit": NUMBER}}
TARGET = {"oneOf": [BY_NAME, BY_ID, TEXT, {"type": "integer"}]}


def test_a_choice_keeps_what_fits_and_brings_the_rest_back() -> None:
    draft = form({"target": TARGET})
    target = at(draft, "target")
    draft.write(at(draft, "target", "name"), "x")
    draft.write(at(draft, "target", "limit"), "5")
    draft.choose(target, 1)
    assert sent(draft) == {"target": {"limit": 5}}
    draft.write(at(draft, "target", "limit"), "6")
    draft.choose(target, 0)
    assert sent(draft) == {"target": {"name": "x", "limit": 6}}


def test_a_text_that_reads_as_a_number_goes_along_to_a_number() -> None:
    draft = form({"target": TARGET})
    target = at(draft, "target")
    draft.choose(target, 2)
    assert sent(draft) == {}
    draft.write(target, "12")
    assert sent(draft) == {"target": "12"}
    draft.choose(target, 3)
    assert sent(draft) == {"target": 12}
    draft.choose(target, 2)
    assert sent(draft) == {"target": "12"}


def test_branches_are_called_what_a_person_knows_them_by() -> None:
    schema = {
        "oneOf": [
            BY_NAME,
            {"$ref": "#/$defs/Point"},
            {"type": "object", "properties": {"kind": {"const": "all"}}},
            {"type": "object", "properties": {"a": TEXT, "b": TEXT}},
            TEXT,
            {"type": "array", "items": TEXT},
        ]
    }
    draft = form({"it": schema}, **{"$defs": {"Point": {"type": "object", "properties": {"x": NUMBER}}}})
    labels = [branch.label for branch in at(draft, "it").shape.branches]
    assert labels == ["by name", "Point", 'kind "all"', "with a, b", "string", "array"]


def test_several_types_are_a_choice_and_constants_are_a_select() -> None:
    draft = form(
        {
            "id": {"type": ["string", "integer", "null"]},
            "level": {"oneOf": [{"const": 1, "title": "low"}, {"const": 2, "title": "high"}]},
        }
    )
    assert (at(draft, "id").kind, at(draft, "id").shape.nullable) == ("choice", True)
    assert [branch.label for branch in at(draft, "id").shape.branches] == ["string", "integer"]
    assert at(draft, "level").kind == "enum"
    draft.pick(at(draft, "level"), 1)
    assert sent(draft) == {"level": 2}


def test_forms_that_only_ask_for_properties_are_no_choice() -> None:
    draft = form({"a": TEXT, "b": TEXT}, anyOf=[{"required": ["a"]}, {"required": ["b"]}])
    assert draft.root.kind == "object"
    assert draft.root.shape.remarks == ("not drawn, but checked: anyOf",)
    assert refused(draft)


@pytest.mark.parametrize(
    ("value", "branch"),
    [({"name": "x"}, 0), ({"id": 3}, 1), ("x", 2), (3, 3), ({"id": "no", "limit": 1}, 1)],
)
def test_a_value_goes_to_the_form_that_it_was_written_for(value: Any, branch: int) -> None:
    draft = form({"target": TARGET})
    draft.take({"target": value})
    assert at(draft, "target").branch == branch
    assert sent(draft) == {"target": value}


def test_a_value_of_no_form_is_kept_as_json() -> None:
    draft = form({"target": TARGET})
    draft.take({"target": [True]})
    assert at(draft, "target").kind == "json"
    assert sent(draft) == {"target": [True]}
    draft.write_json(at(draft, "target"), "7")
    assert (at(draft, "target").kind, at(draft, "target").branch) == ("choice", 3)


def test_keys_of_ones_own_are_added_checked_and_removed() -> None:
    draft = form({"env": {"type": "object", "additionalProperties": NUMBER, "patternProperties": {"^s_": TEXT}}})
    env = at(draft, "env")
    added = draft.add_key(env, "a")
    assert not isinstance(added, str)
    assert refused(draft) == {"$.env.a": "has no value yet: fill it in, or remove the key"}
    draft.write(added, "1")
    text = draft.add_key(env, "s_x")
    assert not isinstance(text, str)
    draft.write(text, "1")
    assert sent(draft) == {"env": {"a": 1, "s_x": "1"}}
    assert draft.add_key(env, "a") == "there is a key of this name already"
    draft.remove(added)
    assert sent(draft) == {"env": {"s_x": "1"}}


def test_a_closed_object_takes_only_keys_that_match() -> None:
    draft = form({"env": {"type": "object", "additionalProperties": False, "patternProperties": {"^s_": TEXT}}})
    assert draft.add_key(at(draft, "env"), "x") == "no key of this name is allowed here: it must match ^s_"


def test_an_empty_array_and_an_empty_item_are_said() -> None:
    draft = form({"tags": {"type": "array", "items": TEXT}})
    tags = at(draft, "tags")
    item = draft.add_item(tags)
    assert item is not None
    assert refused(draft) == {"$.tags[0]": "has no value yet: fill it in, or remove the item"}
    draft.remove(item)
    assert sent(draft) == {"tags": []}
    draft.leave_out(tags)
    assert sent(draft) == {}


def test_a_tuple_has_a_field_for_each_place() -> None:
    draft = form({"pair": {"type": "array", "prefixItems": [TEXT, NUMBER], "items": False}})
    pair = at(draft, "pair")
    for text in ("a", "1"):
        item = draft.add_item(pair)
        assert item is not None
        draft.write(item, text)
    assert sent(draft) == {"pair": ["a", 1]}
    assert draft.add_item(pair) is None
    draft.move(at(draft, "pair", 0), 1)
    assert [item.kind for item in pair.members or ()] == ["json", "string"] or sent(draft) == {"pair": [1, "a"]}


def test_a_field_is_as_it_was_after_an_edit_that_was_taken_back() -> None:
    draft = form({"in": {"type": "object", "properties": {"x": TEXT | {"default": "d"}}}})
    field = at(draft, "in", "x")
    before = draft.remember(field)
    draft.write(field, "other")
    assert sent(draft) == {"in": {"x": "other"}}
    draft.restore(before)
    assert (sent(draft), field.text, field.is_default) == ({}, "d", True)


def test_a_changed_contract_keeps_what_was_filled_in_and_marks_what_it_refuses() -> None:
    draft = form({"a": TEXT, "n": NUMBER, "gone": TEXT, "kind": {"enum": ["x", "y"]}, "half": NUMBER, "free": TEXT})
    for name, text in [("a", "text"), ("n", "1.5"), ("gone", "here"), ("half", "-"), ("free", "")]:
        draft.write(at(draft, name), text)
    draft.pick(at(draft, "kind"), 1)
    changed = draft.rebase(
        {
            "type": "object",
            "properties": {
                "a": TEXT,
                "n": {"type": "integer"},
                "kind": {"enum": ["x", "z"]},
                "half": {"type": "integer"},
                "new": {"default": 1},
                "free": TEXT,
            },
            "additionalProperties": False,
        }
    )
    assert sent(changed) == {"a": "text", "n": 1.5, "kind": "y", "new": 1, "free": "", "gone": "here"}
    assert at(changed, "half").text == "-"
    assert set(refused(changed)) == {"$.n", "$.kind", "$.half", "$.gone"}


def test_a_default_that_was_left_out_stays_left_out_under_another_contract() -> None:
    draft = form({"a": TEXT | {"default": "x"}, "b": TEXT | {"default": "x"}})
    draft.leave_out(at(draft, "a"))
    changed = draft.rebase({"properties": {"a": TEXT | {"default": "y"}, "b": TEXT | {"default": "y"}}})
    assert sent(changed) == {"b": "y"}


def test_json_that_is_no_object_is_shown_as_it_is() -> None:
    draft = form({"a": TEXT})
    draft.take([1, 2])
    assert (draft.root.kind, sent(draft)) == ("json", [1, 2])
    assert set(refused(draft)) == {"$"}
    draft.write_json(draft.root, '{"a": "x"}')
    assert (draft.root.kind, sent(draft)) == ("object", {"a": "x"})


def test_a_default_of_an_array_or_object_can_be_changed_in_part() -> None:
    draft = FormDraft(
        {
            "type": "object",
            "properties": {
                "tags": {"type": "array", "items": TEXT, "default": ["a", "b"]},
                "in": {"type": "object", "properties": {"x": NUMBER, "y": NUMBER}, "default": {"x": 1, "y": 2}},
            },
        }
    )
    assert sent(draft) == {"tags": ["a", "b"], "in": {"x": 1, "y": 2}}
    draft.write(at(draft, "in", "x"), "9")
    draft.remove(at(draft, "tags", 0))
    assert sent(draft) == {"tags": ["b"], "in": {"x": 9, "y": 2}}
    assert at(draft, "in").state is State.VALUE
    assert sent(draft.rebase({"properties": {"in": {"properties": {"x": NUMBER, "y": NUMBER}}, "tags": {}}})) == {
        "in": {"x": 9, "y": 2},
        "tags": ["b"],
    }

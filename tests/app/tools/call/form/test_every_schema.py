"""Every schema of the catalogue has a form, and so has every one that is hostile, malformed or huge."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app.tools.call.form.filling import at, form, refused, sent
from tests.app.tools.call.form.schemas import deep_schema, large_schema
from tests.app.tools.call.form.test_round_trip import look_at
from tests.canaries import CANARIES, NEVER_SHOWN
from tests.catalogue import catalogue
from workbench.app.tools.call.form.assembling import assemble, verify
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.painting import Setting, lines_of, name_width
from workbench.app.tools.call.form.rows import rows_of

MALFORMED: list[Any] = [
    None,
    7,
    "object",
    [],
    False,
    {"type": 7},
    {"type": "strnig"},
    {"type": ["object", 3]},
    {"type": []},
    {"type": "object", "properties": []},
    {"type": "object", "properties": None},
    {"type": "object", "properties": {"a": 7, "b": None, "c": "string", "d": []}},
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": None},
    {"type": "object", "properties": {"a": {"type": "string", "required": True}}},
    {"type": "object", "properties": {"a": {"enum": 3}, "b": {"enum": []}, "c": {"anyOf": {}}, "d": {"oneOf": []}}},
    {"type": "object", "properties": {"a": {"$ref": 7}, "b": {"$ref": "#/nowhere"}, "c": {"$ref": "#/type"}}},
    {"type": "object", "properties": {"a": {"type": "array", "items": [1, 2]}, "b": {"type": "array", "items": 3}}},
    {
        "type": "object",
        "properties": {"a": {"minimum": "low", "type": "number"}, "b": {"format": [], "type": "string"}},
    },
    {"type": "object", "properties": {"a": {"title": 1, "description": [], "type": "string"}}},
    {"type": "object", "properties": {"a": {"allOf": 1}, "b": {"allOf": [{"type": "string"}, {"type": "number"}]}}},
    {"$ref": "#"},
    {"allOf": [{"$ref": "#"}]},
    {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
    {"anyOf": [{"$ref": "#"}, {"type": "string"}, {"$ref": "#"}]},
    {"type": "array", "items": {"$ref": "#"}},
]


@pytest.mark.parametrize("schema", MALFORMED, ids=lambda schema: json.dumps(schema)[:60])
def test_no_schema_crashes_a_form(schema: Any) -> None:
    draft = FormDraft(schema)
    look_at(draft.root)
    shown(draft)
    draft.take({"a": "x", "b": [1], "c": None, "d": {"e": 1.0}})
    assert json.dumps(sent(draft)) == '{"a": "x", "b": [1], "c": null, "d": {"e": 1.0}}'
    verify(schema, assemble(draft))


def test_a_field_that_cannot_be_drawn_says_why_and_takes_json() -> None:
    draft = form({"a": {"type": 7}, "b": {"allOf": [{"type": "string"}, {"type": "number"}]}, "ok": {"type": "string"}})
    assert [at(draft, name).kind for name in ("a", "b", "ok")] == ["json", "json", "string"]
    assert at(draft, "a").shape.reason.startswith('the schema is malformed: "type" must be one of')
    assert at(draft, "b").shape.reason == "the types that it asks for exclude each other"
    draft.write(at(draft, "a"), '{"x": 1}')
    assert sent(draft) == {"a": {"x": 1}}


def test_every_schema_of_the_catalogue_opens_and_its_defaults_fit() -> None:
    for tool in catalogue():
        for which in ("inputSchema", "outputSchema"):
            if which not in tool:
                continue
            draft = FormDraft(tool[which])
            look_at(draft.root)
            assert not any(row.node.shape.reason for row in rows_of(draft)), tool["name"]
            problems = verify(tool[which], assemble(FormDraft(tool[which])))
            assert all(problem.missing and problem.path.startswith("$.") for problem in problems), tool["name"]


def test_large_and_deep_schemas_are_read_as_far_as_they_are_looked_at() -> None:
    many = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(10_000)}}
    assert len(rows_of(FormDraft(many))) == 10_000
    draft = FormDraft(deep_schema(60))
    assert len(refused(draft)) == 1
    draft.take(json.loads('{"in": ' * 60 + '"x"' + "}" * 60))
    assert refused(draft) == {}
    assert len(assemble(FormDraft(deep_schema(100))).problems) == 1


def test_a_schema_that_grows_without_end_is_cut_short() -> None:
    names = list("abcdef")
    levels = {
        f"l{level}": {
            "type": "object",
            "properties": {name: {"$ref": f"#/$defs/l{level + 1}"} for name in names},
            "required": names,
        }
        for level in range(30)
    }
    draft = FormDraft({"$ref": "#/$defs/l0", "$defs": levels})
    assert 0 < len(assemble(draft).problems) < 10_000
    forms = {f"l{level}": {"anyOf": [{"$ref": f"#/$defs/l{level + 1}"}] * 50} for level in range(30)}
    draft = FormDraft({"type": "object", "properties": {"a": {"$ref": "#/$defs/l0"}}, "$defs": forms})
    draft.take({"a": {"b": [1, {"c": 2}]}})
    assert sent(draft) == {"a": {"b": [1, {"c": 2}]}}


@pytest.mark.parametrize("canary", CANARIES, ids=range(len(CANARIES)))
def test_hostile_names_values_and_words_are_shown_literally(canary: str) -> None:
    draft = form(
        {
            canary: {"type": "string", "description": canary, "title": canary, "default": canary, "pattern": canary},
            "pick": {"enum": [canary, "other"], "default": canary},
            "form": {"oneOf": [{"title": canary, "type": "object"}, {"type": "string"}]},
            "list": {"type": "array", "items": {"type": "string"}, "default": [canary]},
            "odd": {"type": canary, canary: canary},
        },
        canary,
    )
    draft.take(sent(draft) | {f"{canary}!": {canary: canary}})
    text = shown(draft)
    assert NEVER_SHOWN.isdisjoint(text.replace("\n", ""))
    assert sent(draft)[canary] == sent(draft)["pick"] == canary


@pytest.mark.parametrize("width", [30, 40, 79, 160])
def test_no_line_is_wider_than_its_place(width: int) -> None:
    for schema in (large_schema(2_000), {"properties": {canary: {"description": canary} for canary in CANARIES}}):
        shown(FormDraft(schema), width)


def shown(draft: FormDraft, width: int = 80) -> str:
    """All rows as text; no line is wider than the place."""
    from rich.cells import cell_len

    rows = rows_of(draft)
    setting = Setting(name_width(rows, width))
    lines = []
    for row in rows:
        for here in (True, False):
            for line in lines_of(row, width, setting, here=here):
                text = "".join(piece for piece, _ in line)
                assert "\n" not in text
                assert cell_len(text) <= width
                lines.append(text)
    return "\n".join(lines)

"""From JSON into a form and back: nothing is lost, nothing is changed, whatever the schema says."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from tests.app.tools.call.form.schemas import JUNK, SCHEMAS, VALUES
from workbench.app.tools.call.form.assembling import assemble
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.loading import members_of
from workbench.app.tools.call.form.node import Node


def through(schema: Any, value: Any) -> Any:
    """A value after it was put into the form of a schema."""
    draft = FormDraft(schema)
    draft.take(value)
    assembled = assemble(draft)
    assert all(problem.missing for problem in assembled.problems)
    return assembled.value


def look_at(node: Node, depth: int = 3) -> None:
    """Unfold everything that a person could unfold."""
    assert node.shape.notes
    assert node.content.kind != "json" or node.content.json or node.shape.kind in {"json", "choice"}
    if depth > 0:
        for number in range(min(len(node.shape.branches), 3)):
            look_at(node.form_at(number), depth - 1)
        if node.content.kind in {"object", "array"}:
            for member in members_of(node.content)[:6]:
                look_at(member, depth - 1)


@given(SCHEMAS, VALUES)
def test_any_value_comes_back_out_of_any_form(schema: Any, value: Any) -> None:
    assert json.dumps(through(schema, value)) == json.dumps(value)


@given(SCHEMAS, SCHEMAS, VALUES)
def test_any_value_survives_a_change_of_the_contract(schema: Any, other: Any, value: Any) -> None:
    draft = FormDraft(schema)
    draft.take(value)
    moved = assemble(draft.rebase(other)).value
    if isinstance(value, dict) and isinstance(moved, dict):
        assert moved | value == moved
    else:
        assert json.dumps(moved) == json.dumps(value)


@given(JUNK, VALUES)
def test_what_is_no_schema_makes_a_form_too(junk: Any, value: Any) -> None:
    look_at(FormDraft(junk).root)
    assemble(FormDraft(junk))
    assert json.dumps(through(junk, value)) == json.dumps(value)


@given(SCHEMAS)
def test_every_form_can_be_looked_at_whole(schema: Any) -> None:
    look_at(FormDraft(schema).root)

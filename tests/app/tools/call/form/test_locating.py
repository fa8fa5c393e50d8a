"""Each problem is shown at its field, and for that the fields that nobody was at are left unread."""

from __future__ import annotations

import pytest

from workbench.app.tools.call.form.assembling import assemble
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.gathering import FieldProblem
from workbench.app.tools.call.form.locating import every_field, locate
from workbench.app.tools.call.form.rows import rows_of
from workbench.harness.strict_json import Json

NESTED: Json = {
    "type": "object",
    "properties": {
        "plain": {"type": "string"},
        "two words": {"type": "object", "properties": {"a.b[0]": {"type": "integer"}}},
        "list": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}}}},
        "one of": {"oneOf": [{"type": "object", "properties": {"y": {"type": "integer"}}}, {"type": "string"}]},
    },
}
FILLED: Json = {"plain": "p", "two words": {"a.b[0]": 1}, "list": [{"x": 1}, {"x": 2}], "one of": {"y": 3}}


@pytest.mark.parametrize(
    ("path", "at"),
    [
        ("$.plain", ("plain",)),
        ("$.plain.deeper", ("plain",)),
        ('$["two words"]["a.b[0]"]', ("two words", "a.b[0]")),
        ('$["two words"].other', ("two words",)),
        ("$.list[1].x", ("list", 1, "x")),
        ("$.list[7]", ("list",)),
        ('$["one of"].y', ("one of", "y")),
        ("$.nowhere", None),
        ("$", None),
    ],
)
def test_a_problem_is_at_its_field_or_the_nearest_one_around_it(path: str, at: tuple[str | int, ...] | None) -> None:
    draft = FormDraft(NESTED)
    draft.take(FILLED)
    problem = FieldProblem(path, "is wrong")
    located = locate(draft.root, [problem])
    found = {node.steps for node in every_field(draft.root) if problem in located.at.get(id(node), ())}
    if at is None:
        assert located.rest == [problem]
        assert not found
    else:
        # A form of a choice is the same field as the choice.
        assert found == {at}


def test_finding_the_field_of_a_problem_reads_none_of_the_thousands_beside_it() -> None:
    properties: Json = {f"field_{number}": {"type": "string"} for number in range(3_000)}
    draft = FormDraft({"type": "object", "properties": properties, "required": ["field_7"]})
    rows_of(draft)
    problems = assemble(draft).problems
    assert [problem.path for problem in problems] == ["$.field_7"]
    assert len(locate(draft.root, problems).at) == 1
    assert sum(node.spot._shape is not None for node in every_field(draft.root)) < 5

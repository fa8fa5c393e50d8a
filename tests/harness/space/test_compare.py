"""What changed from one version of a tool to another."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.harness.space.compare import compare_documents
from workbench.harness.space.document import ToolDocument, builtin_document, lambda_document

CONTENT = {"description": "Count words.", "source": "def main(input):\n    return 1\n", "runtime": "python"}


def a_lambda(**content: Any) -> ToolDocument:
    """A lambda."""
    return lambda_document("word_count", {**CONTENT, **content}).document


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"summary": "Counts."}, ['neutral summary: "Count words." → "Counts."']),
        ({"runtime": "typescript"}, ["neutral runtime: python → typescript"]),
        ({"source": "def main(input):\n    return 2\n"}, ["neutral source: 30 → 30 bytes"]),
        (
            {"description": "Count all words."},
            ['neutral summary: "Count words." → "Count all words."', "neutral description: 12 → 16 bytes"],
        ),
        (
            {"input": {"type": "object", "required": ["text"]}},
            ["breaking input $.text: required now"],
        ),
        (
            {"output": {"type": "integer"}},
            ["widening output $: type anything → integer", "neutral output $: output schema added"],
        ),
    ],
)
def test_each_part_of_the_contract(content: dict[str, Any], said: list[str]) -> None:
    changes = compare_documents(a_lambda(), a_lambda(**content)).changes
    assert [f"{each.kind} {each.part} {each.path}".strip() + f": {each.what}" for each in changes] == said
    assert all(each.why for each in changes)


def test_taking_the_output_schema_away_breaks_readers() -> None:
    (first, second) = compare_documents(a_lambda(output={"type": "integer"}), a_lambda()).changes
    assert (first.kind, first.why) == (
        "breaking",
        "values of any other type may come now, which readers did not have to expect",
    )
    assert (second.kind, second.what) == ("neutral", "output schema removed")


def test_the_same_document_has_no_changes() -> None:
    found = compare_documents(a_lambda(), a_lambda())
    assert (found.same, found.description, found.source) == (True, None, None)


def test_the_breaking_ones_come_first_whatever_part_they_are_in() -> None:
    new = a_lambda(summary="Other.", output={"type": "integer"}, input={"type": "object", "required": ["text"]})
    assert [each.kind for each in compare_documents(a_lambda(), new).changes] == [
        "breaking",
        "widening",
        "neutral",
        "neutral",
    ]


def test_descriptions_and_sources_are_compared_line_by_line() -> None:
    found = compare_documents(a_lambda(), a_lambda(description="Count words.\nAll.", source="x = 1\n"))
    assert found.description is not None
    assert (found.description.added, found.description.removed) == (1, 0)
    assert found.source is not None
    assert (found.source.added, found.source.removed) == (1, 2)


def test_a_builtin_whose_executor_is_another_is_neutral() -> None:
    old, new = (builtin_document("search", "Find.", {"type": "object"}, f"builtin:{name}") for name in "ab")
    (change,) = compare_documents(old, new).changes
    assert (change.kind, change.part, change.what) == ("neutral", "binding", "builtin:a → builtin:b")

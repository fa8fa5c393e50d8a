"""The parts without a screen: skeletons, drafts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.desk import WORD_COUNT
from workbench.app.tools.call.skeleton import skeleton
from workbench.app.tools.source.drafts import draft_of, index_cost, judge, new_draft
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import cid_of, encode, lambda_document
from workbench.harness.space.schema import validate

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "$ref", "required", "enum", "default", "$defs", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(any_json)
def test_any_schema_at_all_gives_a_skeleton(schema: Any) -> None:
    skeleton(schema)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({}, {}),
        ({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}, {"a": ""}),
        ({"properties": {"n": {"type": "integer", "minimum": 3}}, "required": ["n"]}, {"n": 3}),
        ({"properties": {"e": {"enum": ["x", "y"]}}, "required": ["e"]}, {"e": "x"}),
        ({"properties": {"d": {"type": "string", "default": "so"}}, "required": ["d"]}, {"d": "so"}),
        ({"properties": {"r": {"$ref": "#/$defs/R"}}, "required": ["r"], "$defs": {"R": {"type": "array"}}}, {"r": []}),
    ],
)
def test_a_skeleton_has_what_is_required(schema: Any, value: Any) -> None:
    assert skeleton(schema) == value
    assert not validate(schema, value).errors


def test_a_draft_that_nobody_touched_is_the_stored_version() -> None:
    document = lambda_document("word_count", WORD_COUNT).document
    draft = draft_of(document, cid_of(encode(document)))
    assert not draft.unsaved
    assert judge(draft).cid == draft.base_cid


def test_a_summary_that_was_derived_follows_the_description() -> None:
    document = lambda_document("word_count", WORD_COUNT).document
    draft = draft_of(document, "bafy")
    rest = draft.rest.replace("Count the words of a text.", "Count words.")
    changed = lambda_document("word_count", {k: v for k, v in draft.edited(rest=rest).content().items() if k != "cid"})
    assert changed.document.summary == "Count words."


@pytest.mark.parametrize("runtime", ["python", "typescript"])
def test_the_templates_are_sound(runtime: str) -> None:
    draft = new_draft("hello", runtime)
    assert draft.runtime == runtime
    assert draft.unsaved
    judgement = judge(draft)
    assert judgement.problem is None
    assert judgement.index_bytes == index_cost(lambda_document("hello", draft.content()).document) > 0


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("{", "the contract"),
        ("[]", "JSON object"),
        ('{"description": "x", "source": "y"}', "no source"),
        ('{"runtime": "python"}', "no description"),
        ('{"description": "x", "summry": "y"}', "summry"),
    ],
)
def test_what_is_wrong_with_a_draft_is_said(rest: str, words: str) -> None:
    problem = judge(new_draft("hello", "python").edited(rest=rest)).problem
    assert problem is not None
    assert words in problem


def test_a_draft_knows_the_version_it_was_edited_from() -> None:
    document = lambda_document("word_count", WORD_COUNT).document
    assert draft_of(document, "bafy1").rebased("bafy2").content()["cid"] == "bafy2"
    with pytest.raises(HarnessError):
        draft_of(document, "bafy1").edited(rest='{"cid": "x"}').content()

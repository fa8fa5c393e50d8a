"""Drafts, templates and what would come of saving them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.app.desk import WORD_COUNT
from workbench.app.tools.source.declaration import declaration_text
from workbench.app.tools.source.differences import differences
from workbench.app.tools.source.drafts import PARTS, Texts, draft_of
from workbench.app.tools.source.judgement import Surroundings, judge
from workbench.app.tools.source.templates import TEMPLATES, Template
from workbench.harness.errors import HarnessError
from workbench.harness.space.document import ToolDocument, cid_of, encode, lambda_document
from workbench.harness.space.index import IndexTool
from workbench.harness.space.settings import Settings
from workbench.harness.tools.callables import Missing
from workbench.harness.tools.lambdas.syntax import problems


def document(**content: object) -> ToolDocument:
    """The lambda that most tests have, as a document."""
    return lambda_document("word_count", {**WORD_COUNT, **content}).document


def cid(made: ToolDocument) -> str:
    """The CID of a document."""
    return cid_of(encode(made))


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"output": {"type": "object"}},
        {"output": True},
        {"summary": "A summary of its own."},
        {"description": 'Two lines.\nWith "quotes", \\ and 漢字.'},
        {"input": {}},
        {"runtime": "typescript"},
        {"source": "x\r\ny\r"},
    ],
)
def test_a_draft_that_nobody_touched_is_the_stored_version(content: dict[str, object]) -> None:
    made = document(**content)
    draft = draft_of(made, cid(made))
    assert not draft.unsaved
    assert judge(draft).cid == draft.base_cid
    assert draft.texts.description == made.description


@given(st.text(min_size=1).filter(lambda text: text.strip() != "" and not any("\ud800" <= c <= "\udfff" for c in text)))
def test_any_description_is_kept_as_it_is(description: str) -> None:
    try:
        made = document(description=description)
    except HarnessError:
        return
    assert judge(draft_of(made, "bafy")).cid == cid(made)


def test_a_summary_that_was_derived_follows_the_description() -> None:
    made = document()
    draft = draft_of(made, cid(made)).edited("description", "Count words. And more.")
    changed = lambda_document("word_count", {key: value for key, value in draft.content().items() if key != "cid"})
    assert changed.document.summary == "Count words."


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("{", "the contract is not JSON"),
        ("[]", "JSON object"),
        ('{"source": "y"}', "source has a part of its own"),
        ('{"description": "y"}', "description has a part of its own"),
        ('{"cid": "y"}', "Take cid out"),
        ('{"name": "y"}', "Take name out"),
        ('{"kind": "y"}', "Take kind out"),
        ('{"summry": "y"}', "summry"),
        ('{"runtime": "cobol"}', "runtime"),
    ],
)
def test_what_is_wrong_with_a_draft_is_said(rest: str, words: str) -> None:
    problem = judge(TEMPLATES[0].draft("hello").edited("rest", rest)).problem
    assert problem is not None
    assert words in problem


def test_saving_names_the_version_that_it_replaces_or_that_there_is_none() -> None:
    draft = draft_of(document(), "bafy1")
    assert draft.act()["content"]["cid"] == "bafy1"
    assert draft.rebased("bafy2").act()["content"]["cid"] == "bafy2"
    new = TEMPLATES[0].draft("hello").act()
    assert new["options"] == {"create": True}
    assert "cid" not in new["content"]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
async def test_the_templates_are_sound(template: Template) -> None:
    draft = template.draft("hello")
    judgement = judge(draft)
    assert draft.unsaved
    assert draft.runtime == template.runtime
    assert judgement.problem is None
    assert judgement.notes == ()
    assert await problems(template.runtime, draft.texts.source) == ()


def test_the_index_line_is_the_very_line_among_the_others() -> None:
    others = tuple(IndexTool(f"tool{number:03}", "x" * 100, authored=True) for number in range(12))
    alone = judge(TEMPLATES[0].draft("hello"))
    among = judge(TEMPLATES[0].draft("hello"), Surroundings(others))
    assert alone.line.startswith("- hello — Say what hello does and when to use it; a model reads this. (authored)")
    assert alone.line_bytes == len(alone.line.encode()) + 1
    assert among.index is not None
    assert among.index.stage == "full"
    assert among.line in among.index.text
    many = judge(TEMPLATES[0].draft("hello"), Surroundings(others * 2))
    assert many.index is not None
    assert many.index.stage == "shortened"
    assert many.line != alone.line
    assert many.line in many.index.text


def test_a_tool_that_would_not_be_listed_says_why_and_what_its_line_would_be() -> None:
    off = Surroundings(settings=Settings(switched_off=("hello",)), missing=Missing({}, {}))
    judgement = judge(TEMPLATES[0].draft("hello"), off)
    assert "Switched off" in judgement.unlisted
    assert judgement.line.startswith("- hello")


def test_among_thousands_it_says_that_it_has_no_line() -> None:
    others = tuple(IndexTool(f"a{number:04}", "x", authored=True) for number in range(3_000))
    judgement = judge(TEMPLATES[0].draft("zzz"), Surroundings(others))
    assert judgement.line == ""
    assert "too many tools" in judgement.unlisted


def test_differences_are_told_for_callers_and_then_part_by_part() -> None:
    stored = document()
    draft = draft_of(stored, "bafy")
    mine = (
        draft.edited("source", stored.source.replace("counting", "-- counts") if stored.source else "")
        .edited("description", "Other.")
        .edited("rest", '{"runtime": "python", "input": {"type": "object", "required": ["words"]}}')
    )
    lines = [line.text for line in differences(stored, mine)]
    assert lines[0] == "with yours in place of the stored one, callers find"
    assert any(line.startswith("✗ breaking: input $.words") for line in lines), lines
    assert '-     print("counting")' in lines
    assert '+     print("-- counts")' in lines
    assert "+ Other." in lines
    heads = [line.partition("  ")[0] for line in lines]
    assert heads.index("source") < heads.index("description") < heads.index("contract")
    assert [line.text for line in differences(stored, draft)] == ["Both have the same texts."]
    assert "deleted" in differences(None, draft)[0].text
    broken = [line.text for line in differences(stored, mine.edited("rest", "{"))]
    assert broken[0].startswith("source"), "what is no document is compared by its texts"


def test_a_part_is_another_text() -> None:
    texts = Texts("a", "b", "c")
    assert [texts[part] for part in PARTS] == ["a", "b", "c"]
    for part in PARTS:
        assert texts.having(part, "x")[part] == "x"


def test_a_declaration_is_everything_that_a_model_reads() -> None:
    made = replace(document(), output=True)
    text = declaration_text(made)
    assert text.index("word_count") < text.index(made.description) < text.index('"text"') < text.index("output\ntrue")

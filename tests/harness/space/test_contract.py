"""The contract: what it tells, and that it is the same text wherever it is met."""

from __future__ import annotations

import json

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.paging import MAX_BYTES, MAX_LINES
from workbench.harness.space.contract import contract_page, contract_text
from workbench.harness.space.document import builtin_document, cid_of, decode, encode, lambda_document

WORD_COUNT = lambda_document(
    "word_count",
    {
        "description": "Count words. White space separates them.",
        "input": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        "output": {"type": "object", "properties": {"words": {"type": "integer"}}},
        "source": "def main(input):\n    return {'words': len(input['text'].split())}\n",
        "runtime": "python",
    },
).document

EXPECTED = """\
name: word_count
kind: lambda
cid: bafyexample
runtime: python
source: 66 bytes (read ~/tools/word_count with options.part "source"); may import Python's standard library; \
no network unless the owner allows it; /workspace is ~/memory/

Count words. White space separates them.

input schema:
{
  "properties": {
    "text": {
      "type": "string"
    }
  },
  "required": [
    "text"
  ],
  "type": "object"
}

output schema:
{
  "properties": {
    "words": {
      "type": "integer"
    }
  },
  "type": "object"
}
"""


def test_a_lambdas_contract() -> None:
    assert contract_text(WORD_COUNT, "bafyexample") == EXPECTED


def test_a_builtins_contract_has_no_source_line() -> None:
    document = builtin_document("search", "Search the memory.", {"type": "object"}, "builtin:search")
    assert contract_text(document, "bafyexample") == (
        "name: search\nkind: builtin\ncid: bafyexample\n\nSearch the memory.\n\n"
        'input schema:\n{\n  "type": "object"\n}\n'
    )


def test_a_typescript_lambda_says_what_it_may_import() -> None:
    document = lambda_document("shout", {"description": "Shout.", "source": "export default () => 1"}).document
    assert "may import what deno has built in; no network" in contract_text(document, "bafyexample")


def test_written_and_read_back_it_is_the_same_text() -> None:
    block = encode(WORD_COUNT)
    cid = cid_of(block)
    assert contract_text(decode(block), cid) == contract_text(WORD_COUNT, cid)


def test_a_contract_that_fits_is_given_as_it_is() -> None:
    given = contract_page(WORD_COUNT, "bafyexample")
    assert given.content == EXPECTED
    assert given.next_offset is None


def test_a_long_contract_is_paged_and_says_how_to_go_on() -> None:
    names = [f"parameter_{number}" for number in range(1500)]
    document = builtin_document(
        "wide",
        "Takes very much.",
        {"type": "object", "properties": {name: {"type": "string"} for name in names}},
        "builtin:wide",
    )
    whole = contract_text(document, "bafyexample")
    offset, joined, pages = 1, "", 0
    while offset is not None:
        given = contract_page(document, "bafyexample", offset)
        assert len(given.content.encode()) <= MAX_BYTES
        assert given.content.count("\n") <= MAX_LINES
        body, _, notice = given.content.rpartition("\n")
        if given.next_offset is not None:
            assert json.dumps(given.next_offset) in notice
            assert "options.offset" in notice
        joined += body + "\n"
        pages += 1
        offset = given.next_offset
    assert pages > 2
    assert joined == whole


def test_an_offset_past_the_end_is_refused() -> None:
    with pytest.raises(HarnessError, match="no line 1000"):
        contract_page(WORD_COUNT, "bafyexample", 1000)

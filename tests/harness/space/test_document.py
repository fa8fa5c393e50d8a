"""Tool documents: the rules of their fields, their canonical bytes, and that every language gives them the same CID."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dag_cbor
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multiformats import CID, multihash

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import (
    CONTENT_SHAPE,
    MAX_BLOCK_BYTES,
    MAX_DESCRIPTION_BYTES,
    MAX_SOURCE_BYTES,
    ToolDocument,
    builtin_document,
    cid_of,
    cid_parts,
    decode,
    document_from_map,
    encode,
    first_sentence,
    lambda_document,
    verify_canonical,
)
from workbench.harness.strict_json import Json, canonical, normalise_numbers, parse

VECTORS = Path(__file__).parents[2] / "data" / "vectors"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text("utf-8"))


def by_id(entries: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(entry, id=entry["id"]) for entry in entries]


VALID = [entry for entry in vectors("cid.json") if entry["valid_tool_document"]]
INVALID = [entry for entry in vectors("cid.json") if not entry["valid_tool_document"]]


# -- the vectors of other languages ---------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", by_id(VALID))
def test_a_document_has_the_cid_that_javascript_gives_it(entry: dict[str, Any]) -> None:
    document = document_from_map(parse(entry["json"], what="the document"))
    block = encode(document)
    assert cid_of(block) == entry["cid"]
    assert "cbor_hex" not in entry or block.hex() == entry["cbor_hex"]
    assert verify_canonical(block) == document


REASONS = {
    "edge-surrogate-high": "lone surrogate",
    "edge-surrogate-low-end": "lone surrogate",
    "edge-surrogate-long-string": "lone surrogate",
    "edge-empty-strings": "blank description",
    "edge-output-null": "output in the document is null",
    "edge-deep-array-250": "128 levels",
    "edge-key-order": "unsound",
    "edge-form-duplicate-keys": '"name" twice',
    "edge-proto-key-top": '"__proto__"',
    "edge-builtin": "no binding",
    "edge-bare-empty-map": "kind",
}


@pytest.mark.parametrize("entry", by_id(INVALID))
def test_what_is_no_tool_document_is_refused_with_a_reason(entry: dict[str, Any]) -> None:
    with pytest.raises(HarnessError) as caught:
        document_from_map(parse(entry["json"], what="the document"))
    assert REASONS.get(entry["id"], "is not an object") in caught.value.message


@pytest.mark.parametrize("entry", by_id(vectors("saved.json")))
def test_what_is_written_is_stored_as_every_language_stores_it(entry: dict[str, Any]) -> None:
    draft = lambda_document(entry["address"].removeprefix("~/tools/"), entry["content"])
    expected, _ = normalise_numbers(parse(entry["document"], what="the document"))
    assert canonical(draft.document.to_map()) == canonical(expected)
    assert cid_of(encode(draft.document)) == entry["cid"]


SAYS = {
    "a key twice": "twice",
    "an optional field given as null": "output in the content of ~/tools/a_tool is null",
    "name differs from the address": "another name",
    "kind": "another kind",
    "unsound schema": "unsound",
    "over 128 levels": "128 levels",
}


@pytest.mark.parametrize("entry", by_id(vectors("refused.json")))
def test_a_fault_in_what_is_written_is_named(entry: dict[str, Any]) -> None:
    content = entry["content"] if "content" in entry else bytes.fromhex(entry["bytes_hex"])
    with pytest.raises(HarnessError) as caught:
        lambda_document("a_tool", content)
    because = entry["because"]
    assert SAYS.get(because, because.removeprefix("a ")) in caught.value.message
    assert len(caught.value.message) < 600


@pytest.mark.parametrize(
    ("name", "fixture"),
    [pytest.param(*item, id=item[0]) for item in vectors("codec-fixtures.json")["fixtures"].items()],
)
def test_the_codec_keeps_the_bytes_of_the_ipld_fixtures(name: str, fixture: dict[str, str]) -> None:
    block = bytes.fromhex(fixture["hex"])
    assert dag_cbor.encode(dag_cbor.decode(block)) == block
    assert cid_of(block) == fixture["cid"]


def test_the_codec_refuses_the_negative_fixture() -> None:
    for fixture in vectors("codec-fixtures-refused.json")["fixtures"]:
        with pytest.raises(HarnessError, match="no canonical DAG-CBOR"):
            decode(bytes.fromhex(fixture["hex"]))


# -- CIDs -----------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.sampled_from(["dag-cbor", "raw"]))
def test_the_fast_cid_is_the_one_that_multiformats_makes(block: bytes, codec: Any) -> None:
    assert cid_of(block, codec) == str(CID("base32", 1, codec, multihash.digest(block, "sha2-256")))


def test_a_cid_comes_apart() -> None:
    parts = cid_parts(cid_of(b""))
    assert (parts.base, parts.version, parts.codec, parts.hash) == ("base32", 1, "dag-cbor", "sha2-256")
    assert parts.digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


# -- writing a lambda -----------------------------------------------------------------------------------------------

CONTENT: dict[str, Any] = {"description": "Does it. Well.", "source": "export default () => 1"}


def refusal(content: object, name: str = "a_tool") -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        lambda_document(name, content)
    return caught.value


def test_the_least_that_can_be_written() -> None:
    draft = lambda_document("a_tool", CONTENT)
    assert draft.document.to_map() == {
        "name": "a_tool",
        "kind": "lambda",
        "summary": "Does it.",
        "description": "Does it. Well.",
        "input": {"type": "object"},
        "source": "export default () => 1",
        "runtime": "typescript",
    }
    assert draft.base_cid is None
    assert draft.notes == ()


def test_text_bytes_and_the_object_itself_are_the_same_content() -> None:
    text = json.dumps(CONTENT)
    assert (
        lambda_document("a_tool", text)
        == lambda_document("a_tool", text.encode())
        == lambda_document("a_tool", CONTENT)
    )


def test_the_version_it_was_edited_from_is_handed_on() -> None:
    document = lambda_document("a_tool", CONTENT).document
    cid = cid_of(encode(document))
    assert lambda_document("a_tool", document.to_map() | {"cid": cid}).base_cid == cid


def test_the_author_is_told_what_is_stored_otherwise_and_what_cannot_be_checked() -> None:
    properties = {"n": {"maximum": 9223372036854775807}, "t": {"pattern": "(?=a)"}}
    draft = lambda_document("a_tool", CONTENT | {"input": {"properties": properties}})
    assert draft.notes[0] == "9223372036854775807 is stored as 9223372036854775808.0"
    assert "$.properties.t.pattern" in draft.notes[1]
    assert "cannot be checked" in draft.notes[1]


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        ("def main(input): pass", "bad_input", CONTENT_SHAPE),
        ('["description"]', "bad_input", CONTENT_SHAPE),
        (None, "bad_input", CONTENT_SHAPE),
        (7, "bad_input", CONTENT_SHAPE),
        ({1: 2}, "bad_input", "a key is of type int"),
        (CONTENT | {"sumary": "x"}, "bad_input", "Did you mean summary?"),
        (CONTENT | {"binding": "verb:read"}, "bad_input", '"binding"'),
        (CONTENT | {"cid": 5}, "bad_input", "cid"),
        (CONTENT | {"source": 5}, "bad_input", "source in the content of ~/tools/a_tool must be a text"),
        (CONTENT | {"description": None}, "bad_input", "null"),
        (CONTENT | {"summary": " "}, "bad_input", "blank summary"),
        (CONTENT | {"summary": 5}, "bad_input", "summary"),
        (CONTENT | {"runtime": "Python"}, "bad_input", "typescript or python"),
        (CONTENT | {"input": {"type": ["object", "null"]}}, "bad_input", "object root"),
        (CONTENT | {"output": {"$ref": "#/$defs/x"}}, "bad_input", "leads nowhere"),
        (CONTENT | {"output": 5}, "bad_input", "output in the content of ~/tools/a_tool is unsound"),
        (CONTENT | {"input": {"description": "x" * MAX_BLOCK_BYTES}}, "limit", f"at most {MAX_BLOCK_BYTES}"),
        (CONTENT | {"description": "d" * (MAX_DESCRIPTION_BYTES + 1)}, "limit", "16385 bytes, at most 16384"),
        (CONTENT | {"summary": "s" * 141}, "limit", "141 code points, at most 140"),
    ],
)
def test_other_content_is_refused(content: object, code: str, says: str) -> None:
    fault = refusal(content)
    assert fault.code == code
    assert says in fault.message


def test_at_a_limit_is_allowed() -> None:
    content = CONTENT | {
        "description": "é" * (MAX_DESCRIPTION_BYTES // 2),
        "source": "s" * MAX_SOURCE_BYTES,
        "summary": "😀" * 140,
        "output": True,
    }
    assert decode(encode(lambda_document("a_tool", content).document)).output is True


@pytest.mark.parametrize(
    ("name", "code"),
    [("bash", "refused"), ("read", "refused"), ("search", "refused"), ("mcp__a__b", "refused"), ("A b", "bad_input")],
)
def test_a_name_that_no_lambda_may_have(name: str, code: str) -> None:
    assert refusal(CONTENT, name).code == code


@pytest.mark.parametrize(
    ("description", "summary"),
    [
        ("One. Two.", "One."),
        ("One! Two.", "One!"),
        ("One?\tTwo.", "One?"),
        ("Ends at the line\nnot here. Two.", "Ends at the line"),
        ("Windows\r\nlines", "Windows"),
        ("\n  Leading space. Two.", "Leading space."),
        ("v1.2 is no end... but this is. Two.", "v1.2 is no end..."),
        ("No end at all", "No end at all"),
        ("two   spaces\there", "two spaces here"),
        ("x" * 140, "x" * 140),
        ("x" * 141, "x" * 137 + "…"),
        ("😀" * 141, "😀" * 137 + "…"),
    ],
)
def test_the_first_sentence_is_the_summary(description: str, summary: str) -> None:
    assert first_sentence(description) == summary


# -- builtins, and reading back -------------------------------------------------------------------------------------


def test_a_builtins_document() -> None:
    document = builtin_document(
        "read", "Read a thing. More.", {"type": "object"}, "verb:read", summary=" Read  a thing "
    )
    assert document.to_map() == {
        "name": "read",
        "kind": "builtin",
        "summary": "Read a thing",
        "description": "Read a thing. More.",
        "input": {"type": "object"},
        "binding": "verb:read",
    }
    assert decode(encode(document)) == document


def test_a_schema_of_a_server_may_be_refused() -> None:
    with pytest.raises(HarnessError, match="unsound"):
        builtin_document("mcp__a__b", "Does.", {"type": "objekt"}, "mcp:a/b")


STORED = lambda_document("a_tool", CONTENT).document.to_map()


@pytest.mark.parametrize(
    "stored",
    [
        {key: value for key, value in STORED.items() if key != "runtime"},
        {key: value for key, value in STORED.items() if key != "summary"},
        STORED | {"summary": "two  spaces"},
        STORED | {"name": "A"},
        STORED | {"name": "bash"},
        STORED | {"binding": "x:y"},
        STORED | {"kind": "builtin", "binding": "x:y"},
        STORED | {"extra": 1},
        STORED | {"source": b"bytes"},
        STORED | {"input": {"type": "array"}},
        [],
    ],
)
def test_a_block_that_is_no_document_is_corrupt(stored: Any) -> None:
    with pytest.raises(HarnessError) as caught:
        decode(dag_cbor.encode(stored))
    assert caught.value.code == "corrupt"


@pytest.mark.parametrize("block", [b"", b"\xa0", b"\xff", b"\x81" * 100_000, b"\x5b" + b"\xff" * 8, b"\0" * 2_000_000])
def test_bytes_from_anywhere_are_corrupt(block: bytes) -> None:
    with pytest.raises(HarnessError) as caught:
        decode(block)
    assert caught.value.code == "corrupt"


def outcome(block: bytes) -> str:
    try:
        decode(block)
    except HarnessError as fault:
        return fault.code
    return "document"


@given(st.binary(max_size=300))
def test_decode_ends_in_a_document_or_in_corrupt(block: bytes) -> None:
    assert outcome(block) in {"document", "corrupt"}


def test_a_number_that_was_not_normalised_is_found_by_encoding_again() -> None:
    unusual: Any = STORED | {"input": {"minProperties": 1.0}}
    block = dag_cbor.encode(unusual)
    assert decode(block).input == {"minProperties": 1}
    with pytest.raises(HarnessError, match="canonical form") as caught:
        verify_canonical(block)
    assert caught.value.code == "corrupt"


# -- properties -----------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WORDS = TEXTS.map(lambda text: f"a{text}")
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
SCHEMAS = st.fixed_dictionaries({"default": VALUES, "examples": st.lists(VALUES, max_size=2)})
CONTENTS = st.fixed_dictionaries(
    {"description": WORDS, "source": WORDS},
    optional={
        "input": SCHEMAS,
        "output": SCHEMAS,
        "summary": WORDS,
        "runtime": st.sampled_from(["python", "typescript"]),
    },
)


def shuffled(value: Any, draw: Any) -> Any:
    if isinstance(value, dict):
        keys = draw(st.permutations(list(value)))
        return {key: shuffled(value[key], draw) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, draw) for item in value]
    return value


@given(CONTENTS)
def test_a_document_survives_its_bytes(content: dict[str, Any]) -> None:
    document = lambda_document("a_tool", content).document
    block = encode(document)
    assert verify_canonical(block) == document
    assert isinstance(document, ToolDocument)


@given(CONTENTS, st.data())
def test_the_order_of_keys_is_no_part_of_a_document(content: dict[str, Any], data: st.DataObject) -> None:
    other = shuffled(content, data.draw)
    assert encode(lambda_document("a_tool", content).document) == encode(lambda_document("a_tool", other).document)


@given(CONTENTS)
def test_writing_what_was_stored_adds_nothing(content: dict[str, Any]) -> None:
    document = lambda_document("a_tool", content).document
    again = lambda_document("a_tool", document.to_map())
    assert again.document == document
    assert again.notes == ()

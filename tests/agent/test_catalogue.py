"""Catalogues of tools as servers list them: what of them a Space could hold, and under which names."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.catalogue import SAMPLE
from workbench.agent.catalogue import Catalogue, content_of, legal_name
from workbench.harness.names import lambda_name_fault
from workbench.harness.space.document import lambda_document


def read(*lines: object) -> Catalogue:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return Catalogue().and_lines(text.encode(), "here.jsonl")


def test_every_tool_of_the_sample_is_one_that_can_be_written() -> None:
    found = Catalogue().and_lines(SAMPLE.read_bytes(), "sample")
    assert found.refused == ()
    for tool in found.tools:
        again = lambda_document(tool.document.name, content_of(tool.document)).document
        assert again == tool.document
    assert {tool.given for tool in found.tools if tool.renamed} == {
        "docx.v1.document.rawContent",
        "TwilioApiV2010--CreateSiprec",
    }


@pytest.mark.parametrize("key", ["inputSchema", "input_schema", "input"])
def test_a_schema_has_three_names(key: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    (tool,) = read({"name": "one", "description": "Does one.", key: schema, "server": "any"}).tools
    assert tool.document.input == schema


def test_a_tool_without_words_is_described_by_its_name() -> None:
    (tool,) = read({"name": "getIt", "description": " "}).tools
    assert (tool.document.name, tool.document.description) == ("get_it", "getIt")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "not JSON"),
        ("5", "JSON object"),
        ({"description": "no name"}, "no name"),
        ({"name": 7}, "no name"),
        ({"name": "one", "inputSchema": {"type": "string"}}, "object"),
        ({"name": "one", "description": "x" * 20_000}, "20000"),
    ],
)
def test_what_no_space_could_hold_is_refused_by_its_line(line: object, why: str) -> None:
    found = read({"name": "good"}, "", line, {"name": "better"})
    assert [tool.given for tool in found.tools] == ["good", "better"]
    (refused,) = found.refused
    assert refused.where == "here.jsonl, line 3"
    assert why in refused.why


def test_the_same_name_of_two_servers_is_told_apart_over_all_files() -> None:
    one = {"name": "run", "description": "Runs."}
    found = read(one, one).and_lines(json.dumps(one).encode(), "other.jsonl")
    assert [tool.document.name for tool in found.tools] == ["run", "run_2", "run_3"]


@pytest.mark.parametrize("bad", [b'{"name": "\xff"}', b"\xef\xbb\xbf{}", '{"name": "a"}'.encode("utf-16-le")])
def test_a_line_that_is_no_text_is_refused_alone(bad: bytes) -> None:
    found = Catalogue().and_lines(b'{"name": "good"}\r\n' + bad + b'\n{"name": "better"}', "here.jsonl")
    assert [tool.given for tool in found.tools] == ["good", "better"]
    (refused,) = found.refused
    assert refused.where == "here.jsonl, line 2"
    assert "UTF-8" in refused.why


def test_why_a_tool_has_another_name() -> None:
    found = read({"name": "run"}, {"name": "run"}, {"name": "Run"}, {"name": "search"})
    assert [(tool.document.name, tool.renamed) for tool in found.tools] == [
        ("run", None),
        ("run_2", "taken"),
        ("run_3", "illegal"),
        ("search_2", "illegal"),
    ]


class Counting(set[str]):
    """Names, and how often one was looked for among them."""

    looks = 0

    def __contains__(self, name: object) -> bool:
        self.looks += 1
        return super().__contains__(name)


@pytest.mark.parametrize(
    "givens",
    [
        ["t"] * 500,
        ["t"] * 250 + ["T"] * 250,
        [f"{'x' * 60}{number:04}" for number in range(250)] * 2,
        [*(f"t_{number}" for number in range(2, 252)), *["t"] * 250],
    ],
)
def test_however_many_tools_have_one_name_each_is_named_in_a_few_looks(givens: list[str]) -> None:
    taken, numbers = Counting(), dict[str, int]()
    for name in givens:
        taken.add(legal_name(name, taken, numbers))
    assert len(taken) == len(givens)
    assert taken.looks <= 4 * len(givens)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("get-tiny-image", "get-tiny-image"),
        ("getTinyImage", "get_tiny_image"),
        ("a.b/c", "a_b_c"),
        ("search", "search_2"),
        ("read", "read_2"),
        ("x", "x_2"),
        ("1", "tool"),
        ("漢字", "tool"),
        ("x" * 100, "x" * 64),
        ("mcp__server__tool", "tool_mcp__server__tool"),
    ],
)
def test_names_are_made_legal(given: str, name: str) -> None:
    assert legal_name(given, ()) == name


@given(st.text(), st.sets(st.from_regex(r"[a-z][a-z0-9_-]{1,5}", fullmatch=True), max_size=5))
def test_any_name_is_made_a_legal_one_that_is_free(given: str, taken: set[str]) -> None:
    found = legal_name(given, taken)
    assert lambda_name_fault(found) is None
    assert found not in taken

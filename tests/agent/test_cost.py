"""What a catalogue costs: the figures add up, and are those of the requests that are really sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.catalogue import SAMPLE, WHOLE
from tests.harness.play import Play
from workbench import HarnessError
from workbench.agent import cost
from workbench.agent.catalogue import Catalogue
from workbench.agent.cost import Played, Row, find_task, standing, tokens
from workbench.cli import cost_tables
from workbench.harness.names import VERBS


@pytest.fixture(scope="module")
def sample() -> Catalogue:
    """The catalogue that lies in the tests."""
    return Catalogue().and_lines(SAMPLE.read_bytes(), "sample")


def test_the_index_stays_within_its_budget_however_many_tools_there_are(sample: Catalogue) -> None:
    path = WHOLE if WHOLE.exists() else SAMPLE
    whole = standing(Catalogue().and_lines(path.read_bytes(), "whole"))
    few = standing(sample)
    assert few.index.bytes <= whole.index.bytes <= whole.index.budget
    assert few.verbs == whole.verbs
    assert whole.every_schema >= few.every_schema > few.sent
    assert whole.sent == whole.index.bytes + whole.verbs


def test_nothing_costs_nothing_but_what_is_always_there() -> None:
    found = standing(Catalogue())
    assert (found.tools, found.every_schema) == (0, len("[]"))
    assert found.index.total == 2, "search and execute"


def test_where_there_is_no_tool_nothing_is_compared() -> None:
    row = Row(
        index=9, verbs=9, promoted=0, messages=9, every_schema=len("[]"), tools=(), answer="looks for tools", finds=True
    )
    played = Played("A task", (row,))
    assert "times" in cost_tables.task(played)
    for told in (cost_tables.standing(standing(Catalogue())), cost_tables.task(played, compared=False)):
        assert "times" not in told
        assert "*" not in told
    assert "no tool to declare" in cost_tables.standing(standing(Catalogue()))


def test_a_token_is_taken_for_some_bytes_and_never_for_less_than_nothing() -> None:
    assert [tokens(bytes) for bytes in (0, 1, 3, 4)] == [0, 1, 1, 2]


@pytest.mark.sandbox
async def test_a_task_that_needs_three_tools(play: Play, sample: Catalogue) -> None:
    held: list[int] = []
    found = await cost.play(play.harness, sample, find_task("three_tools"), held.append)
    assert found.faults == ()
    assert held == list(range(1, len(sample.tools) + 1))
    before = standing(sample)
    requests = [play.harness.request("three-tools", one.sent.seq) for one in play.harness.requests("three-tools")]
    assert len(found.rows) == len(requests) == 5
    for row, request in zip(found.rows, requests, strict=True):
        assert row.index == before.index.bytes, "what is sent is what was told before anything was held"
        assert row.verbs == before.verbs
        assert row.verbs + row.promoted == request.bytes["tools"]
        assert row.messages == request.bytes["messages"]
        assert row.tools == tuple(tool["name"] for tool in request.tools[len(VERBS) :])
        assert row.with_every_schema - row.messages == before.every_schema
        assert row.sent == row.index + row.verbs + row.promoted + row.messages
    three = ("git_create_branch", "update_issue_labels", "confluence_add_comment")
    assert [row.tools for row in found.rows] == [(), (), three, three, three]
    assert [row.finds for row in found.rows] == [True, True, False, False, False]
    assert [row.answer for row in found.rows][:3] == [
        "looks for tools (3)",
        "reads a contract (3)",
        "git_create_branch, update_issue_labels",
    ]


@pytest.mark.sandbox
async def test_a_task_whose_tools_are_not_there_goes_on_and_says_so(play: Play) -> None:
    found = await cost.play(play.harness, Catalogue(), find_task("three_tools"))
    assert len(found.rows) == 5
    (fault,) = found.faults
    assert fault.startswith("git_create_branch, update_issue_labels, confluence_add_comment: not in this catalogue")


def test_a_task_is_found_by_its_name_or_its_file() -> None:
    assert find_task("three_tools").is_file()
    assert find_task("./mine.toml") == Path("mine.toml")
    with pytest.raises(HarnessError) as refused:
        find_task("none")
    assert "three_tools" in refused.value.message

"""A call out of the log: what it gave its tool, in whichever way it was called, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.app.transcript import made
from workbench import Harness
from workbench.app.tools.call.recorded import given_to, outcome_of, read_whole
from workbench.app.tools.rows import ToolRow
from workbench.app.tools.shown import Shown

SEARCH = Shown(ToolRow("search", "builtins", "", "●", "callable", "good"), None)


@pytest.mark.parametrize(
    ("name", "input", "given"),
    [
        ("count", {"text": "a"}, ({"text": "a"}, None)),
        ("call", {"tool": "count", "input": {"text": "a"}}, ({"text": "a"}, None)),
        ("call", {"tool": "count", "input": [], "options": {"timeout_secs": 5}}, ([], 5)),
        ("call", {"tool": "count", "options": {"timeout_secs": "5"}}, ({}, None)),
        ("call", {"tool": "count", "options": 5}, ({}, None)),
        ("call", "count", ({}, None)),
    ],
)
def test_what_a_call_gave_is_found_however_it_was_called(name: str, input: Any, given: tuple[Any, int | None]) -> None:
    assert given_to(made.call(1, name, input), "count") == given


async def test_a_call_is_read_with_its_result_and_laid_out(tmp_path: Path) -> None:
    async with Harness.open(tmp_path) as harness:
        await harness.perform("call", {"tool": "search", "input": {"query": "x"}, "options": {"timeout_secs": 7}})
        (past,) = harness.calls("search")
        rows = harness.recorded(past.number)
        whole = read_whole("search", past, rows)
        assert (whole.given, whole.seconds, whole.cwd) == ({"query": "x"}, 7, None)
        outcome = outcome_of(SEARCH, whole)
        assert outcome is not None
        assert outcome.status[0][0].startswith("✓")


@pytest.mark.parametrize(("outcome", "said"), [("running", "no result yet"), ("interrupted", "never had a result")])
async def test_without_a_result_it_says_why_there_is_nothing_to_see(tmp_path: Path, outcome: Any, said: str) -> None:
    async with Harness.open(tmp_path) as harness:
        await harness.perform("call", {"tool": "search", "input": {"query": "x"}})
        (past,) = harness.calls("search")
        rows = replace(harness.recorded(past.number), result=None)
        whole = read_whole("search", replace(past, outcome=outcome), rows)
        assert outcome_of(SEARCH, whole) is None
        assert said in whole.without_result

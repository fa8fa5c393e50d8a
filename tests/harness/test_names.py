"""Names of tools: what is legal, what is taken, and what the refusal says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.names import BUILTINS, NAME_RULE, VERBS, lambda_name_fault, reserved


@pytest.mark.parametrize(
    "name", ["ab", "word_count", "a-b", "a1", "x" * 64, "reader", "searching", "mcp_x", "mcp-a__b"]
)
def test_a_legal_free_name_has_no_fault(name: str) -> None:
    assert lambda_name_fault(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "x" * 65,
        "Ab",
        "1ab",
        "_ab",
        "-ab",
        "a b",
        "a.b",
        "a/b",
        "ab\n",
        "ab\x00",
        "äb",
        "аb",
        "ab\u200b",
        "\ud800",
    ],
)
def test_an_illegal_name_is_answered_with_the_rule(name: str) -> None:
    fault = lambda_name_fault(name)
    assert fault is not None
    assert NAME_RULE in fault
    assert "2 to 64" in fault


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("My Tool", "my_tool"),
        ("getWeather", "get_weather"),
        ("café", "cafe"),
        ("repos.list", "repos_list"),
        ("2fast", "fast"),
        ("x" * 80, "x" * 64),
    ],
)
def test_a_near_legal_form_is_offered(name: str, near: str) -> None:
    assert (lambda_name_fault(name) or "").endswith(f"did you mean {near}?")


@pytest.mark.parametrize("name", ["Bash", "READ", "é", "!!", "a"])
def test_nothing_is_offered_where_no_legal_free_form_is_near(name: str) -> None:
    assert "did you mean" not in (lambda_name_fault(name) or "")


@pytest.mark.parametrize(
    "name",
    [*BUILTINS, *VERBS, "return_result", "edit", "bash", "grep", "find", "ls", "mcp__", "mcp__github__issues"],
)
def test_a_reserved_name_is_refused_with_its_reason(name: str) -> None:
    assert "reserved" in (reserved(name) or "")
    assert "choose another name" in (lambda_name_fault(name) or "")


def test_grants_are_named_where_a_builtin_is_meant() -> None:
    assert "grants switch it off" in (reserved("execute") or "")


@given(st.text(max_size=80))
def test_a_name_without_fault_is_legal_and_free(name: str) -> None:
    fault = lambda_name_fault(name)
    if fault is None:
        assert re.match(NAME_RULE, name)
        assert reserved(name) is None
    offered = re.search(r"did you mean (.*)\?\Z", fault or "")
    if offered:
        assert lambda_name_fault(offered[1]) is None

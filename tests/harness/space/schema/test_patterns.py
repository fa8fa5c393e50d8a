"""Patterns: linear, bounded, and honest about what they cannot do."""

from __future__ import annotations

import pytest

from workbench.harness.space.schema.patterns import Pattern, Unsupported, compile_pattern


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a+$", "aaa", True),
        ("b", "abc", True),
        (r"^\d+$", "12", True),
        (r"^\d+$", "١٢", False),
        ("^a$", "a\n", False),
        (r"^\p{L}+$", "é", True),
        (r"^[\w-.]+$", "a-b.c", True),
        (r"^(?<year>\d{4})$", "2024", True),
    ],
)
def test_patterns_mean_what_json_schema_means(pattern: str, text: str, matches: bool) -> None:
    compiled = compile_pattern(pattern)
    assert isinstance(compiled, Pattern)
    assert compiled.found_in(text) is matches


@pytest.mark.parametrize(
    "pattern", ["(?=a)", "(?<!a)b", r"(a)\1", "(", "[", "*", "a{2000}", r"(\pL{50}){10}", "x" * 10_000]
)
def test_what_cannot_be_checked_says_why(pattern: str) -> None:
    compiled = compile_pattern(pattern)
    assert isinstance(compiled, Unsupported)
    assert 0 < len(compiled.reason) <= 100


def test_a_search_costs_by_text_and_program() -> None:
    small, large = compile_pattern("a"), compile_pattern("((a|b){30}){30}c")
    assert isinstance(small, Pattern)
    assert isinstance(large, Pattern)
    assert small.cost("") == 1
    assert small.cost("a" * 10_000) < 500 < large.cost("a" * 10_000)

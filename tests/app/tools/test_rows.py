"""The rows of the list: every state in words."""

from __future__ import annotations

import pytest

from workbench.app.tools.rows import matching, rows
from workbench.harness.log.promotion import Promoted, Promotion, Withheld
from workbench.harness.tools.callables import ToolState

NOTHING = Promotion((), (), ())


def state(name: str, kind: str = "lambda", reason: str | None = None) -> ToolState:
    return ToolState(name, kind, "bafy", f"About {name}.", True, reason is None, reason, "Do this." if reason else None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tool", "promotion", "drafts", "since", "shown"),
    [
        (state("a"), NOTHING, (), (), "● callable"),
        (state("a", reason="needs_execute"), NOTHING, (), (), "○ needs_execute"),
        (state("a"), Promotion((), (Promoted("a", 7, "bafy"),), ()), (), (), "▲ promoted #7"),
        (state("a"), Promotion((), (Promoted("a", 7, "bafy"),), ()), (), ("a",), "≠ saved since #7"),
        (
            state("a", reason="unavailable"),
            Promotion((), (), (Withheld("a", 3, "unavailable"),)),
            (),
            (),
            "△ withheld: unavailable",
        ),
        (state("a"), Promotion((), (Promoted("a", 7, "bafy"),), ()), ("a",), (), "✎ unsaved"),
    ],
)
def test_a_state_is_told_by_its_glyph_and_by_words(tool, promotion, drafts, since, shown) -> None:
    (row,) = rows([], [tool], promotion, drafts, since)
    assert f"{row.glyph} {row.state}" == shown


def test_in_a_thread_of_the_toolbox_what_works_is_not_here_and_what_does_not_says_why() -> None:
    tools = [state("search", "builtin"), state("a"), state("b", reason="needs_execute")]
    found = rows([], tools, NOTHING, ("c",), on_machine=True)
    assert [f"{row.name} {row.glyph} {row.state}" for row in found] == [
        "search ○ not here",
        "a ○ not here",
        "b ○ needs_execute",
        "c ✎ new, unsaved",
    ]


@pytest.mark.parametrize("query", ["about", "a", "b", "not", "needs_execute", "c"])
def test_what_is_offered_comes_before_what_is_not_wherever_the_words_fit_alike(query: str) -> None:
    tools = [
        state("web", "builtin", reason="unavailable"),
        state("search", "builtin"),
        state("about_a", reason="not_granted"),
        state("about_b"),
        state("abc", reason="needs_execute"),
    ]
    found = matching(rows([], tools, NOTHING), query)
    in_name = [row for row in found if query in row.name]
    assert found[: len(in_name)] == in_name, "names that match come first"
    for alike in (in_name, found[len(in_name) :]):
        groups = [row.group for row in alike]
        assert groups == sorted(groups, key=groups.index), "a group stays together"
        if any(row.offered for row in alike):
            assert alike[0].offered
        for group in set(groups):
            offers = [row.offered for row in alike if row.group == group]
            assert offers == sorted(offers, reverse=True)


def test_what_to_do_is_what_the_core_says() -> None:
    (row,) = rows([], [state("a", reason="not_granted")], NOTHING)
    assert row.detail == "Do this."


def test_builtins_keep_their_order_and_lambdas_are_by_name() -> None:
    tools = [state("search", "builtin"), state("execute", "builtin"), state("b"), state("a")]
    assert [row.name for row in rows([], tools, NOTHING, ("new_one",))] == ["search", "execute", "a", "b", "new_one"]


@pytest.mark.parametrize(
    ("query", "names"), [("", ["a", "b"]), ("ABOUT b.", ["b"]), ("callable a", ["a", "b"]), ("x", [])]
)
def test_filtering_is_by_words_in_any_order(query: str, names: list[str]) -> None:
    assert [row.name for row in matching(rows([], [state("a"), state("b")], NOTHING), query)] == names


def test_names_that_match_come_before_summaries_that_match() -> None:
    tools = [state("search", "builtin"), state("count"), state("word_about"), state("abacus")]
    listed = rows([], tools, NOTHING)
    assert [row.name for row in matching(listed, "about")] == ["word_about", "search", "abacus", "count"]

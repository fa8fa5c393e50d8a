"""A tree as rows: what is unfolded, by a choice or a rule, and how rows stand to each other."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from workbench.app.widgets.outline.rows import MAX_UNFOLDED, Row, above, end_of, grown, place_of
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.errors import HarnessError


def leaf(key: str) -> Twig:
    return Twig(key, ((key, ""),))


def branch(key: str, *below: Twig) -> Twig:
    return Twig(key, ((key, "strong"),), lambda: below)


FAMILY = branch("a", leaf("a.1"), branch("a.2", leaf("a.2.x"), leaf("a.2.y")), leaf("a.3"))


def keys(rows: list[Row]) -> list[str]:
    return [f"{'  ' * row.depth}{row.twig.key}" for row in rows]


def rows_of(*twigs: Twig, depth: int = 0, folds: Mapping[str, bool] | None = None) -> list[Row]:
    """Rows where a rule unfolds so many levels, and `folds` are choices."""
    return [*grown([(twig, 0) for twig in twigs], lambda key, at: at < depth, folds or {})]


@pytest.mark.parametrize(
    ("depth", "folds", "seen"),
    [
        (0, {}, ["a", "b"]),
        (1, {}, ["a", "  a.1", "  a.2", "  a.3", "b"]),
        (9, {}, ["a", "  a.1", "  a.2", "    a.2.x", "    a.2.y", "  a.3", "b"]),
        (9, {"a.2": False}, ["a", "  a.1", "  a.2", "  a.3", "b"]),
        (0, {"a.2": True}, ["a", "b"]),
        (0, {"a": True, "a.2": True}, ["a", "  a.1", "  a.2", "    a.2.x", "    a.2.y", "  a.3", "b"]),
    ],
)
def test_a_choice_goes_before_the_rule(depth: int, folds: dict[str, bool], seen: list[str]) -> None:
    assert keys(rows_of(FAMILY, leaf("b"), depth=depth, folds=folds)) == seen


def test_a_rule_unfolds_no_more_than_there_is_room_for_and_a_choice_does() -> None:
    many = branch("many", *(leaf(f"m{number}") for number in range(MAX_UNFOLDED)))
    assert keys(rows_of(branch("top", leaf("one"), many), depth=9)) == ["top", "  one", "  many"]
    assert len(rows_of(branch("top", leaf("one"), many), depth=9, folds={"many": True})) == MAX_UNFOLDED + 3


def test_what_cannot_be_found_out_is_a_leaf_that_says_why() -> None:
    def fails() -> list[Twig]:
        raise HarnessError("not_found", "The folder is gone.")

    _, fault = rows_of(Twig("folder", (("folder", ""),), fails), depth=1)
    assert fault.twig.children is None
    assert "".join(text for text, _ in fault.twig.line) == "✗ The folder is gone."


def test_every_row_knows_what_is_below_it_and_what_it_is_in() -> None:
    rows = rows_of(FAMILY, leaf("b"), depth=9)
    assert [end_of(rows, index) for index in range(len(rows))] == [6, 2, 5, 4, 5, 6, 7]
    assert [above(rows, index) for index in range(len(rows))] == [None, 0, 0, 2, 2, 0, None]
    assert place_of(rows, "a.2.y") == 4
    assert place_of(rows, "c") is None

"""What was worked out is kept within two bounds, and the least recently asked for goes first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.space.schema import compiled
from workbench.harness.space.schema.kept import Kept


def test_the_least_recently_asked_for_goes_first() -> None:
    kept: Kept[str] = Kept(2, 100)
    kept.put(1, "a", 1)
    kept.put(2, "b", 1)
    assert kept.get(1) == "a"
    kept.put(3, "c", 1)
    assert [kept.get(key) for key in (1, 2, 3)] == ["a", None, "c"]


def test_as_many_go_as_a_large_one_needs() -> None:
    kept: Kept[str] = Kept(10, 100)
    for key in range(4):
        kept.put(key, "small", 25)
    kept.put("large", "x", 60)
    assert [kept.get(key) for key in range(4)] == [None, None, None, "small"]
    assert kept.get("large") == "x"


def test_at_the_bound_it_stays_and_over_it_it_does_not() -> None:
    kept: Kept[str] = Kept(10, 100)
    kept.put("fits", "x", 100)
    assert kept.get("fits") == "x"
    kept.put("too large", "y", 101)
    assert kept.get("too large") is None
    kept.put("next", "z", 100)
    assert kept.get("next") == "z"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 40)), max_size=80))
def test_both_bounds_hold_whatever_comes(puts: list[tuple[int, int]]) -> None:
    kept: Kept[int] = Kept(4, 100)
    for key, size in puts:
        kept.put(key, size, size)
        there = [found for found in map(kept.get, range(10)) if found is not None]
        assert len(there) <= 4
        assert sum(there) <= 100
        assert kept.get(key) == size


def test_a_schema_is_read_once() -> None:
    schema = {"title": "read once"}
    assert compiled.compile_schema(schema) is compiled.compile_schema({**schema})


def test_large_schemas_do_not_pile_up() -> None:
    share = compiled.MAX_KEPT_BYTES // 4
    first = compiled.compile_schema({"title": "0" * share})
    for letter in "1234":
        compiled.compile_schema({"title": letter * share})
    assert compiled.compile_schema({"title": "0" * share}) is not first

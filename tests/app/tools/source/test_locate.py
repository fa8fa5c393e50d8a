"""Where in a JSON text something stands."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.app.tools.source.locate import locate, place_in, split_path, without_place
from workbench.harness.space.schema.values import path_text
from workbench.harness.strict_json import pretty

TEXT = """{
  "input": {"type": "object", "properties": {
    "a b": [1, {"c": "x, y"}],
    "text": {"type": "strin}g"}
  }},
  "output": []
}"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ((), (1, 1)),
        (("input",), (2, 3)),
        (("input", "type"), (2, 13)),
        (("input", "properties", "a b"), (3, 5)),
        (("input", "properties", "a b", 0), (3, 13)),
        (("input", "properties", "a b", 1), (3, 16)),
        (("input", "properties", "a b", 1, "c"), (3, 17)),
        (("input", "properties", "text", "type"), (4, 14)),
        (("output",), (6, 3)),
        (("input", "properties", "text", "$ref", "deeper"), (4, 5)),
        (("nowhere",), (1, 1)),
    ],
)
def test_a_path_is_found(path: Any, place: tuple[int, int]) -> None:
    assert locate(TEXT, [path]) == [place]


keys = st.text(alphabet=st.characters(codec="utf-8"), max_size=120)
values = st.recursive(
    st.none() | st.integers() | st.text(alphabet=st.characters(codec="utf-8"), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)


def paths(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path of a value."""
    found = [before]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        found += paths(item, (*before, step))
    return found


@given(values, st.sampled_from([pretty, json.dumps]))
def test_every_path_of_any_value_is_found_where_its_key_stands(value: Any, write: Any) -> None:
    text = write(value)
    every = paths(value)
    for path, (line, column) in zip(every, locate(text, every), strict=True):
        rest = text.split("\n")[line - 1][column - 1 :]
        if path and isinstance(path[-1], str):
            key, _ = json.JSONDecoder().raw_decode(rest)
            # Of keys that are shortened alike the first is found.
            assert key[:90] == path[-1][:90]


@given(st.lists(st.integers(0, 99) | keys.filter(lambda key: len(key) <= 100), max_size=5))
def test_a_path_as_a_message_says_it_is_read_back(steps: list[Any]) -> None:
    assert split_path(f"{path_text(steps)}: must be: so") == (tuple(steps), "must be: so")


@pytest.mark.parametrize("message", ["", "words", "$.a", "$.a must be", "$[x]: y"])
def test_what_names_no_path_is_words(message: str) -> None:
    assert split_path(message) == ((), message)


def test_the_place_that_a_message_says_is_the_last_one() -> None:
    message = 'it has the key "line 9, column 9" twice, at line 3, column 4. Take one out.'
    assert place_in(message) == (3, 4)
    assert without_place(message) == 'it has the key "line 9, column 9" twice. Take one out.'
    assert place_in("no place") is None
    assert without_place("no place") == "no place"

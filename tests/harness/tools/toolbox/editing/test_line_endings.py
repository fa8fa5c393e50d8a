"""A text seen with `\\n` endings, and changed so that the rest of it keeps its own."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.editing.line_endings import Change, Endings, common_end, common_start

MIXED = st.text(alphabet="ab\r\n", max_size=40)


@given(MIXED)
def test_every_place_of_the_text_is_a_place_of_the_raw_one(raw: str) -> None:
    endings = Endings(raw)
    places = [endings.at(place) for place in range(len(endings.text) + 1)]
    assert places == sorted(set(places))
    assert places[-1] == len(raw)
    parts = [raw[start:end] for start, end in pairwise(places)]
    assert "".join(parts) == raw
    assert [endings.of(place) for place in places] == list(range(len(endings.text) + 1))
    # Between a carriage return and its newline is no place: it is where the two begin.
    within = set(range(len(raw) + 1)) - set(places)
    assert all(places[endings.of(place)] == place - 1 for place in within)
    assert all(part == letter or part in ("\r\n", "\r") for part, letter in zip(parts, endings.text, strict=True))


@pytest.mark.parametrize(
    ("raw", "old", "new", "result"),
    [
        ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"),
        ("a\nb\r\nc\n", "b", "x\ny", "a\nx\r\ny\r\nc\n"),
        ("a\r\nb\nc\r\n", "b", "x\ny", "a\r\nx\ny\nc\r\n"),
        ("a\r\nlast", "last", "x\ny", "a\r\nx\r\ny"),
        ("a\nb\rc\n", "b\nc", "x\ny", "a\nx\ny\n"),
        ("old\rmac\r", "mac", "x\ny", "old\rx\ry\r"),
        ("one line", "line", "x\ny", "one x\ny"),
        ("a\r\nb\nc\r\n", "a\nb\nc", "a\nB\nc", "a\r\nB\nc\r\n"),
        ("a\r\nb\r\n", "a\n", "a\nnew\n", "a\r\nnew\r\nb\r\n"),
        ("a\r\nb\r\n", "a\nb\n", "", ""),
    ],
    ids=[
        "windows",
        "a windows line among others",
        "a plain line among windows ones",
        "the line before decides at the end",
        "a stray carriage return is no ending",
        "carriage returns alone",
        "no ending anywhere",
        "lines that stay keep theirs",
        "a line that is added",
        "everything deleted",
    ],
)
def test_new_lines_end_as_the_lines_there_do(raw: str, old: str, new: str, result: str) -> None:
    endings = Endings(raw)
    start = endings.text.index(old)
    assert endings.changed([Change(start, start + len(old), new)]) == result


@given(st.text(alphabet="ab", max_size=12), st.text(alphabet="ab", max_size=12))
def test_what_two_texts_have_in_common_at_their_ends(one: str, other: str) -> None:
    shorter = min(len(one), len(other))
    start = common_start(one, other)
    assert one[:start] == other[:start]
    assert start == shorter or one[start] != other[start]
    end = common_end(one, other, shorter)
    assert one[len(one) - end :] == other[len(other) - end :]
    assert end == shorter or one[-end - 1] != other[-end - 1]

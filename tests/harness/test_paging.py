"""Pages: exact slices that joined give the text, and words for a position that is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workbench.harness.errors import HarnessError
from workbench.harness.paging import (
    MAX_BYTES,
    MAX_LINES,
    NOTICE_BYTES,
    Page,
    Position,
    line_limit,
    notice,
    page,
    page_source,
    page_with_notice,
    position,
)


def pages(text: str, limit: int | None = None) -> Iterator[Page]:
    offset: Position | None = 1
    while offset is not None:
        found = page(text, offset, limit)
        assert found.first == offset
        yield found
        offset = found.next_offset


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


PIECES = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.sampled_from(
        ["\n", "\n\n", "é" * 30_000, "x" * 51_200, "x" * 51_199 + "😀", "😀" * 20_000, "\n" * 2_500, "\r\n"]
    ),
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS, st.one_of(st.none(), st.integers(1, 3000)))
@example("", None)
@example("a\n" * 4000, None)
@example("x" * (MAX_BYTES + 1), None)
@example("x" * MAX_BYTES + "\ny", None)
@example("x" * (MAX_BYTES - 1) + "\n" + "漢" * 70_000 + "\nend", None)
def test_the_pages_joined_are_the_text(text: str, limit: int | None) -> None:
    found = list(pages(text, limit)) if limit is None or text.count("\n") / limit < 200 else [page(text)]
    if found[-1].next_offset is None:
        assert "".join(each.content for each in found) == text
    for each in found:
        assert each.content or not text
        assert len(utf8(each.content)) <= MAX_BYTES
        assert len(each.content.split("\n")) - each.content.endswith("\n") <= min(MAX_LINES, limit or MAX_LINES)
        assert each.total_lines == text.count("\n") + (not text.endswith("\n") and bool(text))


def test_a_256_kib_source_page_by_page() -> None:
    line = "    total = total + measure[index]  # größer\n"
    text = line * (256 * 1024 // len(utf8(line)))
    found = list(pages(text))
    assert "".join(each.content for each in found) == text
    assert [each.first for each in found[:2]] == [1, 1090]
    assert all(isinstance(each.first, int) for each in found)


def test_a_page_of_lines() -> None:
    text = "one\ntwo\nthree\nfour"
    assert page(text, 2, 2) == Page("two\nthree\n", 2, 4, 4, 3)
    assert page(text, 4) == Page("four", 4, None, 4, 4)
    assert page(text).whole
    assert page("") == Page("", 1, None, 0, 0)
    assert page("a\n") == Page("a\n", 1, None, 1, 1)


def test_only_a_newline_ends_a_line() -> None:
    assert page("a\rb\x0bc\u2028d\x85e\n").total_lines == 1


def test_a_long_line_comes_in_pieces_between_characters() -> None:
    text = "first\n" + "漢" * 20_000 + "\nlast\n"
    found = list(pages(text))
    assert [each.first for each in found] == [1, 2, (2, 51_198)]
    assert found[2].content.endswith("漢\nlast\n")
    assert [each.last for each in found] == [1, 2, 3]


def test_a_position_in_a_line_must_be_between_characters() -> None:
    with pytest.raises(HarnessError, match="inside a character"):
        page("漢字\n", (1, 1))
    assert page("漢字\n", (1, 3)).content == "字\n"
    assert page("漢字\n", (1, 6)).content == "\n"


@pytest.mark.parametrize(
    ("text", "offset", "words"),
    [
        ("a\nb\nc\n", 4, "the text has 3 lines"),
        ("a", 2, "the text has 1 line"),
        ("", 2, "the text has 0 lines"),
        ("a\nb", 10**30, "the text has 2 lines"),
        ("abc\nd", (1, 4), "line 1 has 3 bytes"),
        ("abc\nd", (2, 1), "line 2 has 1 bytes"),
        ("abc\nd", (3, 1), "the text has 2 lines"),
        ("", (1, 1), "line 1 has 0 bytes"),
        ("x" * 600_000, (1, 10**30), "line 1 has 600000 bytes"),
    ],
)
def test_a_position_past_the_end_says_how_much_there_is(text: str, offset: Position, words: str) -> None:
    with pytest.raises(HarnessError, match=words) as failure:
        page(text, offset)
    assert failure.value.code == "bad_input"


@pytest.mark.parametrize(
    "value",
    [
        0,
        -1,
        True,
        False,
        1.0,
        1.5,
        float("nan"),
        "1",
        None,
        [],
        [1],
        [1, 2, 3],
        [0, 5],
        [1, -1],
        [1, True],
        [1.0, 2],
        {},
    ],
)
def test_what_is_no_position_is_refused_in_words(value: object) -> None:
    with pytest.raises(HarnessError, match=r"options\.offset must be") as failure:
        position(value)
    assert failure.value.code == "bad_input"


def test_positions_from_outside() -> None:
    assert position(7) == 7
    assert position([3, 51_200]) == (3, 51_200)
    assert position((3, 51_200)) == (3, 51_200)
    assert position([3, 0]) == 3


@pytest.mark.parametrize("value", [0, -5, True, 1.5, "10", [1]])
def test_what_is_no_limit_is_refused_in_words(value: object) -> None:
    with pytest.raises(HarnessError, match=r"options\.limit must be"):
        line_limit(value)


def test_limits_from_outside() -> None:
    assert line_limit(None) is None
    assert line_limit(3) == 3
    assert line_limit(10**9) == MAX_LINES


@pytest.mark.parametrize(
    ("text", "offset", "limit", "words"),
    [
        ("a\nb\n", 1, None, ""),
        ("a\n" * 3123, 1, None, "[lines 1-2000 of 3123; go on with options.offset 2001]"),
        ("a\n" * 3123, 2001, None, "[lines 2001-3123 of 3123; the end]"),
        ("a\nb\nc\n", 2, 1, "[line 2 of 3; go on with options.offset 3]"),
        ("x" * 60_000, 1, None, "[line 1 of 1, up to byte 51200 of line 1; go on with options.offset [1, 51200]]"),
        ("x" * 60_000, (1, 51_200), None, "[line 1 of 1, from byte 51200 of line 1; the end]"),
    ],
)
def test_a_notice_says_how_to_go_on(text: str, offset: Position, limit: int | None, words: str) -> None:
    assert notice(page(text, offset, limit)) == words


def test_a_text_that_fits_carries_no_notice() -> None:
    text = "a\n" * MAX_LINES
    assert page_with_notice(text) == (text, page(text))


@given(TEXTS)
def test_a_text_with_its_notice_stays_within_the_bounds_and_reaches_the_end(text: str) -> None:
    offset: Position | None = 1
    joined: list[str] = []
    while offset is not None:
        shown, part = page_with_notice(text, offset)
        assert len(utf8(shown)) <= MAX_BYTES
        assert shown.count("\n") < MAX_LINES or shown == text
        assert len(notice(part)) <= NOTICE_BYTES
        joined.append(part.content)
        offset = part.next_offset
    assert "".join(joined) == text


@dataclass
class Counting:
    """A source that counts what is asked of it."""

    data: bytes
    reads: int = 0
    given: int = 0

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, start: int, length: int) -> bytes:
        piece = self.data[start : start + length]
        self.reads += 1
        self.given += len(piece)
        return piece


@pytest.mark.parametrize("piece", ["\n", "ab\n", "漢字かな" * 30 + "\n", "é"])
def test_a_late_page_of_a_large_text_reads_it_once_in_large_pieces(piece: str) -> None:
    text = piece * (4 * 1024 * 1024 // len(utf8(piece)))
    source = Counting(utf8(text))
    late = max(1, text.count("\n") - 5)
    assert page_source(source, late) == page(text, late)
    assert source.given <= source.size + MAX_BYTES + 1
    assert source.reads <= 20


def test_a_late_piece_of_a_long_line_reads_the_line_once_more() -> None:
    source = Counting(b"x" * 4 * 1024 * 1024)
    page_source(source, (1, source.size - 10))
    assert source.given <= 2 * source.size + MAX_BYTES + 1
    assert source.reads <= 40

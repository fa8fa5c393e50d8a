"""What a supervisor tells, among all that somebody else may have written there."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.commands.telling import News, Telling

TOKEN = b"0123456789abcdef"


def told(data: bytes) -> list[News]:
    return Telling(TOKEN).take(data)


@pytest.mark.parametrize(
    ("words", "news"),
    [
        (b"started 17", News("started", (17,))),
        (b"exit 0", News("exit", (0,))),
        (b"signal 9", News("signal", (9,))),
        (b"left 5 7", News("left", (5, 7))),
        (b"failed directory 2", News("failed", (2,), "directory")),
    ],
)
def test_lines_with_the_token_are_news(words: bytes, news: News) -> None:
    assert told(TOKEN + b" " + words + b"\n") == [news]
    assert told(words + b"\n") == []
    assert told(TOKEN + words + b"\n") == []
    assert told(TOKEN[:-1] + b" " + words + b"\n") == []


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"exit",
        b"exit ",
        b"exit x",
        b"exit -1",
        b"exit 1 2",
        b"exit  1",
        b"exit 1\r",
        b"exit \xff",
        b"exit \xb2",
        b"exit " + b"9" * 10,
        b"exit " + b"9" * 9_000,
        b"left x",
        b"started",
        b"failed",
        b"failed 2",
        b"failed kitchen 2",
        b"failed \xff 2",
        b"\xff",
        b"gone 1",
    ],
)
def test_lines_that_are_not_as_they_should_be_are_passed_over(words: bytes) -> None:
    assert told(TOKEN + b" " + words + b"\n" + TOKEN + b" exit 3\n") == [News("exit", (3,))]


def test_nothing_is_held_of_a_line_without_an_end() -> None:
    telling = Telling(TOKEN)
    for _ in range(100):
        assert telling.take(b"x" * 4_096) == []
    assert len(telling._begun) <= 65 * 1_024
    assert telling.take(TOKEN + b" exit 1\n" + TOKEN + b" exit 2\n") == [News("exit", (2,))]


@given(st.lists(st.one_of(st.binary(max_size=20), st.sampled_from([TOKEN, b" ", b"\n", b"exit 0", b"left x"]))))
@example([TOKEN, b" exit 4", b"\n"])
@settings(max_examples=60)
def test_in_any_pieces_they_are_the_same(pieces: list[bytes]) -> None:
    telling = Telling(TOKEN)
    assert [news for piece in pieces for news in telling.take(piece)] == told(b"".join(pieces))

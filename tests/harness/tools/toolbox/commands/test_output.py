"""What is held of an output, against what the same output is when it is there as a whole."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.commands.output import Output
from workbench.harness.tools.toolbox.limits import MAX_BYTES
from workbench.harness.tools.toolbox.truncate import Truncation, lines_of, tail


def output_of(*pieces: bytes) -> Output:
    output = Output()
    for piece in pieces:
        output.take(piece)
    output.finish()
    return output


def whole(data: bytes) -> Truncation:
    """As tail cuts it, with the number of bytes that the command printed."""
    return msgspec.structs.replace(tail(data.decode("utf-8", "replace")), total_bytes=len(data))


PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"\xff", b"\xe2\x82", b"\xf0\x9f\x98", b"\xff" * 60_000, b"\xff\n" * 900, b"\xe2\x82" * 9_000]),
    st.sampled_from(["ä", "😀\n", "\n", "\n\n", "x\n" * 1_500, "y" * 30_000, "ü" * 20_000, "z" * 60_000]).map(
        str.encode
    ),
)


@given(st.lists(PIECES, max_size=12))
@settings(max_examples=60)
def test_in_any_pieces_it_is_shown_as_if_it_were_there_as_a_whole(pieces: list[bytes]) -> None:
    output = output_of(*pieces)
    data = b"".join(pieces)
    assert output.shown() == whole(data)
    assert output.passed == whole(data).truncated
    last = data.removesuffix(b"\n").rpartition(b"\n")[2]
    assert output.line_bytes == len(last)
    assert output.line_grew == (len(last.decode("utf-8", "replace").encode()) > len(last))


@given(st.binary(max_size=60) | st.text(alphabet="ä€😀\n", max_size=12).map(str.encode), st.data())
def test_at_any_time_what_is_told_is_of_the_same_bytes(data: bytes, choose: st.DataObject) -> None:
    """A character that is begun does not count before it is shown."""
    output = Output()
    at = 0
    while at < len(data):
        step = choose.draw(st.integers(1, 5))
        output.take(data[at : at + step])
        at = min(at + step, len(data))
        counted = data[: output.total_bytes]
        assert at - 3 <= output.total_bytes <= at
        assert output.shown() == whole(counted)
        assert output.total_lines == len(lines_of(counted.decode("utf-8", "replace")))
    output.finish()
    assert output.total_bytes == len(data)


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (
            b"\xff" * 60_000,
            "[Showing last 50.0KB of line 1 (line is 58.6KB). What is not UTF-8 takes 3 bytes here, as U+FFFD. R]",
        ),
        (
            b"a\n" + b"\xff" * 20_000 + b"\n",
            "[Showing last 50.0KB of line 2 (line is 19.5KB). What is not UTF-8 takes 3 bytes here, as U+FFFD. R]",
        ),
        ("ü".encode() * 30_000, "[Showing last 50.0KB of line 1 (line is 58.6KB). R]"),
    ],
    ids=["what is not UTF-8", "less than is shown of it", "characters of two bytes"],
)
def test_the_size_of_a_long_line_is_that_of_what_the_command_printed(data: bytes, row: str) -> None:
    output = output_of(data)
    assert output.notice(output.shown(), "R") == row
    assert output.shown().details()["totalBytes"] == len(data)
    assert output.passed


@pytest.mark.parametrize("newline", [b"", b"\n"])
def test_a_last_line_of_250_kb_keeps_its_last_50_kb_and_its_true_size(newline: bytes) -> None:
    output = output_of(b"first\n", *[b"x" * 1_000] * 250, newline)
    cut = output.shown()
    assert cut.content == "x" * MAX_BYTES
    assert (cut.last_partial, cut.total_lines, output.line_bytes) == (True, 2, 250_000)
    assert output.notice(cut, "Full output: F") == ("[Showing last 50.0KB of line 2 (line is 244.1KB). Full output: F]")


def test_a_character_that_comes_in_two_pieces_is_one() -> None:
    euro = "€".encode()
    assert output_of(b"a", euro[:1], euro[1:], b"b").shown().content == "a€b"


def test_a_character_that_never_becomes_whole_is_replaced() -> None:
    assert output_of(b"a", "€".encode()[:2]).shown().content == "a\ufffd"


def test_what_is_held_does_not_grow() -> None:
    output = Output()
    for _ in range(200):
        output.take(b"a line of output\n" * 4_000)
        assert len(output._end) < 3 * MAX_BYTES
    assert output.total_lines == 800_000
    assert output.total_bytes == 800_000 * 17


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("x\n" * 4_000, "[Showing lines 2001-4000 of 4000. R]"),
        (f"{'x' * 99}\n" * 600, "[Showing lines 89-600 of 600 (50.0KB limit). R]"),
        ("x" * 60_000, "[Showing last 50.0KB of line 1 (line is 58.6KB). R]"),
    ],
)
def test_the_three_notices(text: str, row: str) -> None:
    output = output_of(text.encode())
    assert output.notice(output.shown(), "R") == row


def test_the_details_are_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(output_of(b"x\n" * 3_000).shown().details()))["totalLines"] == 3_000

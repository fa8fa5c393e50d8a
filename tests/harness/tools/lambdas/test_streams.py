"""Output: kept up to its limit, first and last part, with the newest at hand."""

from __future__ import annotations

import asyncio
import os

import pytest

from workbench.harness.tools.lambdas.streams import Stream, Tail


async def printed(limit: int, *pieces: bytes) -> tuple[Stream, Tail]:
    tail = Tail(lambda: None)
    stream = Stream(limit, tail)
    for piece in pieces:
        await asyncio.to_thread(os.write, stream.child_fd, piece)
    stream.close_child_end()
    await stream.ended
    stream.close()
    return stream, tail


@pytest.mark.parametrize("size", [0, 1, 9, 10])
async def test_up_to_the_limit_all_is_kept(size):
    stream, _ = await printed(10, b"0123456789"[:size])
    assert (stream.text, stream.truncated) == ("0123456789"[:size], False)


async def test_over_the_limit_the_first_and_the_last_part_are_kept_and_the_cut_is_told():
    stream, _ = await printed(10, b"0123456789abcdef")
    assert stream.truncated
    assert stream.text == "01234\n[... 6 bytes cut here: 16 were printed, 10 are kept ...]\nbcdef"


async def test_a_cut_does_not_leave_half_a_character():
    stream, _ = await printed(8, "ä🙂🙂🙂ä".encode())
    assert "\ufffd" not in stream.text


async def test_characters_in_pieces_come_together_in_the_tail():
    text = "🙂" * 3
    _, tail = await printed(100, *(bytes([byte]) for byte in text.encode()))
    assert tail.text == text


async def test_the_tail_is_the_newest_two_thousand_characters():
    _, tail = await printed(10, b"a" * 5000, b"b" * 1999)
    assert tail.text == "a" + "b" * 1999


async def test_the_last_lines_come_whole_also_after_a_cut():
    stream, _ = await printed(60, b"x" * 500 + b"\nfirst\nlast\n\n")
    assert stream.last_lines(2) == "first\nlast"

"""Bytes in hexadecimal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.app.space.hexdump import hexdump


def test_sixteen_bytes_a_line() -> None:
    assert hexdump(b"\x89PNG\r\n\x1a\n" + bytes(9)) == (
        "00000000  89 50 4e 47 0d 0a 1a 0a 00 00 00 00 00 00 00 00  |.PNG............|\n"
        "00000010  00                                               |.|"
    )
    assert hexdump(b"") == ""


@given(st.binary(max_size=100))
def test_the_bytes_are_all_there(data: bytes) -> None:
    lines = hexdump(data).split("\n") if data else []
    assert bytes.fromhex("".join(line[10:57] for line in lines)) == data

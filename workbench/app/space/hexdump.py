"""Bytes in hexadecimal. Pure."""

from __future__ import annotations

WIDTH = 16
"""Bytes of one line."""


def hexdump(data: bytes) -> str:
    """`00000000  89 50 4e 47 …  |.PNG…|`, sixteen bytes a line."""
    return "\n".join(_line(at, data[at : at + WIDTH]) for at in range(0, len(data), WIDTH))


def _line(at: int, row: bytes) -> str:
    shown = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in row)
    return f"{at:08x}  {row.hex(' '):<{WIDTH * 3 - 1}}  |{shown}|"

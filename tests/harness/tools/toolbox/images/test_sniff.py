"""What is an image, by its first bytes."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.harness.tools.toolbox.images.sniff import sniff, webp_size

PNG = b"\x89PNG\r\n\x1a\n"
IHDR = b"\x00\x00\x00\x0dIHDR" + b"\x00" * 17


def chunk(kind: bytes, length: int = 0) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", length) + kind + b"\x00" * (length + 4)


def bmp(*, size: int = 100, pixels: int = 54, dib: int = 40, planes: int = 1, colours: int = 24) -> bytes:
    """The header of a BMP."""
    if dib == 12:
        return b"BM" + struct.pack("<IIIIHHHH", size, 0, pixels, dib, 1, 1, planes, colours)
    return b"BM" + struct.pack("<IIIIiiHH", size, 0, pixels, dib, 1, 1, planes, colours)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"\xff\xd8\xff\xf7", None),
        (PNG + IHDR + chunk(b"IDAT"), "image/png"),
        (PNG + IHDR + chunk(b"iCCP", 20) + chunk(b"IDAT") + chunk(b"acTL"), "image/png"),
        (PNG + IHDR + chunk(b"acTL", 8) + chunk(b"IDAT"), None),
        (PNG + IHDR + chunk(b"iCCP", 20) + chunk(b"acTL", 8) + chunk(b"IDAT"), None),
        (PNG + b"\x00\x00\x00\x0cIHDR" + b"\x00" * 16, None),
        (PNG, None),
        (b"GIF87a", "image/gif"),
        (b"GIF89a...", "image/gif"),
        (b"GIF is a format", None),
        (b"GIF88a", None),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"RIFF\x00\x00\x00\x00WAVE", None),
        (b"BM is text, and it goes on for a while after that", None),
        (bmp(), "image/bmp"),
        (bmp(size=0), "image/bmp"),
        (bmp(dib=12, pixels=26), "image/bmp"),
        (bmp(dib=124, pixels=138, size=200), "image/bmp"),
        (bmp(dib=13), None),
        (bmp(dib=125, pixels=139, size=200), None),
        (bmp(size=25), None),
        (bmp(size=54), None),
        (bmp(pixels=53), None),
        (bmp(planes=2), None),
        (bmp(colours=2), None),
        (bmp()[:26], None),
        (b"", None),
        (b"\xff\xd8", None),
    ],
)
def test_the_first_bytes_decide(head: bytes, kind: str | None) -> None:
    assert sniff(head) == kind


@pytest.mark.parametrize(
    ("head", "size"),
    [
        (
            b"RIFF....WEBPVP8X" + b"....\x00..." + (2999).to_bytes(3, "little") + (999).to_bytes(3, "little"),
            (3000, 1000),
        ),
        (b"RIFF....WEBPVP8L....\x2f" + (2999 | 999 << 14).to_bytes(4, "little"), (3000, 1000)),
        (b"RIFF....WEBPVP8 ....\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 3000, 1000), (3000, 1000)),
        (b"RIFF....WEBPVP8X", None),
        (b"RIFF....WEBPELSE" + b"." * 20, None),
    ],
)
def test_a_webp_states_its_size_before_it_is_decoded(head: bytes, size: tuple[int, int] | None) -> None:
    assert webp_size(head) == size


@given(st.sampled_from([PNG, PNG + IHDR, b"BM", b"RIFF....WEBP", b"GIF89a", b""]), st.binary(max_size=60))
def test_any_bytes_can_be_looked_at(begin: bytes, rest: bytes) -> None:
    sniff(begin + rest)
    webp_size(begin + rest)

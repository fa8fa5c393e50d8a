"""What image a file holds, by its first bytes. Its name says nothing about it. Pure."""

from __future__ import annotations

from typing import Literal

ImageType = Literal["image/jpeg", "image/png", "image/gif", "image/webp", "image/bmp"]

SNIFFED_BYTES = 4100
"""Bytes from a file's beginning that are looked at."""

_PNG = b"\x89PNG\r\n\x1a\n"
_BMP_COLOURS = (1, 4, 8, 16, 24, 32)


def sniff(head: bytes) -> ImageType | None:
    """The image whose first bytes these are; None for anything else, and for an animated PNG, which no model takes."""
    if head.startswith(b"\xff\xd8\xff"):
        return None if head[3:4] == b"\xf7" else "image/jpeg"
    if head.startswith(_PNG):
        return "image/png" if _is_still_png(head) else None
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    return "image/bmp" if _is_bmp(head) else None


def webp_size(head: bytes) -> tuple[int, int] | None:
    """Width and height in pixels that a WebP file states, before anything of it is decoded."""
    kind = head[12:16]
    if kind == b"VP8X" and len(head) >= 30:
        return _number(head, 24, 3) + 1, _number(head, 27, 3) + 1
    if kind == b"VP8L" and len(head) >= 25:
        packed = _number(head, 21, 4)
        return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(head) >= 30:
        return _number(head, 26, 2) & 0x3FFF, _number(head, 28, 2) & 0x3FFF
    return None


def _is_still_png(head: bytes) -> bool:
    if head[8:16] != b"\x00\x00\x00\x0dIHDR":
        return False
    at = 8
    while at + 8 <= len(head):
        kind = head[at + 4 : at + 8]
        if kind == b"acTL":
            return False
        if kind == b"IDAT":
            return True
        at += 12 + int.from_bytes(head[at : at + 4], "big")
    return True


def _is_bmp(head: bytes) -> bool:
    """Two letters are too little to tell: text begins with them as well. So the header must make sense."""
    if not head.startswith(b"BM") or len(head) < 26:
        return False
    size, pixels, dib = _number(head, 2, 4), _number(head, 10, 4), _number(head, 14, 4)
    if size and (size < 26 or pixels >= size):
        return False
    if pixels < 14 + dib or not (dib == 12 or 40 <= dib <= 124):
        return False
    planes_at = 22 if dib == 12 else 26
    if len(head) < planes_at + 4:
        return False
    return _number(head, planes_at, 2) == 1 and _number(head, planes_at + 2, 2) in _BMP_COLOURS


def _number(head: bytes, at: int, length: int) -> int:
    return int.from_bytes(head[at : at + length], "little")

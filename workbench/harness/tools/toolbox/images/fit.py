"""Making an image fit what a model is sent: its size in pixels, its bytes, a format that models take.

A file may be made to hurt: a few bytes that unfold to terabytes, or a decoder led astray. So the size that a file
states is held against a bound before anything is decoded, one image is decoded at a time, and whatever a decoder
raises means that there is no image.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, cast

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.text import base64_size
from workbench.harness.tools.toolbox.images.pixels import encodings, plain_pixels, turn_of, turned
from workbench.harness.tools.toolbox.images.sniff import SNIFFED_BYTES, ImageType, webp_size
from workbench.harness.tools.toolbox.in_thread import Check
from workbench.harness.tools.toolbox.limits import (
    IMAGE_BASE64_BYTES,
    IMAGE_FILE_BYTES,
    IMAGE_PIXELS,
    IMAGE_SIDE,
    WEBP_PIXELS,
)

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

_WAIT_SECS = 0.05

_one_at_a_time = threading.Lock()


class Fitted(Struct, frozen=True):
    """An image as it is sent. `original` is its size as it was, upright; `rescaled` says that its size or its quality
    had to be changed for it to fit."""

    data: bytes
    mime_type: str
    width: int
    height: int
    original: tuple[int, int]
    rescaled: bool


class Unfit(Struct, frozen=True):
    """Says that there is no image to send, and why: words that stand behind `Image omitted: `."""

    why: str


def fit(file: IO[bytes], kind: ImageType, check: Check) -> Fitted | Unfit:
    """Make the image in a file fit; Unfit where that cannot be done, for instance because it is no sound image.

    An image that fits already is given as it is, but for BMP, which becomes PNG.

    Raises:
        HarnessError: `cancelled` as `check` raises it.
    """
    with _alone(check):
        try:
            return _fit(cast("IO[bytes]", _Watched(file, check)), kind, check)
        except HarnessError:
            raise
        except MemoryError:
            return Unfit("there is not enough memory to decode it. Make a smaller copy, with bash, and read that.")
        except Exception:
            # Decoders fail in every way that there is (OSError, ValueError, SyntaxError, struct.error and more), and
            # all of it means the same.
            return _unsound(kind)


def _unsound(kind: ImageType) -> Unfit:
    """What is said of an image that cannot be decoded, and of one that fits in no size."""
    if kind == "image/bmp":
        return Unfit("could not be converted to a supported inline image format.")
    return Unfit("could not be resized below the inline image size limit.")


def _too_many(width: int, height: int, most: int, what: str = "an image") -> Unfit:
    return Unfit(
        f"it has {width}x{height} pixels, which are {width * height:,}; {what} of at most {most:,} is decoded. "
        "Make a smaller copy, with bash, and read that."
    )


def scaled(width: int, height: int) -> tuple[int, int]:
    """The size in pixels that fits: the width is brought in first, then the height, and no side vanishes."""
    if width > IMAGE_SIDE:
        width, height = IMAGE_SIDE, _rounded(height * IMAGE_SIDE, width)
    if height > IMAGE_SIDE:
        width, height = _rounded(width * IMAGE_SIDE, height), IMAGE_SIDE
    return width, height


def _rounded(number: int, by: int) -> int:
    return max(1, (2 * number + by) // (2 * by))


@contextmanager
def _alone(check: Check) -> Generator[None]:
    while not _one_at_a_time.acquire(timeout=_WAIT_SECS):
        check()
    try:
        yield
    finally:
        _one_at_a_time.release()


class _Watched:
    """A file that a decoder reads, and that ends its work when that is no longer wanted."""

    def __init__(self, file: IO[bytes], check: Check) -> None:
        self._file = file
        self._check = check
        self.seek = file.seek
        self.tell = file.tell

    def read(self, size: int = -1, /) -> bytes:
        self._check()
        return self._file.read(size)


def _fit(file: IO[bytes], kind: ImageType, check: Check) -> Fitted | Unfit:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if size > IMAGE_FILE_BYTES:
        return Unfit(
            f"the file has {size:,} bytes; one of at most {IMAGE_FILE_BYTES:,} is looked at. "
            "Make a smaller copy, with bash, and read that."
        )
    if kind == "image/webp":
        stated = webp_size(file.read(SNIFFED_BYTES))
        file.seek(0)
        if stated is None:
            return _unsound(kind)
        if stated[0] * stated[1] > WEBP_PIXELS:
            return _too_many(*stated, WEBP_PIXELS, "a webp")
    image = _opened(file, kind)
    width, height = image.size
    if width * height > IMAGE_PIXELS:
        return _too_many(width, height, IMAGE_PIXELS)
    if width * height <= 0:
        return _unsound(kind)
    check()
    within = max(width, height) <= IMAGE_SIDE and base64_size(size) < IMAGE_BASE64_BYTES
    if within and kind != "image/bmp":
        image.load()
        file.seek(0)
        return Fitted(file.read(), kind, width, height, (width, height), rescaled=False)
    return _encoded(image, kind, check)


def _opened(file: IO[bytes], kind: ImageType) -> ImageFile:
    """Read the header with the one decoder that was sniffed: the others are never tried on foreign bytes."""
    # Said on the standard error they would be drawn over a face, and what they say is that a file is odd.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")
    match kind:
        case "image/png":
            from PIL.PngImagePlugin import PngImageFile as Decoder
        case "image/jpeg":
            from PIL.JpegImagePlugin import JpegImageFile as Decoder
        case "image/gif":
            from PIL.GifImagePlugin import GifImageFile as Decoder
        case "image/webp":
            from PIL.WebPImagePlugin import WebPImageFile as Decoder
        case "image/bmp":
            from PIL.BmpImagePlugin import BmpImageFile as Decoder
    return Decoder(file)


def _encoded(image: ImageFile, kind: ImageType, check: Check) -> Fitted | Unfit:
    from PIL.Image import Resampling

    turn = turn_of(image)
    full = turned(image.size, turn)
    # A JPEG can be decoded at a half, a quarter or an eighth of its size, which saves most of its memory.
    image.draft(None, scaled(*image.size))
    image.load()
    check()
    plain = plain_pixels(image)
    size = scaled(*full)
    while True:
        check()
        upright: Image = cast("Any", plain).resize(turned(size, turn), Resampling.LANCZOS, reducing_gap=3.0)
        if turn is not None:
            upright = upright.transpose(turn)
        for data, mime_type in encodings(upright, check):
            if base64_size(len(data)) < IMAGE_BASE64_BYTES:
                rescaled = not (kind == "image/bmp" and mime_type == "image/png" and size == full)
                return Fitted(data, mime_type, *size, full, rescaled)
        if size == (1, 1):
            return _unsound(kind)
        size = (max(1, size[0] * 3 // 4), max(1, size[1] * 3 // 4))

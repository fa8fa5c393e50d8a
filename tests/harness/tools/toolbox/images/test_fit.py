"""Images made to fit, and files made to hurt."""

from __future__ import annotations

import io
import random
import struct
import subprocess
import sys
import threading
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from workbench.harness.errors import HarnessError
from workbench.harness.text import base64_size
from workbench.harness.tools.toolbox.images import fit as fitting
from workbench.harness.tools.toolbox.images import pixels
from workbench.harness.tools.toolbox.images.fit import Fitted, Unfit, fit, scaled
from workbench.harness.tools.toolbox.images.sniff import ImageType
from workbench.harness.tools.toolbox.limits import IMAGE_BASE64_BYTES, IMAGE_PIXELS, IMAGE_SIDE, WEBP_PIXELS

CEILING = 700 * 1024 * 1024
"""Bytes of address space within which the largest image is made to fit, interpreter and libraries included."""


SMALL = "could not be resized below the inline image size limit."
NO_BMP = "could not be converted to a supported inline image format."


def wanted() -> None:
    """The work is wanted."""


def made(width: int, height: int, form: str = "PNG", mode: str = "RGB", **options: Any) -> bytes:
    """An image file of one colour."""
    out = io.BytesIO()
    Image.new(mode, (width, height)).save(out, form, **options)
    return out.getvalue()


def noise(width: int, height: int, form: str = "PNG") -> bytes:
    """An image file that cannot be made smaller without loss."""
    out = io.BytesIO()
    pixels = random.Random(1).randbytes(width * height * 3)
    Image.frombytes("RGB", (width, height), pixels).save(out, form, **({"compress_level": 1} if form == "PNG" else {}))
    return out.getvalue()


def fitted(data: bytes, kind: ImageType) -> Fitted:
    """The image, which can be made to fit."""
    found = fit(io.BytesIO(data), kind, wanted)
    assert isinstance(found, Fitted)
    sent = Image.open(io.BytesIO(found.data))
    assert sent.size == (found.width, found.height)
    assert sent.get_format_mimetype() == found.mime_type
    assert max(sent.size) <= IMAGE_SIDE
    assert base64_size(len(found.data)) < IMAGE_BASE64_BYTES
    return found


def bomb(width: int, height: int, colour: int = 2) -> bytes:
    """A PNG of a few bytes that says it is large."""
    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\x00" * 1000)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


@pytest.mark.parametrize(
    ("form", "kind"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp")],
)
def test_an_image_that_fits_is_sent_as_it_is(form: str, kind: ImageType) -> None:
    data = made(40, 30, form)
    assert fitted(data, kind) == Fitted(data, kind, 40, 30, (40, 30), rescaled=False)


@pytest.mark.parametrize(
    ("size", "becomes"),
    [
        ((3000, 1000), (2000, 667)),
        ((1000, 3001), (666, 2000)),
        ((2000, 2000), (2000, 2000)),
        ((2001, 2000), (2000, 1999)),
        ((4000, 6000), (1333, 2000)),
        ((60_000, 1), (2000, 1)),
        ((1, 60_000), (1, 2000)),
    ],
)
def test_both_sides_are_brought_in(size: tuple[int, int], becomes: tuple[int, int]) -> None:
    assert scaled(*size) == becomes


@given(st.integers(1, 70_000), st.integers(1, 70_000))
def test_every_size_is_brought_in_and_none_vanishes(width: int, height: int) -> None:
    narrow, low = scaled(width, height)
    assert 1 <= narrow <= IMAGE_SIDE
    assert 1 <= low <= IMAGE_SIDE


@pytest.mark.parametrize(
    ("form", "kind"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp"), ("BMP", "image/bmp")],
)
def test_a_large_image_is_scaled_down_to_png(form: str, kind: ImageType) -> None:
    found = fitted(made(3000, 1000, form), kind)
    assert (found.mime_type, found.width, found.height) == ("image/png", 2000, 667)
    assert (found.original, found.rescaled) == ((3000, 1000), True)


def test_an_image_of_many_bytes_becomes_a_jpeg_of_its_own_size() -> None:
    data = noise(1300, 1000)
    assert base64_size(len(data)) > IMAGE_BASE64_BYTES
    found = fitted(data, "image/png")
    assert (found.mime_type, found.width, found.height) == ("image/jpeg", 1300, 1000)
    assert found.rescaled


def test_the_ladder_takes_the_first_quality_that_fits_and_then_a_smaller_size(monkeypatch: pytest.MonkeyPatch) -> None:
    data = noise(120, 100)
    tried: list[tuple[tuple[int, int], str, int | None]] = []
    saved = pixels.saved

    def noting(image: Image.Image, form: str, **options: Any) -> bytes:
        tried.append((image.size, form, options.get("quality")))
        return saved(image, form, **options)

    monkeypatch.setattr(pixels, "saved", noting)
    monkeypatch.setattr(fitting, "IMAGE_BASE64_BYTES", 4_000)
    found = fit(io.BytesIO(data), "image/png", wanted)
    assert isinstance(found, Fitted)
    assert base64_size(len(found.data)) < 4_000
    assert tried[:7] == [
        ((120, 100), "PNG", None),
        *(((120, 100), "JPEG", quality) for quality in (80, 85, 70, 55, 40)),
        ((90, 75), "PNG", None),
    ]
    assert found.rescaled


def test_what_does_not_fit_even_as_one_pixel_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "IMAGE_BASE64_BYTES", 10)
    assert fit(io.BytesIO(noise(9, 5)), "image/png", wanted) == Unfit(SMALL)


def test_bug_18_the_size_in_base64_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    data = noise(30, 30)
    monkeypatch.setattr(fitting, "IMAGE_BASE64_BYTES", base64_size(len(data)))
    assert fitted(data, "image/png").rescaled
    monkeypatch.setattr(fitting, "IMAGE_BASE64_BYTES", base64_size(len(data)) + 1)
    assert not fitted(data, "image/png").rescaled


def test_bug_18_a_bmp_becomes_a_png_whatever_its_size() -> None:
    found = fitted(made(40, 30, "BMP"), "image/bmp")
    assert (found.mime_type, found.original, found.rescaled) == ("image/png", (40, 30), False)


def test_a_photo_is_turned_as_its_camera_noted() -> None:
    photo = Image.new("RGB", (3000, 1000), "blue")
    photo.paste("red", (0, 0, 1500, 1000))
    noted = Image.Exif()
    noted[0x0112] = 6
    out = io.BytesIO()
    photo.save(out, "JPEG", exif=noted)
    found = fitted(out.getvalue(), "image/jpeg")
    assert (found.original, found.width, found.height) == ((1000, 3000), 667, 2000)
    sent = Image.open(io.BytesIO(found.data))
    assert 0x0112 not in sent.getexif()
    red, _, blue = sent.convert("RGB").getpixel((300, 10))
    assert red > blue


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_a_png_can_be_scaled(mode: str) -> None:
    found = fitted(made(2400, 6, "PNG", mode), "image/png")
    assert (found.width, found.height) == (2000, 5)


def test_sixteen_bits_of_grey_keep_their_brightness() -> None:
    out = io.BytesIO()
    Image.new("I;16", (2400, 6), 0x8000).save(out, "PNG")
    sent = Image.open(io.BytesIO(fitted(out.getvalue(), "image/png").data))
    assert abs(sent.getpixel((9, 2)) - 0x80) <= 1


@pytest.mark.parametrize("mode", ["L", "CMYK"])
def test_every_mode_of_a_jpeg_can_be_scaled(mode: str) -> None:
    assert fitted(made(2400, 6, "JPEG", mode), "image/jpeg").width == 2000


def test_what_is_transparent_is_white_in_a_jpeg() -> None:
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    assert pixels.opaque(clear).getpixel((1, 1)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", "image/png"),
        (made(100, 100)[:-30], "image/png"),
        (made(100, 100, "JPEG")[:300], "image/jpeg"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"BM" + b"\x00" * 60, "image/bmp"),
        (bomb(100, 100), "image/png"),
        (bomb(0, 5), "image/png"),
        (b"GIF89a" + struct.pack("<HH", 0, 0) + b"\x00\x00\x00;", "image/gif"),
        (bomb(60_000, 60_000), "image/png"),
        (bomb(2**31 - 1, 2**31 - 1), "image/png"),
        (b"GIF89a" + struct.pack("<HH", 65535, 65535) + made(1, 1, "GIF")[10:], "image/gif"),
        (b"RIFF\x1e\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + b"\xff" * 6 + b"VP8 ", "image/webp"),
        (b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01\xff\xd9", "image/jpeg"),
        (b"BM" + struct.pack("<IIIIiiHHIIIIII", 0, 0, 54, 40, 50_000, 50_000, 1, 24, 0, 0, 0, 0, 0, 0), "image/bmp"),
    ],
)
def test_a_file_that_is_no_sound_image_is_left_out(data: bytes, kind: ImageType, recwarn: Any) -> None:
    assert isinstance(fit(io.BytesIO(data), kind, wanted), Unfit)
    assert not list(recwarn)


@pytest.mark.parametrize(
    ("form", "kind"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("WEBP", "image/webp"), ("BMP", "image/bmp")],
)
def test_the_half_of_a_large_image_is_left_out(form: str, kind: ImageType) -> None:
    data = noise(2500, 40, form)
    assert fit(io.BytesIO(data[: len(data) // 2]), kind, wanted) == Unfit(NO_BMP if kind == "image/bmp" else SMALL)


def test_odd_notes_of_a_camera_are_passed_over_in_silence(recwarn: Any) -> None:
    data = made(2500, 10, "JPEG", exif=b"Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x09\x01\x12")
    assert fitted(data, "image/jpeg").width == 2000
    assert not list(recwarn)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_damaged_image_never_raises(data: st.DataObject) -> None:
    form, kind = data.draw(
        st.sampled_from([("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("BMP", "image/bmp")])
    )
    stored = bytearray(made(20, 20, form))
    for _ in range(data.draw(st.integers(1, 8))):
        stored[data.draw(st.integers(0, len(stored) - 1))] = data.draw(st.integers(0, 255))
    fit(io.BytesIO(bytes(stored)), kind, wanted)


def test_a_file_of_too_many_bytes_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "IMAGE_FILE_BYTES", 50)
    data = made(40, 30)
    found = fit(io.BytesIO(data), "image/png", wanted)
    assert isinstance(found, Unfit)
    assert f"the file has {len(data)} bytes; one of at most 50 is looked at. Make a smaller copy" in found.why


def webp(width: int, height: int) -> bytes:
    """The head of a WebP file that says how large it is."""
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x1e\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + sides + b"VP8 "


@pytest.mark.parametrize(
    ("data", "kind", "has", "most"),
    [
        (bomb(60_000, 60_000), "image/png", "60000x60000 pixels, which are 3,600,000,000", IMAGE_PIXELS),
        (bomb(10_000, 5_001), "image/png", "10000x5001 pixels, which are 50,010,000", IMAGE_PIXELS),
        (webp(5_001, 4_000), "image/webp", "5001x4000 pixels, which are 20,004,000", WEBP_PIXELS),
        (
            b"BM" + struct.pack("<IIIIiiHHIIIIII", 0, 0, 54, 40, 50_000, 50_000, 1, 24, 0, 0, 0, 0, 0, 0),
            "image/bmp",
            "50000x50000 pixels, which are 2,500,000,000",
            IMAGE_PIXELS,
        ),
    ],
)
def test_of_too_many_pixels_both_figures_are_said_and_what_to_do(
    data: bytes, kind: ImageType, has: str, most: int
) -> None:
    found = fit(io.BytesIO(data), kind, wanted)
    assert isinstance(found, Unfit)
    assert found.why.startswith(f"it has {has}; ")
    assert f"of at most {most:,} is decoded. Make a smaller copy, with bash, and read that." in found.why


def test_want_of_memory_is_said_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object) -> object:
        raise MemoryError

    monkeypatch.setattr(fitting, "_opened", failing)
    found = fit(io.BytesIO(made(9, 9)), "image/png", wanted)
    assert isinstance(found, Unfit)
    assert found.why.startswith("there is not enough memory to decode it. Make a smaller copy")


def test_the_largest_image_takes_a_bounded_memory() -> None:
    """In a process whose memory has a ceiling: a palette that is see-through grows most when it is decoded."""
    code = f"""
import io, resource
from PIL import Image
from workbench.harness.tools.toolbox.images.fit import Fitted, fit
out = io.BytesIO()
Image.new("P", (10_000, {IMAGE_PIXELS // 10_000})).save(out, "PNG", transparency=0, compress_level=1)
resource.setrlimit(resource.RLIMIT_AS, ({CEILING}, {CEILING}))
assert isinstance(fit(out, "image/png", lambda: None), Fitted)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_an_abort_stops_a_decoder_where_it_reads() -> None:
    reads = iter(range(5))

    def tired() -> None:
        if next(reads, None) is None:
            raise HarnessError("cancelled", "Operation aborted")

    with pytest.raises(HarnessError, match="Operation aborted"):
        fit(io.BytesIO(noise(1300, 1000)), "image/png", tired)


def test_one_image_is_decoded_at_a_time_and_waiting_can_be_aborted() -> None:
    def unwanted() -> None:
        raise HarnessError("cancelled", "Operation aborted")

    decoding, go_on = threading.Event(), threading.Event()

    def holding() -> None:
        decoding.set()
        go_on.wait(10)

    first = threading.Thread(target=fit, args=(io.BytesIO(made(9, 9)), "image/png", holding))
    first.start()
    assert decoding.wait(10)
    with pytest.raises(HarnessError, match="Operation aborted"):
        fit(io.BytesIO(made(9, 9)), "image/png", unwanted)
    go_on.set()
    first.join()
    assert isinstance(fit(io.BytesIO(made(9, 9)), "image/png", wanted), Fitted)

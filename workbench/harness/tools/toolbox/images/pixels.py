"""The pixels of a decoded image: which way is up, the modes that can be sent, the encodings to try."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from workbench.harness.tools.toolbox.in_thread import Check

if TYPE_CHECKING:
    from PIL.Image import Image, Transpose

_QUALITIES = (80, 85, 70, 55, 40)
_ORIENTATION = 0x0112
"""The number of the note in EXIF that says which way is up."""


def turn_of(image: Image) -> Transpose | None:
    """How the stored pixels are to be turned, as the camera noted it; not at all where the note cannot be read."""
    from PIL.Image import Transpose

    try:
        noted = image.getexif().get(_ORIENTATION)
    except Exception:
        return None
    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return turns.get(noted) if isinstance(noted, int) else None


def turned(size: tuple[int, int], turn: Transpose | None) -> tuple[int, int]:
    """A size with its sides swapped where the turn swaps them."""
    sideways = turn is not None and turn.name in ("TRANSPOSE", "ROTATE_270", "TRANSVERSE", "ROTATE_90")
    return (size[1], size[0]) if sideways else size


def encodings(image: Image, check: Check) -> Iterator[tuple[bytes, str]]:
    """The image as a file, with its MIME type: without loss first, then as JPEG, in the order of the qualities."""
    yield saved(image, "PNG"), "image/png"
    without_alpha = opaque(image)
    for quality in _QUALITIES:
        check()
        yield saved(without_alpha, "JPEG", quality=quality), "image/jpeg"


def saved(image: Image, form: str, **options: Any) -> bytes:
    """The image as a file of that form."""
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def plain_pixels(image: Image) -> Image:
    """The image in a mode that can be resized and saved as PNG: grey or colours of 8 bits, with or without alpha."""
    if image.mode.startswith("I"):
        plain = cast("Image", cast("Any", image.convert("I")).point(_upper_bits)).convert("L")
    else:
        colours = "L" if image.mode in ("1", "L") else "RGB"
        mode = "RGBA" if image.has_transparency_data else colours
        # Of the same mode it would be a second copy of all pixels.
        plain = image if image.mode == mode else image.convert(mode)
    # What the camera or the author noted is not sent on, least of all the turn that was made already.
    plain.info.clear()
    return plain


def _upper_bits(value: Any) -> Any:
    return value * (1 / 256)


def opaque(image: Image) -> Image:
    """The image on white where it can be seen through: a JPEG has no alpha."""
    if image.mode != "RGBA":
        return image
    from PIL import Image as images

    ground = images.new("RGB", image.size, "white")
    ground.paste(image, mask=image.getchannel("A"))
    return ground

"""`read` of images: the content decides, and the answer says what was done with it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from tests.harness.tools.toolbox.using import use
from workbench.harness.tools.toolbox.host_tool import HostContext, ImageBlock, TextBlock, ToolAnswer
from workbench.harness.tools.toolbox.images import fit as fitting
from workbench.harness.tools.toolbox.images.fit import Fitted, scaled
from workbench.harness.tools.toolbox.read import READ, _hints


def picture(width: int, height: int, form: str = "PNG") -> bytes:
    """An image file."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(out, form)
    return out.getvalue()


async def read(ctx: HostContext, path: str, **options: Any) -> ToolAnswer:
    """What `read` gives."""
    return await use(READ, {"path": path, **options}, ctx)


async def test_t7_the_content_decides_and_never_the_name(here: HostContext) -> None:
    (here.cwd / "image.txt").write_bytes(picture(40, 30))
    (here.cwd / "fake.png").write_text("no picture\n")
    (here.cwd / "b.txt").write_text("BM is text")
    answer = await read(here, "image.txt")
    assert answer.content == (
        TextBlock("Read image file [image/png]"),
        ImageBlock(picture(40, 30), "image/png", 40, 30),
    )
    assert answer.details is None
    assert (await read(here, "fake.png")).content == (TextBlock("no picture\n"),)
    assert (await read(here, "b.txt")).content == (TextBlock("BM is text"),)


async def test_t8_a_scaled_image_says_how_its_coordinates_map(here: HostContext) -> None:
    (here.cwd / "wide.png").write_bytes(picture(3000, 1000))
    answer = await read(here, "wide.png")
    assert answer.text.split("\n") == [
        "Read image file [image/png]",
        "[Image: original 3000x1000, displayed at 2000x667. Multiply coordinates by 1.50 to map to original image.]",
    ]


@pytest.mark.parametrize(
    ("size", "shown", "factor"),
    [
        ((1, 60_000), "1x2000", "1.00 (x) and 30.00 (y)"),
        ((60_000, 1), "2000x1", "30.00 (x) and 1.00 (y)"),
        ((2500, 33), "2000x26", "1.25 (x) and 1.27 (y)"),
        ((1000, 3001), "666x2000", "1.50"),
        ((4000, 4000), "2000x2000", "2.00"),
    ],
)
async def test_sides_that_are_not_scaled_alike_have_a_factor_each(
    here: HostContext, size: tuple[int, int], shown: str, factor: str
) -> None:
    (here.cwd / "image.png").write_bytes(picture(*size))
    assert (await read(here, "image.png")).text.split("\n")[1] == (
        f"[Image: original {size[0]}x{size[1]}, displayed at {shown}. "
        f"Multiply coordinates by {factor} to map to original image.]"
    )


@given(st.integers(1, 20_000), st.integers(1, 20_000))
def test_the_factors_lead_back_to_the_original(width: int, height: int) -> None:
    shown = scaled(width, height)
    (hint,) = _hints(Fitted(b"", "image/png", *shown, (width, height), True), "image/png")
    across, _, down = (
        hint.partition("coordinates by ")[2]
        .partition(" to map")[0]
        .replace(" (x)", "")
        .replace(" (y)", "")
        .partition(" and ")
    )
    assert abs(float(across) * shown[0] - width) <= 0.006 * shown[0]
    assert abs(float(down or across) * shown[1] - height) <= 0.006 * shown[1]


async def test_bug_17_a_text_about_gif_is_a_text(here: HostContext) -> None:
    (here.cwd / "gif.txt").write_text("GIF is older than PNG\n")
    (here.cwd / "real").write_bytes(picture(9, 9, "GIF"))
    assert (await read(here, "gif.txt")).text == "GIF is older than PNG\n"
    assert (await read(here, "real")).text == "Read image file [image/gif]"


async def test_bug_18_a_bmp_is_sent_as_png_and_says_so(here: HostContext) -> None:
    (here.cwd / "old.bmp").write_bytes(picture(40, 30, "BMP"))
    (here.cwd / "large.bmp").write_bytes(picture(4000, 30, "BMP"))
    answer = await read(here, "old.bmp")
    assert answer.text == "Read image file [image/png]\n[Image converted from image/bmp to image/png.]"
    assert isinstance(answer.content[1], ImageBlock)
    assert answer.content[1].mime_type == "image/png"
    assert (await read(here, "large.bmp")).text.endswith(
        "[Image converted from image/bmp to image/png.]\n"
        "[Image: original 4000x30, displayed at 2000x15. Multiply coordinates by 2.00 to map to original image.]"
    )


async def test_offset_and_limit_mean_nothing_for_an_image(here: HostContext) -> None:
    (here.cwd / "f.png").write_bytes(picture(40, 30))
    assert await read(here, "f.png", offset=7, limit=1) == await read(here, "f.png")


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        (
            picture(40, 30)[:-40],
            "Read image file [image/png]\n[Image omitted: could not be resized below the inline image size limit.]",
        ),
        (
            picture(40, 30, "BMP")[:60],
            "Read image file [image/bmp]\n[Image omitted: could not be converted to a supported inline image format.]",
        ),
    ],
    ids=["png", "bmp"],
)
async def test_a_damaged_image_is_no_error_but_left_out(here: HostContext, stored: bytes, text: str) -> None:
    (here.cwd / "f").write_bytes(stored)
    assert (await read(here, "f")).content == (TextBlock(text),)


@pytest.mark.parametrize(("takes", "said"), [(None, False), (True, False), (False, True)])
async def test_a_model_without_eyes_is_told(here: HostContext, takes: bool | None, said: bool) -> None:
    (here.cwd / "f.png").write_bytes(picture(40, 30))
    answer = await read(replace(here, model="m", takes_images=takes), "f.png")
    line = "\n[Current model does not support images. The image will be omitted from this request.]"
    assert answer.text.endswith(line) is said
    assert len(answer.content) == 2


async def test_an_animated_png_is_given_as_text(here: HostContext) -> None:
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    frames[0].save(here.cwd / "moving.png", "PNG", save_all=True, append_images=frames[1:])
    (block,) = (await read(here, "moving.png")).content
    assert isinstance(block, TextBlock)
    assert block.text.startswith("\ufffdPNG\r\n")


async def test_whatever_a_decoder_raises_there_is_no_image(here: HostContext, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object) -> object:
        raise MemoryError

    monkeypatch.setattr(fitting, "_opened", failing)
    (here.cwd / "f.png").write_bytes(picture(40, 30))
    assert "[Image omitted: " in (await read(here, "f.png")).text

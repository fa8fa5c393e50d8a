"""The description of `read` is what a model knows of it: each promise is taken from the text and tried."""

from __future__ import annotations

import io
import os
import re
from typing import Any

import pytest
from PIL import Image

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import HostContext, ImageBlock, ToolAnswer
from workbench.harness.tools.toolbox.limits import (
    IMAGE_FILE_BYTES,
    IMAGE_PIXELS,
    IMAGE_SIDE,
    MAX_BYTES,
    MAX_LINES,
    WEBP_PIXELS,
)
from workbench.harness.tools.toolbox.read import READ

SAID = READ.description


def numbers(pattern: str) -> list[int]:
    """The numbers that the description has in a sentence."""
    found = re.search(pattern, SAID)
    assert found, pattern
    return [int(group) for group in found.groups()]


async def read(ctx: HostContext, path: str, **options: Any) -> ToolAnswer:
    """What `read` gives."""
    return await use(READ, {"path": path, **options}, ctx)


def test_its_limits_are_those_of_the_toolbox() -> None:
    assert numbers(r"at most (\d+) lines or (\d+)KB of it") == [MAX_LINES, MAX_BYTES // 1024]
    assert numbers(r"longer than (\d+)KB is not given") == [MAX_BYTES // 1024]
    assert numbers(r"a side over (\d+) pixels") == [IMAGE_SIDE]
    assert numbers(r"its file has more than (\d+) MiB") == [IMAGE_FILE_BYTES // 1024**2]
    assert numbers(r"more than (\d+) million pixels \(a webp (\d+) million\)") == [
        IMAGE_PIXELS // 10**6,
        WEBP_PIXELS // 10**6,
    ]


@pytest.mark.parametrize("size", [20, 200])
async def test_one_answer_holds_at_most_what_it_says_and_whole_lines(here: HostContext, size: int) -> None:
    lines, kilobytes = numbers(r"at most (\d+) lines or (\d+)KB of it, whichever is reached first, and always whole")
    (here.cwd / "f").write_text("".join(f"{number:0{size}}\n" for number in range(3000)))
    given = (await read(here, "f")).text.rpartition("\n\n")[0]
    assert len(given.split("\n")) == min(lines, kilobytes * 1024 // (size + 1))
    assert len(given.encode()) <= kilobytes * 1024
    assert all(len(line) == size for line in given.split("\n"))


async def test_a_model_that_does_what_it_says_reads_a_log_of_3000_lines_whole(here: HostContext) -> None:
    assert "call again with that offset. Go on until an answer has no such line" in SAID
    log = "".join(f"{number} something happened\n" for number in range(1, 3001))
    (here.cwd / "log").write_text(log)
    pages: list[str] = []
    offset: int | None = None
    while True:
        text = (await read(here, "log", **({} if offset is None else {"offset": offset}))).text
        last = text.split("\n")[-1]
        if not (last.startswith("[") and last.endswith("]")):
            pages.append(text)
            break
        pages.append(text.rpartition("\n\n")[0] + "\n")
        offset = int(re.findall(r"offset=(\d+)", last)[0])
    assert (len(pages), "".join(pages)) == (2, log)


async def test_offset_counts_from_one_and_limit_is_the_most_lines(here: HostContext) -> None:
    assert "offset, the first line you want, counted from 1, and limit, the most lines you want" in SAID
    (here.cwd / "f").write_text("one\ntwo\nthree\n")
    assert (await read(here, "f", offset=1, limit=1)).text.startswith("one\n\n[")
    assert (await read(here, "f", offset=2, limit=9)).text == "two\nthree\n"


async def test_a_line_too_long_is_named_with_its_size_and_a_command(here: HostContext) -> None:
    assert "the answer says how long it is, and the bash command that shows its beginning" in SAID
    (kilobytes,) = numbers(r"longer than (\d+)KB is not given")
    (here.cwd / "f").write_bytes(b"x" * (kilobytes * 1024 + 100) + b"\nafter\n")
    assert re.search(r"Line 1 is [\d.]+KB.* Use bash: sed -n '1p' f", (await read(here, "f")).text)
    assert "go on with the offset after it" in SAID
    assert (await read(here, "f", offset=2)).text == "after\n"


async def test_text_has_no_line_numbers_and_foreign_bytes_become_u_fffd(here: HostContext) -> None:
    assert "without line numbers" in SAID
    assert "Bytes that are not UTF-8 come as U+FFFD" in SAID
    (here.cwd / "f").write_bytes(b"a\xffb\n")
    assert (await read(here, "f")).text == "a\ufffdb\n"


async def test_paths_are_relative_to_the_working_directory_or_absolute(here: HostContext) -> None:
    assert "path is relative to the working directory, or absolute" in SAID
    (here.cwd / "f").write_text("text")
    assert (await read(here, "f")).text == (await read(here, str(here.cwd / "f"))).text == "text"


async def test_what_it_says_that_it_does_not_read_it_refuses(here: HostContext) -> None:
    assert "Directories (list them with ls), pipes, sockets and devices are not read" in SAID
    os.mkfifo(here.cwd / "pipe")
    for path in (".", "pipe", "/dev/null"):
        with pytest.raises(HarnessError) as raised:
            await read(here, path)
        assert raised.value.code == "refused"


async def test_every_kind_of_image_that_it_names_comes_as_an_attachment(here: HostContext) -> None:
    found = re.search(r"Images \(([a-z, ]+)\) are recognised by their content", SAID)
    assert found
    kinds = found[1].split(", ")
    assert len(kinds) == 5
    (side,) = numbers(r"a side over (\d+) pixels is scaled down")
    for kind in kinds:
        out = io.BytesIO()
        Image.new("RGB", (side + 500, 10)).save(out, {"jpg": "JPEG"}.get(kind, kind.upper()))
        (here.cwd / "picture").write_bytes(out.getvalue())
        answer = await read(here, "picture", offset=9, limit=1)
        image = answer.content[1]
        assert isinstance(image, ImageBlock)
        assert image.width == side
        assert "Multiply coordinates by 1.25 " in answer.text
        if kind == "bmp":
            assert "A bmp becomes a png" in SAID
            assert image.mime_type == "image/png"


async def test_an_image_beyond_its_limits_is_left_out(here: HostContext) -> None:
    (megabytes,) = numbers(r"its file has more than (\d+) MiB")
    with (here.cwd / "long").open("wb") as file:
        Image.new("RGB", (9, 9)).save(file, "PNG")
        file.truncate(megabytes * 1024**2 + 1)
    _, webp = numbers(r"more than (\d+) million pixels \(a webp (\d+) million\)")
    sides = (webp * 1000 - 1).to_bytes(3, "little") + (1001 - 1).to_bytes(3, "little")
    (here.cwd / "wide").write_bytes(b"RIFF\x1e\0\0\0WEBPVP8X\x0a" + b"\0" * 7 + sides + b"VP8 ")
    for name, has in (("long", "the file has 67,108,865 bytes"), ("wide", "it has 20000x1001 pixels")):
        answer = await read(here, name)
        assert len(answer.content) == 1
        assert f"[Image omitted: {has}" in answer.text
        assert answer.text.endswith(" Make a smaller copy, with bash, and read that.]")


async def test_a_damaged_image_is_left_out_and_an_animated_png_is_text(here: HostContext) -> None:
    assert "An image is left out, and the answer says why, if it is damaged" in SAID
    assert "An animated png is given as text" in SAID
    (here.cwd / "damaged").write_bytes(b"\xff\xd8\xff\xe0 nothing of a picture")
    answer = await read(here, "damaged")
    assert len(answer.content) == 1
    assert "[Image omitted: " in answer.text
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    frames[0].save(here.cwd / "moving", "PNG", save_all=True, append_images=frames[1:])
    assert len((await read(here, "moving")).content) == 1

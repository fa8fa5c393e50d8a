"""`read`: a page of a text file, or an image."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import Code, Drawn, Line, Picture, Span, Words, text_of
from workbench.harness.tools.toolbox.host_tool import (
    HostContext,
    HostTool,
    ImageBlock,
    OnUpdate,
    Result,
    Signal,
    TextBlock,
    ToolAnswer,
)
from workbench.harness.tools.toolbox.images.fit import Fitted, Unfit, fit
from workbench.harness.tools.toolbox.images.sniff import SNIFFED_BYTES, ImageType, sniff
from workbench.harness.tools.toolbox.in_thread import Check, in_thread
from workbench.harness.tools.toolbox.limits import (
    IMAGE_FILE_BYTES,
    IMAGE_PIXELS,
    IMAGE_SIDE,
    MAX_BYTES,
    MAX_LINES,
    MEBIBYTE,
    WEBP_PIXELS,
)
from workbench.harness.tools.toolbox.opening import fail, regular_file
from workbench.harness.tools.toolbox.paths import existing, resolve, shown
from workbench.harness.tools.toolbox.prepare import number_in, path_in, take_file_path, whole_number
from workbench.harness.tools.toolbox.text_page import text_page

_KB = MAX_BYTES // 1024

DESCRIPTION = f"""\
Look at one file of this machine: the text in it, or the image. Prefer this to cat, head or sed in bash.

path is relative to the working directory, or absolute. Directories (list them with ls), pipes, sockets and devices \
are not read, nor the variables and the memory of a process in /proc.

Text comes as it stands in the file, without line numbers. One answer holds at most {MAX_LINES} lines or {_KB}KB of \
it, whichever is reached first, and always whole lines. When lines are left, the last line of the answer stands in \
brackets and names the offset to go on with: call again with that offset. Go on until an answer has no such line \
before you judge, summarise or rewrite a file as a whole. To look at one part of a large file, give offset, the first \
line you want, counted from 1, and limit, the most lines you want. A line that is longer than {_KB}KB is not given: \
the answer says how long it is, and the bash command that shows its beginning; go on with the offset after it. Bytes \
that are not UTF-8 come as U+FFFD.

Images (jpg, png, gif, webp, bmp) are recognised by their content, never by their name, and come as an attachment that \
you see; offset and limit have no meaning for them. One with a side over {IMAGE_SIDE} pixels is scaled down, and the \
answer gives the factor for its coordinates, or one for x and one for y. A bmp becomes a png. An image is left out, \
and the answer says why, if it is damaged, if its file has more than {IMAGE_FILE_BYTES // MEBIBYTE} MiB, or if it has \
more than {IMAGE_PIXELS // 10**6} million pixels (a webp {WEBP_PIXELS // 10**6} million). An animated \
png is given as text."""


class Parameters(Struct, frozen=True, kw_only=True):
    """What `read` is asked for."""

    path: Annotated[str, Meta(description="The file to read, relative to the working directory or absolute")]
    offset: Annotated[float, Meta(description="The first line to read, counted from 1; 1 if absent")] | UnsetType = (
        UNSET
    )
    limit: (
        Annotated[float, Meta(description="The most lines to read; to the end of the page if absent")] | UnsetType
    ) = UNSET


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """Read a page of a text file, or an image.

    Raises:
        HarnessError: `not_found`, `refused`, `bad_input` or `failed` for what cannot be read; `cancelled`.
    """
    signal.check()
    first = max(1, whole_number(params.offset, "offset") or 1)
    limit = whole_number(params.limit, "limit")
    if limit is not None and limit < 0:
        raise HarnessError("bad_input", f"limit is {limit}. It counts lines: give 0 or more, or leave it out.")

    def work(check: Check) -> ToolAnswer:
        path = existing(resolve(params.path, ctx.cwd))
        _check_kept(path)
        check()
        with regular_file(path) as descriptor:
            try:
                kind = sniff(os.pread(descriptor, SNIFFED_BYTES, 0))
                if kind is not None:
                    return _image(descriptor, kind, ctx, check)
                page = text_page(descriptor, first, limit, _for_shell(params.path, path, ctx.cwd), check)
            except OSError as error:
                fail(error, "read", path)
        return ToolAnswer.of(page.text, page.details)

    return await in_thread(signal, work)


def _check_kept(path: Path) -> None:
    """Say of the saved output of a command that is not there any more why it is not."""
    if not os.path.lexists(path):
        from workbench.harness.tools.toolbox.saved import gone

        words = gone(path)
        if words is not None:
            raise HarnessError("not_found", words)


def _for_shell(given: str, path: Path, cwd: Path) -> str:
    """The path as a shell in the working directory takes it: as it was given, where the two mean the same file."""
    means_the_same = os.path.normpath(os.path.join(cwd, given)) == str(path)
    return shown(shlex.quote(given if means_the_same and not given.startswith("-") else str(path)))


def _image(descriptor: int, kind: ImageType, ctx: HostContext, check: Check) -> ToolAnswer:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        fitted = fit(file, kind, check)
    if isinstance(fitted, Unfit):
        lines = [f"Read image file [{kind}]", f"[Image omitted: {fitted.why}]"]
    else:
        lines = [f"Read image file [{fitted.mime_type}]", *_hints(fitted, kind)]
    if ctx.takes_images is False:
        lines.append("[Current model does not support images. The image will be omitted from this request.]")
    text = TextBlock("\n".join(lines))
    if isinstance(fitted, Unfit):
        return ToolAnswer((text,))
    return ToolAnswer((text, ImageBlock(fitted.data, fitted.mime_type, fitted.width, fitted.height)))


def _hints(fitted: Fitted, kind: ImageType) -> list[str]:
    hints: list[str] = []
    if kind == "image/bmp":
        hints.append(f"[Image converted from image/bmp to {fitted.mime_type}.]")
    if fitted.rescaled:
        width, height = fitted.original
        across, down = f"{width / fitted.width:.2f}", f"{height / fitted.height:.2f}"
        # Rounded to whole pixels, a very short side is scaled otherwise than the long one.
        factor = across if across == down else f"{across} (x) and {down} (y)"
        hints.append(
            f"[Image: original {width}x{height}, displayed at {fitted.width}x{fitted.height}. "
            f"Multiply coordinates by {factor} to map to original image.]"
        )
    return hints


def render_call(input: Any) -> Line:
    """The file, and the lines of it where they were asked for."""
    spans = [Span("read", "name"), Span(" "), Span(path_in(input), "path")]
    first, limit = number_in(input, "offset"), number_in(input, "limit")
    if first is not None or limit is not None:
        begin = max(1, first or 1)
        lines = f"{begin}-{begin + limit - 1}" if limit is not None and limit > 0 else str(begin)
        spans.append(Span(f":{lines}", "number"))
    return tuple(spans)


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """The lines of the file and what was said about them, or the picture and what was said about it."""
    if result.error is not None:
        return (Words(result.error, "error"),)
    pictures = tuple(_picture(block) for block in result.content if block.get("type") == "image")
    if pictures:
        return (*pictures, Words(result.text))
    text, notice = _parted(result.text)
    drawn: list[Drawn] = []
    if text:
        path = path_in(input)
        drawn.append(Code(text, path, max(1, number_in(input, "offset") or 1)))
    if notice:
        drawn.append(Words(notice))
    return tuple(drawn) or (Words("The file is empty."),)


_NOTICE = re.compile(
    r"\[(?:Showing lines \d+-\d+ of \d+(?: \([\d.]+KB limit\))?\. Use offset=\d+ to continue\."
    r"|\d+ more lines in file\. Use offset=\d+ to continue\.)\]"
)
_WHOLE_NOTICE = re.compile(r"\[Line \d+ is [^\n]+ \| head -c \d+\]|Read image file \[image/[a-z]+\](?:\n\[[^\n]+\])+")


def _parted(text: str) -> tuple[str, str]:
    """The lines of the file, and the notice after them."""
    if _WHOLE_NOTICE.fullmatch(text):
        return "", text
    content, between, last = text.rpartition("\n\n")
    return (content, last) if between and _NOTICE.fullmatch(last) else (text, "")


def _picture(block: Any) -> Picture:
    width, height, size = (number_in(block, key) or 0 for key in ("width", "height", "bytes"))
    return Picture(text_of(block, "mimeType"), width, height, size)


READ = HostTool(
    name="read",
    label="Read",
    summary="Look at a file of this machine: its text page by page, or an image.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:read",
    execution_mode="parallel",
    execute=execute,
    prepare_arguments=take_file_path,
    render_call=render_call,
    render_result=render_result,
)
"""The tool."""

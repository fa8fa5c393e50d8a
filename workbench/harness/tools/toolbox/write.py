"""`write`: make a file, or replace all of one."""

from __future__ import annotations

import errno
import stat
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from workbench.harness.errors import HarnessError
from workbench.harness.text import size
from workbench.harness.tools.toolbox.drawn import Code, Drawn, Line, Span, Words, text_of
from workbench.harness.tools.toolbox.host_tool import (
    ABORTED,
    HostContext,
    HostTool,
    OnUpdate,
    Result,
    Signal,
    ToolAnswer,
)
from workbench.harness.tools.toolbox.links import Way
from workbench.harness.tools.toolbox.locks import carried_out, in_turn
from workbench.harness.tools.toolbox.paths import resolve
from workbench.harness.tools.toolbox.prepare import path_in, take_file_path
from workbench.harness.tools.toolbox.system_words import kind_of, system_failure
from workbench.harness.tools.toolbox.target import target_of
from workbench.harness.tools.toolbox.writing import sound, write_whole

DESCRIPTION = """\
Write a file: makes it, or replaces everything that was in it. Use it for new files and for complete rewrites; to \
change parts of a file use edit, which needs less and keeps the rest. Folders that are missing above the file are \
made. The content is written exactly as given, in UTF-8: no newline is added at the end, no line ending is changed. \
The file is replaced in one step, so that it holds the old content or the new and nothing between; where it has \
several hard links, or its folder cannot be written, it is written in place. Its mode is kept, and a symbolic link is \
written through and stays a link. Folders, pipes and devices are refused, and so are the Space and the folder of the \
owner's answers. Writes and edits of one file take effect in the order of the calls. The answer gives the number of \
bytes written."""


class Parameters(Struct, frozen=True, kw_only=True):
    """A file and all that is to be in it."""

    path: Annotated[str, Meta(description="The file to write, relative to the working directory or absolute")]
    content: Annotated[str, Meta(description="All of the file's new content, as it is to be on disk")]


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """Write a file.

    Raises:
        HarnessError: `refused`, `bad_input`, `not_found` or `failed` for what cannot be written; `cancelled`, which
            says whether it had been written.
    """
    signal.check()
    given = sound(params.path)
    path = resolve(given, ctx.cwd)
    try:
        async with in_turn(path, signal) as way:
            signal.check()
            written = await carried_out(lambda own: _write(way, given, params.content, ctx, own), signal)
    except OSError as error:
        raise system_failure(error, "open", path) from error
    if signal.aborted:
        raise HarnessError("cancelled", f"{ABORTED}. {given} had been written by then.")
    return ToolAnswer.of(f"Successfully wrote {written} bytes to {given}")


def _write(way: Way, given: str, content: str, ctx: HostContext, signal: Signal) -> int:
    with target_of(way, ctx.guarded) as target:
        if target.before is not None:
            mode = target.before.st_mode
            if stat.S_ISDIR(mode):
                note = ". It is a folder: name a file in it."
                raise system_failure(IsADirectoryError(errno.EISDIR, ""), "open", way.path, note)
            if kind := kind_of(mode):
                raise HarnessError("refused", f"{given} is {kind}. write makes and replaces regular files only.")
        data = sound(content).encode()
        signal.check()
        target.make_folders()
        signal.check()
        write_whole(target, data, signal)
        return len(data)


def render_call(input: Any) -> Line:
    """The file, and how much is to be in it."""
    content = text_of(input, "content")
    # A newline ends a line and starts none.
    lines, count = content.count("\n") + (content[-1:] not in ("", "\n")), size(content)
    amount = f"{lines:,} {'line' if lines == 1 else 'lines'}, {count:,} {'byte' if count == 1 else 'bytes'}"
    return (
        Span("write", "name"),
        Span(" "),
        Span(path_in(input), "path"),
        Span(f" {amount}", "number"),
    )


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """What was written, and what was said about it."""
    if result.error is not None:
        return (Words(result.error, "error"),)
    path = path_in(input)
    return (Code(text_of(input, "content"), path), Words(result.text))


WRITE = HostTool(
    name="write",
    label="Write",
    summary="Make a file, or replace all that is in one.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:write",
    execution_mode="sequential",
    execute=execute,
    prepare_arguments=take_file_path,
    render_call=render_call,
    render_result=render_result,
)
"""The tool."""

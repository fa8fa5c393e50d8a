"""`hand`: the owner's own use of a tool of the toolbox, on this machine, now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from workbench.cli import output
from workbench.cli.face import Json, SpaceDir, face_of

if TYPE_CHECKING:
    from workbench.harness.door.doing import Done
    from workbench.harness.errors import HarnessError
    from workbench.harness.harness import Harness


def hand(
    ctx: typer.Context,
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="read, write, edit, bash, grep, find or ls.")],
    input: Annotated[
        str, typer.Argument(metavar="INPUT-JSON", help="Its input, a JSON object; - reads it from standard input.")
    ] = "{}",
    cwd: Annotated[
        str | None, typer.Option("--cwd", metavar="DIR", help="Where it acts. Without it: the folder you are in.")
    ] = None,
    json: Json = False,
    space: SpaceDir = None,
) -> None:
    """Use a tool of the toolbox yourself.

    It acts on this machine, as you, and asks nobody. With --json: what a model would be given, as content, details and
    is_error. It is logged in the thread workshop.
    """
    face = face_of(ctx, json, space)

    from workbench.cli.inputs import argument, json_of
    from workbench.cli.running import acting, with_harness
    from workbench.harness.errors import HarnessError

    value = json_of(input, "INPUT-JSON")
    where = _folder(cwd)

    async def work(harness: Harness) -> tuple[Done, dict[str, Any]]:
        done = await acting(harness.hand(argument(tool), value, where))
        return done, _with_data(done.result, harness) if face.json else done.result

    try:
        done, result = with_harness(face.root(), work)
    except HarnessError as error:
        if error.seq is None:
            raise
        if not face.json:
            raise _told_apart(error) if tool == "bash" else error from None
        failed = {"content": [{"type": "text", "text": error.message}], "details": {}, "is_error": True}
        face.value(failed | {"thread": error.thread, "seq": error.seq})
        raise typer.Exit(getattr(error, "exit_code", 1)) from None
    if not face.value(
        {
            "content": result["content"],
            "details": result.get("details"),
            "is_error": False,
            "thread": done.thread,
            "seq": done.seq,
        }
    ):
        _show(result["content"])


def _folder(named: str | None) -> Path:
    """The directory to act in.

    One whose name is no UTF-8 is refused: the log names the directory of every call, and as text it could only name
    another one.
    """
    from workbench.harness.errors import HarnessError
    from workbench.harness.tools.toolbox.paths import shown

    try:
        where = Path(os.path.expanduser(named or ".")).absolute()
    except FileNotFoundError as error:
        # What the shell calls it, unless that is another folder.
        called = os.environ.get("PWD", "")
        gone = called if called and not os.path.isdir(called) else "the folder you are in"
        raise HarnessError(
            "not_found",
            f"Working directory does not exist: {shown(gone)}. Name one that is there with --cwd, as a whole path.",
        ) from error
    if not os.path.isdir(where):
        raise HarnessError("not_found", f"{shown(where)} is no directory to act in. Name one that is there with --cwd.")
    try:
        str(where).encode()
    except UnicodeEncodeError as error:
        raise HarnessError(
            "bad_input",
            f"The name of {shown(where)} is not UTF-8, and the log could not say where you acted. Name another folder "
            "with --cwd; from there, bash reaches this one.",
        ) from error
    return where


def _with_data(result: dict[str, Any], harness: Harness) -> dict[str, Any]:
    """A result with the bytes of its images, which the log keeps as blocks."""
    from base64 import b64encode

    content = [
        block if block["type"] != "image" else block | {"data": b64encode(harness.block(block["cid"])).decode("ascii")}
        for block in result["content"]
    ]
    return result | {"content": content}


def _told_apart(error: HarnessError) -> HarnessError:
    """Of a command that failed: what it printed is output, how it ended is what is said of the failure."""
    from workbench.harness.errors import HarnessError

    printed, between, ended = error.message.rpartition("\n\n")
    if not between or not ended.startswith("Command "):
        return error
    _show([{"type": "text", "text": printed}])
    told = HarnessError(error.code, ended)
    told.thread, told.seq = error.thread, error.seq
    return told


def _show(content: list[dict[str, Any]]) -> None:
    for block in content:
        if block["type"] == "text":
            text = str(block["text"])
            output.out_text(text if text.endswith("\n") or not text else text + "\n")
            if "Full output: " in text:
                output.err_line("That file went with this command; let the command itself write what you want to keep.")
        else:
            size = f"{block['width']}x{block['height']}, {block['bytes']:,} bytes"
            output.err_line(f"[{block['mimeType']}, {size}; --json has them]")

"""`workbench`: the commands, and how each of them may end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from workbench.cli import acts, checks, cost, document, hand, logs, looks, output, owner, request, show, turn
from workbench.cli.face import Face, Json, Misused, SpaceDir, face_of
from workbench.cli.launch import open_app
from workbench.harness.errors import HarnessError

FAILED = 1
MISUSED = 2

# Typer keeps its own copy of click in some versions; every error in how a command is used descends from this one.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="workbench",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)
for command in (
    owner.init,
    looks.tools,
    acts.read,
    acts.write,
    acts.call,
    looks.index,
    looks.threads,
    logs.log,
    looks.promoted,
    request.request,
    turn.run,
    document.cid,
    owner.approve,
    hand.hand,
    checks.fsck,
    checks.doctor,
    cost.cost,
    show.demo,
):
    app.command()(command)


Version = Annotated[bool, typer.Option("--version", help="Print the version and exit.")]


@app.callback(invoke_without_command=True)
def workbench(
    ctx: typer.Context,
    json: Json = False,
    space: SpaceDir = None,
    model: request.ModelName = None,
    version: Version = False,
) -> None:
    """See, author, run and trust the tools of an AI agent. Without a command: the app.

    Exit codes: 0 done, 1 a failed act (said on standard error), 2 misuse, 130 cancelled.
    """
    face = face_of(ctx, json, space)
    if version:
        from importlib.metadata import version as version_of

        found = version_of("harness-workbench")
        if not face.value({"version": found}):
            output.out_line(f"workbench {found}")
        raise typer.Exit(0)
    if ctx.invoked_subcommand is not None:
        if model is not None:
            raise Misused("Before a command --model means nothing; `run` and `request` take it behind their name.")
        return
    if face.json:
        raise Misused("--json is for commands; the app has none. See: workbench --help")
    raise typer.Exit(open_app(face.root(), model=model))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command of the command line; the process's exit code."""
    output.prepare()
    face = Face()
    try:
        code = _end(face, list(sys.argv[1:] if arguments is None else arguments))
        output.flush()
    except output.OutputLost as lost:
        if lost.quiet:
            return 128 + signal.SIGPIPE
        output.err_line(f"workbench: {lost}")
        return FAILED
    return code


def _end(face: Face, arguments: list[str]) -> int:
    """Run a command and turn whatever ends it into an exit code and, where that says something, words."""
    try:
        code = app(arguments, prog_name="workbench", standalone_mode=False, obj=face)
        return code if isinstance(code, int) else 0
    except output.OutputLost:
        raise
    except HarnessError as error:
        return _failed(face, error)
    except typer.Exit as ended:
        return ended.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return _failed(face, HarnessError("cancelled", "Cancelled."), 128 + signal.SIGINT)
    except (Misused, _UsageError) as misuse:
        words = getattr(misuse, "format_message", misuse.__str__)()
        ctx = getattr(misuse, "ctx", None)
        output.err_line(f"workbench: {words}")
        output.err_line(f"See: {ctx.command_path if ctx is not None else 'workbench'} --help")
        return MISUSED
    except Exception as defect:
        from workbench import crash

        return _failed(face, HarnessError("failed", crash.in_one_line(defect, crash.write_report(defect))))


def _failed(face: Face, error: HarnessError, code: int | None = None) -> int:
    answer = {"error": {"code": error.code, "message": error.message}, "thread": error.thread, "seq": error.seq}
    if not face.value(answer):
        output.err_line(f"workbench: {error.message}")
    return code or getattr(error, "exit_code", FAILED)

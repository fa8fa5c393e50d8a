"""`bash`: run a command on the real machine."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from workbench.harness.errors import HarnessError
from workbench.harness.tools.endings import to_the_end
from workbench.harness.tools.toolbox import saved
from workbench.harness.tools.toolbox.commands import command, environment
from workbench.harness.tools.toolbox.commands.following import Following
from workbench.harness.tools.toolbox.commands.output import NOTHING
from workbench.harness.tools.toolbox.drawn import Drawn, Line, Output, Span, Words, text_of
from workbench.harness.tools.toolbox.host_tool import HostContext, HostTool, OnUpdate, Result, Signal, ToolAnswer
from workbench.harness.tools.toolbox.in_thread import beside, done_or_aborted
from workbench.harness.tools.toolbox.limits import (
    MAX_BYTES,
    MAX_COMMAND_BYTES,
    MAX_LINES,
    MAX_SAVED_BYTES,
    MAX_TIMEOUT_SECS,
    QUIET_SECS,
)
from workbench.harness.tools.toolbox.paths import shown

ABORTED = "Command aborted"
"""What an aborted command says, below its output."""


DESCRIPTION = f"""\
Run a command with bash in the working directory. You get its stdout and stderr together, in the order in which they \
came. An exit code other than 0 is an error, which has the output too. Output is truncated to its last {MAX_LINES} \
lines or {MAX_BYTES // 1024}KB (whichever is hit first). If truncated, the full output is saved to a file that the \
answer names, up to {MAX_SAVED_BYTES // 1024**3}GB of it; look into that with read or grep. It is kept until the \
workbench ends. There is no time limit unless you give timeout, in seconds, at most {MAX_TIMEOUT_SECS}: give one for \
whatever may not end by itself. A command has at most {MAX_COMMAND_BYTES:,} bytes: write a longer one to a file and \
run that. stdin is empty, so nothing can be asked: use options such as -y. Every command has a new shell in the \
working directory: cd, variables and functions do not last, so join what belongs together with &&. Nothing that a \
command starts outlives it: when its shell has ended, background processes are ended as soon as they have printed \
nothing for {QUIET_SECS} seconds, also with nohup or setsid. A server that is to stay cannot be started this way; \
start it, use it and stop it in one command. Of the environment it has {", ".join(environment.NAMES)} and \
{environment.PREFIX}*, and what the owner's setting bash.env names; no other variables."""


class Parameters(Struct, frozen=True, kw_only=True):
    """A command and the time it may take."""

    command: Annotated[str, Meta(description="The command, as it would be given to bash -c")]
    timeout: (
        Annotated[
            float, Meta(description="Seconds after which it is ended, fractions too; there is no limit if absent")
        ]
        | UnsetType
    ) = UNSET


async def execute(
    call_id: str, params: Parameters, signal: Signal, on_update: OnUpdate, ctx: HostContext
) -> ToolAnswer:
    """Run the command.

    Raises:
        HarnessError: `failed` for an exit code other than 0, `timeout`, `cancelled`: each with the output, and what
            happened below it; `bad_input`, `not_found`, `refused`, `unavailable`: nothing ran.
    """
    signal.check(ABORTED)
    timeout = _timeout(params.timeout)
    starting = beside(lambda: _start(params.command, timeout, ctx))
    await done_or_aborted(starting, signal, lambda: None)
    signal.check(ABORTED)
    start = starting.result()
    on_update(ToolAnswer(()))
    following = Following(on_update)
    try:
        end = await command.run(start, following.take, signal)
    finally:
        await to_the_end(following.close())
    text = following.text(end.left)
    if end.how == "aborted":
        raise HarnessError("cancelled", _below(text, ABORTED))
    if end.how == "timeout":
        raise HarnessError("timeout", _below(text, f"Command timed out after {_number(params.timeout)} seconds"))
    if end.code != 0:
        by = f" (killed by {end.signal})" if end.signal is not None else ""
        raise HarnessError("failed", _below(text or NOTHING, f"Command exited with code {end.code}{by}"))
    return ToolAnswer.of(text or NOTHING, following.details())


def render_call(input: Any) -> Line:
    """The first line of the command, and the time that it is given."""
    first, *more = text_of(input, "command").strip().split("\n")
    line = [Span("$ ", "dim"), Span(first, "command")]
    if more:
        line.append(Span(" …", "dim"))
    timeout = cast("Mapping[str, Any]", input).get("timeout") if isinstance(input, Mapping) else None
    if isinstance(timeout, int | float) and not isinstance(timeout, bool):
        line.append(Span(f" (at most {_number(timeout)} s)", "dim"))
    return tuple(line)


_ENDED = re.compile(rf"(?:\A|\n\n)((?:Command (?:exited with code|timed out after) [^\n]*|{ABORTED}))\Z")
_NOTICES = re.compile(r"(?:\A|\n\n)(\[(?:Showing l|Could not be ended: )[^\n]*\])\Z")


def render_result(input: Any, result: Result, cwd: Path) -> tuple[Drawn, ...]:
    """The output, then each notice and how it ended as a sentence of its own."""
    text = result.text
    words: list[Words] = []
    if result.error is not None:
        ended = _ENDED.search(text)
        if ended is None:
            return (Words(text, "error"),)
        words.append(Words(ended[1], "error"))
        text = text[: ended.start()]
    # Of a success the details tell whether there is a notice: an output may end like one.
    if result.error is not None or result.details is not None:
        while (notice := _NOTICES.search(text)) is not None:
            words.insert(0, Words(notice[1]))
            text = text[: notice.start()]
    if text == NOTHING:
        return (Words(NOTHING), *words)
    return (Output(text), *words) if text else tuple(words)


def _start(given: str, timeout: float | None, ctx: HostContext) -> command.Start:
    """What is started; looks at the disk."""
    saved.sweep_once()
    if not os.path.lexists(ctx.cwd):
        raise command.cwd_missing(shown(ctx.cwd))
    shell = environment.find_shell(os.environb)
    if shell is None:
        raise HarnessError(
            "unavailable",
            f"spawn sh ENOENT: there is no {environment.USUAL_SHELL}, and no bash or sh on PATH. No command can run "
            "until the owner installs one.",
        )
    try:
        encoded = given.encode()
    except UnicodeEncodeError as error:
        raise HarnessError("bad_input", "A command holds no lone surrogates: it is UTF-8 text.") from error
    if b"\0" in encoded:
        raise HarnessError("bad_input", "A command holds no NUL character.")
    if len(encoded) > MAX_COMMAND_BYTES:
        raise HarnessError(
            "bad_input",
            f"The command has {len(encoded):,} bytes; at most {MAX_COMMAND_BYTES:,} can be given to a shell. "
            "Write it to a file and run that.",
        )
    variables = environment.allowed(os.environb, ctx.env_names)
    return command.Start(
        shell=shell, command=encoded, cwd=os.fsencode(ctx.cwd), environment=variables, timeout_secs=timeout
    )


def _timeout(given: float | UnsetType) -> float | None:
    if isinstance(given, UnsetType):
        return None
    if not math.isfinite(given) or given <= 0:
        raise HarnessError("bad_input", "Invalid timeout: must be a finite number of seconds")
    if given > MAX_TIMEOUT_SECS:
        raise HarnessError("bad_input", f"Invalid timeout: maximum is {_number(MAX_TIMEOUT_SECS)} seconds")
    return given


def _number(value: float | UnsetType) -> str:
    """A number as JSON writes it."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _below(text: str, words: str) -> str:
    return f"{text}\n\n{words}" if text else words


BASH = HostTool(
    name="bash",
    label="Bash",
    summary="Run a bash command on this machine and read what it printed.",
    description=DESCRIPTION,
    parameters=Parameters,
    binding="toolbox:bash",
    execution_mode="sequential",
    execute=execute,
    render_call=render_call,
    render_result=render_result,
)
"""The tool."""

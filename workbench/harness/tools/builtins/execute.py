"""`execute`: run a program in the sandbox."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import MAX_TIMEOUT_SECS
from workbench.harness.tools.context import Ran, ToolContext
from workbench.harness.tools.definition import ToolDefinition
from workbench.harness.tools.lambda_call import limits_of, permissions_of, relay
from workbench.harness.tools.lambdas.values import Job, Limits

_LIMITS = Limits()


class ExecuteInput(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A program and the language it is in."""

    runtime: Annotated[
        Literal["typescript", "python", "shell"], msgspec.Meta(description="The language of the program.")
    ]
    code: Annotated[str, msgspec.Meta(min_length=1, description="The program itself, as text.")]
    timeout_secs: (
        Annotated[
            int,
            msgspec.Meta(
                ge=1, le=MAX_TIMEOUT_SECS, description="Seconds it may take; the owner's setting if left out."
            ),
        ]
        | msgspec.UnsetType
    ) = msgspec.UNSET


EXECUTE = ToolDefinition(
    name="execute",
    summary="Run TypeScript, Python or shell code in a sandbox.",
    description=(
        "Run a program and read what it printed. It runs in a sandbox of its own: /workspace is your memory, read and "
        "write, and the folder it starts in; /tmp is empty. Each run begins fresh, everything it started ends with it, "
        "and only what it wrote to /workspace stays. Python has its standard library, TypeScript what deno has built "
        "in; shell is bash, or sh where there is no bash, with the programs of the machine's /usr. shell may start "
        f"processes, at most {_LIMITS.processes} at once with their threads. Unless the owner's settings allow it, "
        "python and typescript may start none, and there is no network. "
        f"stdout and stderr are kept up to {_LIMITS.stream_bytes // 1024} KiB each; print less and write the rest to a "
        f"file. It is stopped after timeout_secs ({int(_LIMITS.timeout_secs)} if left out, at most "
        f"{MAX_TIMEOUT_SECS}), and when it takes more than {_LIMITS.memory_mib} MiB of memory or writes more than "
        f"{_LIMITS.disk_mib} MiB, unless the owner set other limits. An exit code other than 0 is an answer, not an "
        "error: read stderr."
    ),
    parameters=ExecuteInput,
    binding="execute",
    output={
        "type": "object",
        "properties": {
            "exit_code": {"type": "integer"},
            "success": {"type": "boolean"},
            "stdout": {"type": "string"},
            "stderr": {"type": "string"},
            "truncated": {"type": "boolean"},
        },
        "required": ["exit_code", "success", "stdout", "stderr", "truncated"],
    },
)


async def run(params: ExecuteInput, context: ToolContext) -> Ran:
    """Run the program.

    Raises:
        HarnessError: `unavailable` for a runtime that is not here, `timeout` and `limit` as the sandbox found.
    """
    missing = context.callables.missing.runtimes.get(params.runtime)
    if missing:
        raise HarnessError("unavailable", f"{params.runtime} cannot run here: {missing}")
    asked = params.timeout_secs if isinstance(params.timeout_secs, int) else context.timeout_secs
    job = Job(
        runtime=params.runtime,
        kind="code",
        source=params.code,
        input=None,
        workspace=context.space.memory.root,
        limits=limits_of(context.settings, asked),
        may=permissions_of(context.settings, context.callables.missing),
    )
    outcome = await context.sandbox.run(job, relay(context.progress))
    output: dict[str, Any] = {
        "exit_code": outcome.exit_code,
        "success": outcome.exit_code == 0,
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "truncated": outcome.truncated,
    }
    return Ran(output, changed_files=outcome.changed_files)

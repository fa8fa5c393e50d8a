"""Running a stored lambda: its document becomes a job, its outcome an answer held against its output schema."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import ToolDocument
from workbench.harness.space.schema import validate
from workbench.harness.space.settings import Settings
from workbench.harness.strict_json import Json
from workbench.harness.tools.callables import Missing
from workbench.harness.tools.context import Ran, ToolContext
from workbench.harness.tools.definition import Progress as Tell
from workbench.harness.tools.lambdas.values import Job, Limits, Permissions, Progress

SHOWN_ERRORS = 10


async def run_lambda(document: ToolDocument, input: Json, context: ToolContext) -> Ran:
    """Run a lambda on an input that its schema has accepted.

    Raises:
        HarnessError: `failed` when it crashed, gave no value, or gave one that its output schema refuses; `timeout`,
            `limit` and `unavailable` as the sandbox found.
    """
    assert document.source is not None
    job = Job(
        runtime="python" if document.runtime == "python" else "typescript",
        kind="lambda",
        source=document.source,
        input=input,
        workspace=context.space.memory.root,
        limits=limits_of(context.settings, context.timeout_secs),
        may=permissions_of(context.settings, context.callables.missing),
    )
    outcome = await context.sandbox.run(job, relay(context.progress))
    unchecked: tuple[str, ...] = ()
    if document.output is not None:
        verdict = await asyncio.to_thread(validate, document.output, outcome.value)
        unchecked = verdict.unchecked
        if verdict.errors:
            shown = "; ".join(f"{problem.path}: {problem.message}" for problem in verdict.errors[:SHOWN_ERRORS])
            raise HarnessError(
                "failed", f"{document.name} returned a value that its own output schema refuses: {shown}."
            )
    logs = outcome.stdout + outcome.stderr
    return Ran(outcome.value, logs, outcome.changed_files, unchecked)


def limits_of(settings: Settings, timeout_secs: int | None) -> Limits:
    """The limits of one run: the owner's, with the time that the caller asked for."""
    return Limits(
        timeout_secs=timeout_secs or settings.timeout_secs,
        memory_mib=settings.memory_mib,
        disk_mib=settings.disk_mib,
    )


def permissions_of(settings: Settings, missing: Missing) -> Permissions:
    """What the owner lets one run do beyond the usual; processes only where their number has a bound."""
    return Permissions(network=settings.network, processes=settings.processes and missing.processes is None)


def relay(tell: Tell) -> Callable[[Progress], None]:
    """Pass the sandbox's progress on to whoever listens to the call."""
    return lambda progress: tell(progress.stage, progress.tail)

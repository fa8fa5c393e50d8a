"""The seam between the tools and what runs their code, so that a Space can be opened on a machine without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from workbench.harness.tools.lambdas.availability import Availability
    from workbench.harness.tools.lambdas.values import Job, Outcome, Progress


class Sandbox(Protocol):
    """Runs a lambda or a program, confined; and knows whether it can."""

    async def probe(self) -> Availability:
        """What can run here, and for what cannot, why."""
        ...

    async def run(self, job: Job, on_progress: Callable[[Progress], None] | None = None) -> Outcome:
        """Run one job in a process of its own. Raises HarnessError as the job ends badly."""
        ...


class Bubblewrap:
    """The one real sandbox: bubblewrap around CPython or deno. It is loaded when it is first asked something."""

    async def probe(self) -> Availability:
        """What works on this machine; found out once a process."""
        from workbench.harness.tools.lambdas import ahead

        known = await ahead.found()
        if known is not None:
            return known
        from workbench.harness.tools.lambdas.probe import probe

        return await probe()

    async def run(self, job: Job, on_progress: Callable[[Progress], None] | None = None) -> Outcome:
        """Run one job. Call it from the event loop's own thread."""
        from workbench.harness.tools.lambdas import sandbox

        return await sandbox.run(job, on_progress)

"""How shell programs are confined and started."""

from __future__ import annotations

import resource

from workbench.harness.tools.lambdas import bootstrap, interpreters, seccomp
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.values import Job

MIB = 1024 * 1024
SOURCE = f"{bootstrap.FOLDER}/main.sh"


def profile(job: Job) -> Profile:
    """The confinement of `job`. Raises HarnessError `unavailable` where a shell or a system call filter is missing."""
    interpreter = interpreters.shell()
    boot = f"{bootstrap.FOLDER}/boot.sh"
    return Profile(
        command=(interpreter.path, boot, interpreter.path),
        seccomp=seccomp.program(processes=True, network=job.may.network),
        resident_mib=job.limits.memory_mib,
        files=((boot, bootstrap.program("boot.sh")), (SOURCE, job.source.encode())),
        environment={"PATH": "/usr/local/bin:/usr/bin:/bin"},
        # Data, not address space, of which many programs reserve far more than they use. It bounds each process; what
        # they hold together is watched.
        resources={resource.RLIMIT_DATA: job.limits.memory_mib * MIB},
        network=job.may.network,
        processes=True,
    )

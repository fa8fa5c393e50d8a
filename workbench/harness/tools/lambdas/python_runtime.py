"""How Python calls are confined and started."""

from __future__ import annotations

import resource

from workbench.harness.tools.lambdas import bootstrap, interpreters, seccomp
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.values import Job

MIB = 1024 * 1024
SOURCE = f"{bootstrap.FOLDER}/main.py"


def profile(job: Job, channel_fd: int) -> Profile:
    """The confinement of `job`, whose result is written to the descriptor `channel_fd`.

    Raises HarnessError `unavailable` where the interpreter or a system call filter is missing.
    """
    interpreter = interpreters.python()
    boot = f"{bootstrap.FOLDER}/boot.pyc"
    return Profile(
        # Isolated and without `site`: no variables, no user folders, no installed packages.
        command=(interpreter.path, "-I", "-S", boot, str(channel_fd), SOURCE),
        seccomp=seccomp.program(processes=job.starts_processes, network=job.may.network),
        resident_mib=job.limits.memory_mib,
        folders=interpreter.folders,
        hidden=interpreter.hidden,
        files=((boot, bootstrap.compiled("boot.py")), (SOURCE, job.source.encode())),
        # A thread would otherwise reserve address space by the 64 MiB, and address space is what is limited.
        environment={"MALLOC_ARENA_MAX": "1"},
        # Address space, not data: only it counts shared mappings too.
        resources={resource.RLIMIT_AS: job.limits.memory_mib * MIB},
        network=job.may.network,
        processes=job.starts_processes,
    )

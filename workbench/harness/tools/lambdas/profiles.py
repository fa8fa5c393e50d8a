"""How each kind of call is confined, and the limits of the kernel that all of them have."""

from __future__ import annotations

import os
import resource
from functools import cache

from workbench.harness.tools.lambdas import python_runtime, shell_runtime, typescript_runtime
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.changes import Snapshot
from workbench.harness.tools.lambdas.values import Job, Limits
from workbench.harness.tools.lambdas.watchdog import SLACK_BYTES, largest_file

_MIB = 1024 * 1024
_OPEN_FILES, _OPEN_FILES_OF_SEVERAL = 512, 256


def of(job: Job, channel_fd: int) -> Profile:
    """The confinement of `job`, whose result channel is the descriptor `channel_fd` where it can be one.

    Raises HarnessError `unavailable` where its interpreter or a system call filter is missing.
    """
    match job.runtime:
        case "python":
            return python_runtime.profile(job, channel_fd)
        case "typescript":
            return typescript_runtime.profile(job)
        case "shell":
            return shell_runtime.profile(job)


def common_resources(job: Job, before: Snapshot) -> dict[int, int]:
    """Limits of the kernel that all runtimes have, by their `resource.RLIMIT_*` number."""
    return {
        resource.RLIMIT_FSIZE: largest_file(job.limits, before),
        # What a descriptor stands for can hold memory of the kernel, and each process has as many.
        resource.RLIMIT_NOFILE: _OPEN_FILES_OF_SEVERAL if job.starts_processes else _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }


def tmp_bytes(limits: Limits) -> int:
    """How large /tmp is. It lies in memory: the machine must stay well also when the owner gives much disk."""
    return min(limits.disk_mib * _MIB + SLACK_BYTES, _half_the_memory())


@cache
def _half_the_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2

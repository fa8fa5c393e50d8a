"""How many processes a call may have, and what of the kernel holds it to that.

For an ordinary user it is the limit on the number of processes: counted in the sandbox's own user namespace, so that
what the user runs besides has no part in it (Linux 5.14 and newer). For root that limit does not hold; there it is a
control group. `probe` tries whether it holds.
"""

from __future__ import annotations

import asyncio
import os
import resource
from pathlib import Path

from workbench.harness.tools.lambdas.control_groups import ControlGroup


class ProcessRoom:
    """The room of one call for `most` processes. Raises HarnessError `unavailable` where it would have no bound."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._group = ControlGroup() if _is_root() else None

    def resources(self, pid: int) -> dict[int, int]:
        """The limits of the kernel for the call's first process, by their `resource.RLIMIT_*` number."""
        # Bubblewrap's own process is in the namespace too.
        return {resource.RLIMIT_NPROC: self._tasks(pid) + 1}

    async def take_in(self, pid: int) -> None:
        """Bound the call's first process, and with it everything that it starts, before its own code runs."""
        if self._group is not None:
            # The kernel waits for every processor meanwhile: not in the loop's thread.
            await asyncio.to_thread(self._group.take_in, pid, self._tasks(pid))

    def close(self) -> None:
        """Nothing of the call runs any more."""
        if self._group is not None:
            self._group.close()

    def _tasks(self, pid: int) -> int:
        """Processes and threads at most: an interpreter's own threads, which live as long as the call, come on top."""
        try:
            own = len(os.listdir(f"/proc/{pid}/task"))
        except OSError:
            own = 1
        return self._most + max(own, 1) - 1


def _is_root() -> bool:
    """Whether the kernel sees root in this user: uid 0 inside a namespace is somebody else outside."""
    if os.geteuid() != 0:
        return False
    try:
        inside, outside, _ = Path("/proc/self/uid_map").read_text().splitlines()[0].split()
    except (OSError, ValueError, IndexError):
        return True
    return (inside, outside) == ("0", "0")

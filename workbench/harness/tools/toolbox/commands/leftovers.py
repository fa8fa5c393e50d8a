"""What is left of a command whose supervisor was killed by it: looked for in the list of processes, and killed.

The supervisor is what makes sure that nothing stays, and one of its two processes is enough for that. A command can
kill both, since all are of one user; its shell dies with them. Here go the others of its session and whatever still
holds its output.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

_END_SECS = 5.0


def end_session(session: int, output: int) -> None:
    """Kill the processes of a session, and those that hold the pipe with this inode. Not for the event loop's thread.

    It looks again until there are none, for some seconds at most.
    """
    until = time.monotonic() + _END_SECS
    while (found := _find(session, output)) and time.monotonic() < until:
        for pid in found:
            with contextlib.suppress(OSError):
                handle = os.pidfd_open(pid)
                try:
                    # Once more, now that the handle holds on to this very process.
                    if _belongs(pid, session, output):
                        signal.pidfd_send_signal(handle, signal.SIGKILL)
                finally:
                    os.close(handle)


def _find(session: int, output: int) -> list[int]:
    numbers = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [pid for pid in numbers if pid != os.getpid() and _belongs(pid, session, output)]


def _belongs(pid: int, session: int, output: int) -> bool:
    with contextlib.suppress(OSError, IndexError):
        with open(f"/proc/{pid}/stat", "rb") as listing:
            state, _, _, its_session = listing.read().rpartition(b")")[2].split()[:4]
        if state != b"Z":
            return int(its_session) == session or _holds(pid, output)
    return False


def _holds(pid: int, output: int) -> bool:
    folder = f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):
            if os.readlink(f"{folder}/{name}") == f"pipe:[{output}]":
                return True
    return False

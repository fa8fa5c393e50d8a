"""What can be left when the workbench is killed: folders in the system's temporary one, and a process that never began.

Bubblewrap's inner process waits for a word of its outer one before it does anything, and is not yet bound to it. If the
outer one dies just then, with the workbench, the inner one waits for ever: it has run nothing of the call and never
will, but it is there. The next workbench takes it away.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

from workbench.harness.tools.lambdas import control_groups

PROCESS_NAME = "workbench-sandbox"
"""What the processes of bubblewrap are called here (their `argv[0]`), so that they can be told from anybody else's."""


_FOLDER = re.compile(r"workbench-[a-z]+-(\d+)-")


def folder(what: str) -> str:
    """Make a folder for the life of a call. Its name says which process's it is, for a sweep when that is gone."""
    return tempfile.mkdtemp(prefix=f"workbench-{what}-{os.getpid()}-")


@contextlib.contextmanager
def folder_for_a_while(what: str) -> Generator[str]:
    """A folder that goes away at the end."""
    path = folder(what)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def sweep() -> None:
    """Take away what workbenches of this user that are gone left."""
    sweep_folders()
    sweep_processes()
    control_groups.sweep()


def sweep_folders() -> None:
    """Remove this user's folders of processes that are gone."""
    with os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            found = _FOLDER.match(entry.name)
            with contextlib.suppress(OSError):
                ours = found is not None and entry.stat(follow_symlinks=False).st_uid == os.getuid()
                if ours and found is not None and not Path("/proc", found[1]).exists():
                    shutil.rmtree(entry.path, ignore_errors=True)


def sweep_processes() -> int:
    """Kill every inner process of this user whose outer one is gone; answers how many there were.

    Calls that run, of this workbench or another, have their outer process and are not touched. It looks at every
    process of the machine: not for the event loop's thread.
    """
    swept = 0
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError):
            if entry.stat().st_uid == os.getuid() and _is_ours(entry.name) and _first_in_namespace(entry.name):
                handle = os.pidfd_open(int(entry.name))
                try:
                    # Looked at once more, now that the handle holds on to this very process.
                    if _is_ours(entry.name) and not _is_ours(_parent(entry.name)):
                        signal.pidfd_send_signal(handle, signal.SIGKILL)
                        swept += 1
                finally:
                    os.close(handle)
    return swept


def _is_ours(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().startswith(PROCESS_NAME.encode() + b"\0")
    except FileNotFoundError:
        return False


def _first_in_namespace(pid: str) -> bool:
    numbers = _status(pid, "NSpid").split()
    return len(numbers) > 1 and numbers[-1] == "1"


def _parent(pid: str) -> str:
    return _status(pid, "PPid")


def _status(pid: str, field: str) -> str:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return value.strip()
    return ""

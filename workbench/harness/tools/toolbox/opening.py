"""Opening a file that is to be read: only a regular one, looked at before it is opened and again afterwards.

Opening alone may act: a pipe waits for its other end, a tape winds back. The system's own words come first in what is
said about a failure, as every program on the machine says them.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.links import way_of
from workbench.harness.tools.toolbox.paths import shown
from workbench.harness.tools.toolbox.system_words import NO_NAME, kind_of, system_failure

_HINTS = {
    errno.ENOENT: "Find out what there is with ls or find.",
    errno.ENOTDIR: "A part of the path before its last is a file.",
    errno.EACCES: "The owner of this workbench may not read it.",
    errno.EPERM: "The owner of this workbench may not read it.",
    errno.ELOOP: "Links lead in a circle, or too many of them to one another.",
    errno.ENAMETOOLONG: "Give a shorter path.",
}

_INSIDE_A_PROCESS = re.compile(r"/proc/\d+/(?:task/\d+/)?(?:environ|mem)\Z")
_PROCESSES = re.compile(r"/proc(?:/\d+(?:/task(?:/\d+)?)?)?\Z")


def refuse_inside_a_process(real: str, path: Path) -> None:
    """Refuse what the system shows of a process itself, the workbench among them: with its variables go its secrets.

    `real` is the path with links resolved.

    Raises:
        HarnessError: `refused`.
    """
    if _INSIDE_A_PROCESS.match(real):
        raise HarnessError(
            "refused",
            f"{shown(path)} shows the variables or the memory of a process, and secrets of the owner may be among "
            "them. It was not read.",
        )


def refuse_processes(real: str, path: Path) -> None:
    """Refuse a search for content in the folders of processes. `real` is the path with links resolved.

    Raises:
        HarnessError: `refused`.
    """
    if _PROCESSES.match(real):
        raise HarnessError(
            "refused",
            f"{shown(path)} shows processes, not files: some of it has no end, and secrets of the owner may be in it. "
            "Name the one file in it that is to be searched.",
        )


@contextmanager
def regular_file(path: Path) -> Generator[int]:
    """Open a regular file for reading, links followed: its descriptor, closed in the end.

    Raises:
        HarnessError: `not_found` where there is none; `refused` for a directory, for what is no file at all and for
            the inside of a process, before it is opened; any of these, `bad_input` or `failed` with what the system
            says.
    """
    try:
        _check_regular(path, os.stat(path))
        refuse_inside_a_process(str(way_of(path).real), path)
        # Not to wait, and not to be given a terminal, even if the name has become another thing since.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        fail(error, "access", path)
    except ValueError as error:
        raise HarnessError("bad_input", NO_NAME) from error
    try:
        _check_regular(path, os.fstat(descriptor))
        yield descriptor
    finally:
        os.close(descriptor)


def fail(error: OSError, act: str, path: Path) -> NoReturn:
    """Raise what the system said about a path, and what to do about it, as HarnessError."""
    hint = _HINTS.get(error.errno or 0)
    raise system_failure(error, act, path, f". {hint}" if hint else "") from error


def _check_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    if stat.S_ISDIR(status.st_mode):
        raise HarnessError(
            "refused", f"EISDIR: illegal operation on a directory, read. {shown(path)} is a directory: list it with ls."
        )
    kind = kind_of(status.st_mode)
    raise HarnessError("refused", f"{shown(path)} is {kind}. Only regular files are read; it was not opened.")

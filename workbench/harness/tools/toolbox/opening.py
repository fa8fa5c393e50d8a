"""Opening a file that is to be read: only a regular one, looked at before it is opened and again afterwards.

Opening alone may act: a pipe waits for its other end, a tape winds back. The system's own words come first in what is
said about a failure, as every program on the machine says them.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.paths import shown

_KINDS = (
    (stat.S_ISFIFO, "a pipe (FIFO)"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)

_WORDS = {
    errno.ENOENT: ("not_found", "no such file or directory", "Find out what there is with ls or find."),
    errno.ENOTDIR: ("not_found", "not a directory", "A part of the path before its last is a file."),
    errno.EACCES: ("failed", "permission denied", "The owner of this workbench may not read it."),
    errno.EPERM: ("failed", "operation not permitted", "The owner of this workbench may not read it."),
    errno.ELOOP: ("failed", "too many symbolic links encountered", "Links lead in a circle."),
    errno.ENAMETOOLONG: ("bad_input", "name too long", "Give a shorter path."),
}


@contextmanager
def regular_file(path: Path) -> Generator[int]:
    """Open a regular file for reading, links followed: its descriptor, closed in the end.

    Raises:
        HarnessError: `not_found` where there is none; `refused` for a directory and for what is no file at all, before
            it is opened; `bad_input` and `failed` with what the system says.
    """
    try:
        _check_regular(path, os.stat(path))
        # Not to wait, and not to be given a terminal, even if the name has become another thing since.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        fail(error, "access", path)
    except ValueError as error:
        raise HarnessError("bad_input", "The path holds characters that no file's name has.") from error
    try:
        _check_regular(path, os.fstat(descriptor))
        yield descriptor
    finally:
        os.close(descriptor)


def fail(error: OSError, act: str, path: Path) -> NoReturn:
    """Raise what the system said about a path, and what to do about it, as HarnessError."""
    name = errno.errorcode.get(error.errno or 0, "EIO")
    code, words, hint = _WORDS.get(error.errno or 0, ("failed", (error.strerror or "input/output error").lower(), ""))
    message = f"{name}: {words}, {act} '{shown(path)}'"
    if hint:
        message += f". {hint}"
    match code:
        case "not_found" | "bad_input":
            raise HarnessError(code, message) from error
        case _:
            raise HarnessError("failed", message) from error


def _check_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    if stat.S_ISDIR(status.st_mode):
        raise HarnessError(
            "refused", f"EISDIR: illegal operation on a directory, read. {shown(path)} is a directory: list it with ls."
        )
    kind = next((words for is_kind, words in _KINDS if is_kind(status.st_mode)), "no file")
    raise HarnessError("refused", f"{shown(path)} is {kind}. Only regular files are read; it was not opened.")

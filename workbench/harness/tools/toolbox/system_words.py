"""What the system says about a path, in the words that every program of a machine uses, and what things there are."""

from __future__ import annotations

import errno
import os
import stat

from workbench.harness.errors import Code, HarnessError
from workbench.harness.tools.toolbox.paths import shown

NO_NAME = "The path holds characters that no file's name has."
"""Said of a path that the system does not even take as one."""

_CODES: dict[int, Code] = {
    errno.ENOENT: "not_found",
    errno.ENOTDIR: "not_found",
    errno.EACCES: "refused",
    errno.EPERM: "refused",
    errno.EROFS: "refused",
    errno.EISDIR: "refused",
    errno.ENAMETOOLONG: "bad_input",
}
_WORDS = {
    errno.EISDIR: "illegal operation on a directory",
    errno.EEXIST: "file already exists",
    errno.ELOOP: "too many symbolic links encountered",
    errno.ENAMETOOLONG: "name too long",
}
_KINDS = (
    (stat.S_ISFIFO, "a pipe (FIFO)"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def system_failure(error: OSError, doing: str, path: str | os.PathLike[str], note: str = "") -> HarnessError:
    """What the system said, as one line that begins with its code: `ENOSPC: no space left on device, write '/x'`.

    `note` is what is to be done about it; it follows as it is.
    """
    number = error.errno or 0
    name = errno.errorcode.get(number, "EIO")
    words = _WORDS.get(number) or (os.strerror(number) if number else error.strerror or "input/output error").lower()
    return HarnessError(code_of(error), f"{name}: {words}, {doing} '{shown(path)}'{note}")


def code_of(error: OSError) -> Code:
    """The kind of failure that an error of the system is."""
    return _CODES.get(error.errno or 0, "failed")


def kind_of(mode: int) -> str | None:
    """What a thing is that is neither a regular file nor a folder, None for these two."""
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    return next((words for is_it, words in _KINDS if is_it(mode)), "no file")

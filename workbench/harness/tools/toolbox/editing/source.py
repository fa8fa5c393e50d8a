"""The text of a file that is to be edited, or why it cannot be."""

from __future__ import annotations

import errno
import os
import stat

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.limits import EDIT_FILE_BYTES, MEBIBYTE
from workbench.harness.tools.toolbox.system_words import code_of, kind_of
from workbench.harness.tools.toolbox.target import Target


def bytes_of(target: Target, given: str) -> bytes:
    """The bytes of a file that can be edited.

    `given` is what a message calls it.

    Raises:
        OSError: where it is missing, or not to be read and written.
        HarnessError: where it is no regular file, or too large.
    """
    if target.before is None:
        raise target.failure or FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    # Looked at before it is opened: opening a pipe waits for its other end, opening a device may act.
    if stat.S_ISDIR(target.before.st_mode):
        raise HarnessError(
            "refused", f"EISDIR: illegal operation on a directory, read. {given} is a folder; edit changes files."
        )
    if kind := kind_of(target.before.st_mode):
        raise HarnessError("refused", f"{given} is {kind}. edit changes regular files only.")
    if not target.permitted(os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with open(target.open(os.O_RDONLY), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if size > EDIT_FILE_BYTES:
            raise HarnessError(
                "limit",
                f"{given} has {size:,} bytes; edit takes files of at most {EDIT_FILE_BYTES:,} "
                f"({EDIT_FILE_BYTES // MEBIBYTE} MiB). Change it with bash, for example with sed -i.",
            )
        return file.readall()


def not_edited(error: OSError, given: str) -> HarnessError:
    """What is said where the system does not let a file be read and written."""
    code = errno.errorcode.get(error.errno or 0)
    what = f"Error code: {code}." if code else str(error)
    return HarnessError(code_of(error), f"Could not edit file: {given}. {what}")


def text_in(data: bytes, given: str) -> str:
    """The text that bytes are.

    Raises:
        HarnessError: `refused` where they are not valid UTF-8: what cannot be decoded could not be written back.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise HarnessError(
            "refused",
            f"{given} is not valid UTF-8: byte {error.start + 1:,} is 0x{data[error.start]:02x}. Editing it as text "
            "would damage it, so it was left as it is. Change it with bash, or convert it to UTF-8 first.",
        ) from error

"""The text of a file that is to be edited, or why it cannot be."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.limits import EDIT_FILE_BYTES, MEBIBYTE
from workbench.harness.tools.toolbox.system_words import code_of, kind_of
from workbench.harness.tools.toolbox.writing import permitted


def bytes_of(real: Path, given: str) -> bytes:
    """The bytes of a file that can be edited.

    `given` is what a message calls it.

    Raises:
        HarnessError: where it is missing, no regular file, too large, or not to be read and written.
    """
    try:
        # Looked at before it is opened: opening a pipe waits for its other end, opening a device may act.
        _refuse_kind(os.stat(real).st_mode, given)
        if not permitted(real, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, "")
        handle = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb", buffering=0) as file:
            found = os.fstat(handle)
            _refuse_kind(found.st_mode, given)
            if found.st_size > EDIT_FILE_BYTES:
                raise HarnessError(
                    "limit",
                    f"{given} has {found.st_size:,} bytes; edit takes files of at most {EDIT_FILE_BYTES:,} "
                    f"({EDIT_FILE_BYTES // MEBIBYTE} MiB). Change it with bash, for example with sed -i.",
                )
            return file.readall()
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0)
        what = f"Error code: {code}." if code else str(error)
        raise HarnessError(code_of(error), f"Could not edit file: {given}. {what}") from error


def _refuse_kind(mode: int, given: str) -> None:
    if stat.S_ISDIR(mode):
        raise HarnessError(
            "refused", f"EISDIR: illegal operation on a directory, read. {given} is a folder; edit changes files."
        )
    if kind := kind_of(mode):
        raise HarnessError("refused", f"{given} is {kind}. edit changes regular files only.")


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

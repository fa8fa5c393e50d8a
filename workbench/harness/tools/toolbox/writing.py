"""Putting bytes into a file so that it holds the old ones or the new ones, and never a part of them."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.system_words import system_failure
from workbench.harness.tools.toolbox.target import Target

# What says that this file cannot be replaced by another one, though perhaps it can be written.
_NOT_REPLACED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)
_KEPT_ATTRIBUTES = ("user.", "system.posix_acl_access", "security.selinux")


def sound(text: str) -> str:
    """The text with U+FFFD for every half of a surrogate pair, so that UTF-8 can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def write_whole(target: Target, data: bytes, signal: Signal) -> None:
    """Write a regular file, or make it. Its folder exists.

    A new file takes its place: a temporary one beside it, flushed to disk and renamed, with the same mode, owner and
    attributes. Where that would break something (other hard links, an owner that cannot be kept) or cannot be done (a
    folder that is not writable, a mount) the file is written in place, once there is room for all of it; set-id bits,
    which the system takes from a file of somebody else then, stay off. The signal is heeded until the change begins.

    Raises:
        HarnessError: with the system's code. The file then holds what it held, unless the disk failed while it was
            written in place, which the message says.
    """
    before = target.before
    if before is not None and not target.permitted(os.W_OK):
        # A rename asks for nothing of the file itself, so what its mode forbids is asked here.
        raise system_failure(PermissionError(errno.EACCES, ""), "open", target.path)
    try:
        if before is None or before.st_nlink == 1:
            try:
                _replace(target, data, signal)
                return
            except OSError as error:
                if error.errno not in _NOT_REPLACED:
                    raise
        signal.check()
        _write_in_place(target, data)
    except OSError as error:
        raise system_failure(error, "write", target.path, ". Nothing was changed.") from error


def _replace(target: Target, data: bytes, signal: Signal) -> None:
    temporary, folder = f".workbench-{os.urandom(8).hex()}.tmp", target.folder
    # The mode of a new file is the system's business (umask, default ACL); a copy is private until it has its own.
    mode = 0o666 if target.before is None else 0o600
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    handle = os.open(temporary, flags, mode, dir_fd=folder)
    try:
        with open(handle, "wb", buffering=0) as file:
            _write_all(file.fileno(), data)
            if target.before is not None:
                _dress(file.fileno(), target.path, target.before)
            os.fsync(file.fileno())
        signal.check()
        os.replace(temporary, target.name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    with contextlib.suppress(OSError):
        # What only holds a folder cannot flush it.
        flushed = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
        try:
            os.fsync(flushed)
        finally:
            os.close(flushed)


def _dress(handle: int, path: Path, before: os.stat_result) -> None:
    """Give a new file the owner, the attributes and the mode of the one that it takes the place of."""
    own = os.fstat(handle)
    if (own.st_uid, own.st_gid) != (before.st_uid, before.st_gid):
        os.fchown(handle, before.st_uid, before.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(path, follow_symlinks=False):
                if name.startswith(_KEPT_ATTRIBUTES):
                    with contextlib.suppress(OSError):
                        os.setxattr(handle, name, os.getxattr(path, name, follow_symlinks=False))
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


def _write_in_place(target: Target, data: bytes) -> None:
    handle = target.open(os.O_WRONLY)
    found = os.fstat(handle)
    try:
        if len(data) > found.st_size:
            _make_room(handle, found.st_size, len(data))
        try:
            _write_all(handle, data)
            os.ftruncate(handle, len(data))
            os.fsync(handle)
        except OSError as error:
            note = ". It was written in place and may hold only a part of the new content: write all of it again."
            raise system_failure(error, "write", target.path, note) from error
    finally:
        # A write by an ordinary user takes the set-id bits from a file, even if it fails; its owner may give them back.
        if os.fstat(handle).st_mode != found.st_mode:
            with contextlib.suppress(OSError):
                os.fchmod(handle, stat.S_IMODE(found.st_mode))
        os.close(handle)


def _make_room(handle: int, had: int, wanted: int) -> None:
    """Fail for want of room before the first byte is changed."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(handle, had, wanted - had)
    except OSError as error:
        os.ftruncate(handle, had)
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
            raise


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]

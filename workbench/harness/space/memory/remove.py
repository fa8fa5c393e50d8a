"""Removing a whole folder without following a link, whatever a running lambda does in it meanwhile."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from itertools import islice

from workbench.harness.space.memory.handles import look, open_folder

_BATCH = 10_000
_ROUNDS = 1_000
# Handles that are held at once, one a level; whatever lies deeper is first moved up.
_LEVELS = 24


def remove_tree(parent: int, name: bytes) -> None:
    """Remove the folder of that name in an open folder, with all that is in it; a link in it is only unlinked.

    Raises OSError: what the disk refuses, or `ENOTEMPTY` where things are added faster than they can be removed.
    """
    top = open_folder(parent, name)
    try:
        for _ in range(_ROUNDS):
            _empty(top, top, 1)
            try:
                os.rmdir(name, dir_fd=parent)
            except OSError as fault:
                if fault.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
            else:
                return
    finally:
        os.close(top)
    raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY))


def _empty(folder: int, top: int, level: int) -> None:
    for _ in range(_ROUNDS):
        with os.scandir(folder) as entries:
            batch = [os.fsencode(entry.name) for entry in islice(entries, _BATCH)]
        if not batch:
            return
        for name in batch:
            _remove(folder, name, top, level)


def _remove(folder: int, name: bytes, top: int, level: int) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):
        found = look(folder, name)
        if found is not None and not stat.S_ISDIR(found.st_mode):
            raise
    else:
        return
    if level == _LEVELS:
        with suppress(FileNotFoundError):
            os.rename(name, secrets.token_hex(8), src_dir_fd=folder, dst_dir_fd=top)
        return
    try:
        inner = open_folder(folder, name)
    except (FileNotFoundError, NotADirectoryError):
        # A lambda took it away or put something else there meanwhile: the next batch meets what there is.
        return
    try:
        _empty(inner, top, level + 1)
    finally:
        os.close(inner)
    try:
        os.rmdir(name, dir_fd=folder)
    except OSError as fault:
        if fault.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.ENOTDIR):
            raise

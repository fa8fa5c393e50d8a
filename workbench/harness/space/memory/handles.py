"""Directory handles: the only way from memory's root to anything in it.

Each name of a path is opened in the handle of the folder before it, without following links. So no link leads outside,
wherever in a path it stands, and a folder that a running lambda swaps for one is met as what it then is.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.harness.errors import Code, HarnessError
from workbench.harness.space.memory import names
from workbench.harness.space.memory.values import EntryType
from workbench.harness.text import cut_bytes, neutralise

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_SHOWN_BYTES = 160

_IN_WORDS: dict[int, tuple[Code, str]] = {
    errno.ENOENT: ("not_found", "there is no such file or folder"),
    errno.EACCES: ("refused", "its permissions do not allow it"),
    errno.EPERM: ("refused", "its permissions do not allow it"),
    errno.EROFS: ("refused", "the disk is read-only"),
    errno.ENOSPC: ("limit", "the disk is full; delete something first"),
    errno.EDQUOT: ("limit", "the disk quota is used up; delete something first"),
    errno.EFBIG: ("limit", "the file would be larger than the disk allows"),
    errno.EMLINK: ("limit", "the folder holds as many folders as the disk allows"),
    errno.ENAMETOOLONG: ("bad_input", "its name is longer than the disk allows"),
    errno.EINVAL: ("bad_input", "the disk does not allow that name"),
    errno.EILSEQ: ("bad_input", "the disk does not allow that name"),
    errno.EMFILE: ("unavailable", "too many files are open; try again when less is running"),
    errno.ENFILE: ("unavailable", "too many files are open on this machine; try again when less is running"),
    errno.ENOMEM: ("unavailable", "the machine is out of memory; try again when less is running"),
    errno.EBUSY: ("unavailable", "it is in use; try again"),
    errno.EISDIR: ("conflict", "a folder of that name came in between; look again"),
    errno.ENOTDIR: ("conflict", "something else took its place meanwhile; look again"),
    errno.ELOOP: ("conflict", "something else took its place meanwhile; look again"),
    errno.ENOTEMPTY: ("conflict", "something is added to it all the time; try again when less is running"),
}


def called(parts: Sequence[str]) -> str:
    """Give a path as messages name it: an address, on one line, harmless and not too long."""
    return cut_bytes(neutralise(f"~/memory/{'/'.join(parts)}"), _SHOWN_BYTES)


@contextmanager
def in_words(parts: Sequence[str], doing: str) -> Generator[None, None, None]:
    """Turn whatever the disk refuses into a HarnessError that says what could not be done, and never where."""
    try:
        yield
    except OSError as fault:
        number = fault.errno or 0
        code, why = _IN_WORDS.get(number, ("failed", os.strerror(number).lower() if number else "the disk failed"))
        raise HarnessError(code, f"cannot {doing} {called(parts)}: {why}") from None


def kind(mode: int) -> EntryType:
    """Say what an entry is, from the mode that `lstat` gives."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "special"


def look(folder: int, name: bytes) -> os.stat_result | None:
    """Look at what stands under a name in an open folder, at a link rather than its target; None if nothing does."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def open_folder(folder: int, name: bytes) -> int:
    """Open a folder in an open folder; OSError if it is anything else, a link to a folder included."""
    return os.open(name, _FOLDER, dir_fd=folder)


@contextmanager
def root_folder(root: Path) -> Generator[int, None, None]:
    """Hold memory's root open.

    HarnessError `refused` if it is a link or no folder, `unavailable` if it is not there.
    """
    try:
        handle = os.open(root, _FOLDER)
    except FileNotFoundError:
        raise HarnessError("unavailable", "this Space has no folder for memory") from None
    except OSError as fault:
        if fault.errno in (errno.ELOOP, errno.ENOTDIR):
            raise HarnessError("refused", "this Space's memory is a link or no folder, so it is not used") from None
        with in_words((), "open"):
            raise
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def folder_at(root: Path, parts: Sequence[str], *, make: bool = False) -> Generator[int, None, None]:
    """Hold the folder at a path open, with `make` creating what is missing of it.

    HarnessError `not_found` where there is nothing, `refused` where a name on the way is a link or no folder.
    """
    with root_folder(root) as top:
        handle = os.dup(top)
        try:
            for depth, part in enumerate(parts, start=1):
                inner = _step(handle, part, parts[:depth], make=make)
                os.close(handle)
                handle = inner
            yield handle
        finally:
            os.close(handle)


def _step(folder: int, part: str, so_far: Sequence[str], *, make: bool) -> int:
    with in_words(so_far, "reach"):
        name = names.on_disk(folder, part)
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=folder)
        try:
            return open_folder(folder, name)
        except OSError as fault:
            if fault.errno not in (errno.ELOOP, errno.ENOTDIR):
                raise
            found = look(folder, name)
    raise not_a_folder(so_far, "file" if found is None else kind(found.st_mode))


def not_a_folder(parts: Sequence[str], found: EntryType) -> HarnessError:
    """Say that a path leads through something that is no folder."""
    return HarnessError("refused", f"{called(parts)} is {_A[found]}")


_A: dict[EntryType, str] = {
    "file": "a file, so nothing is below it",
    "directory": "a folder; name a file in it",
    "link": "a link, and memory follows none; options.delete removes it",
    "special": "no regular file (a FIFO, socket or device), and memory opens none; options.delete removes it",
}


@contextmanager
def file_in(folder: int, name: bytes, parts: Sequence[str]) -> Generator[tuple[int, int], None, None]:
    """Hold a regular file open for reading: its handle and its size. HarnessError `refused` for anything else.

    Opening never blocks: whatever is put there meanwhile is opened without waiting and looked at before it is read.
    """
    with in_words(parts, "read"):
        before = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(before.st_mode):
            raise not_a_folder(parts, kind(before.st_mode))
        try:
            handle = os.open(name, _FILE, dir_fd=folder)
        except OSError as fault:
            if fault.errno in (errno.ELOOP, errno.ENXIO):
                raise not_a_folder(parts, "link" if fault.errno == errno.ELOOP else "special") from None
            raise
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise not_a_folder(parts, kind(found.st_mode))
            yield handle, found.st_size
        finally:
            os.close(handle)

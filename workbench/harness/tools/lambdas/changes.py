"""Before and after: what a call changed in its workspace and what the workspace grew by, and which calls overlap."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.harness.tools.lambdas.values import Change, ChangedFile

_Mark = tuple[int, int, int, int]
"""Kind, inode, size and change time of a file. The modification time is left out: a call can set it as it likes."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A workspace at a moment: its files (not the folders) by path, and what is in it.

    `bytes` counts a file by its size or the room it takes, whichever is more, and once however many names it has;
    `entries` counts folders too. `closed` are the folders that could not be looked into, with the reason.
    """

    files: dict[str, _Mark]
    bytes: int
    entries: int
    largest: int
    closed: dict[str, str]


def snapshot(root: Path, stop: threading.Event | None = None) -> Snapshot:
    """Look at everything under `root` without opening anything but folders and without following a link.

    The call may swap a folder for a link meanwhile: a folder counts only if it is the one that was listed. Ends early,
    with what it has, once `stop` is set. Raises OSError where `root` is no folder.
    """
    files: dict[str, _Mark] = {}
    counted: set[tuple[int, int]] = set()
    total = entries = largest = 0
    closed: dict[str, str] = {}
    root_fd = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        pending: list[tuple[str, os.stat_result]] = [("", os.fstat(root_fd))]
        while pending and not (stop is not None and stop.is_set()):
            folder, expected = pending.pop()
            try:
                for name, status in _entries(root_fd, folder, expected):
                    path = f"{folder}/{name}" if folder else name
                    entries += 1
                    if stat.S_ISDIR(status.st_mode):
                        pending.append((path, status))
                        continue
                    kind = stat.S_IFMT(status.st_mode)
                    files[path] = (kind, status.st_ino, status.st_size, status.st_ctime_ns)
                    if status.st_nlink > 1:
                        identity = (status.st_dev, status.st_ino)
                        if identity in counted:
                            continue
                        counted.add(identity)
                    size = max(status.st_size, status.st_blocks * 512)
                    total += size
                    largest = max(largest, size)
            except OSError as error:
                # Gone, or no folder any more: something else took its place and is seen the next time.
                if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                    closed[folder] = error.strerror or str(error)
    finally:
        os.close(root_fd)
    return Snapshot(files, total, entries, largest, closed)


def _entries(root_fd: int, folder: str, expected: os.stat_result) -> Iterator[tuple[str, os.stat_result]]:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    descriptor = os.open(folder or ".", flags, dir_fd=root_fd)
    try:
        if not os.path.samestat(os.fstat(descriptor), expected):
            return
        with os.scandir(descriptor) as listing:
            for entry in listing:
                with contextlib.suppress(FileNotFoundError):
                    yield entry.name, entry.stat(follow_symlinks=False)
    finally:
        os.close(descriptor)


def changed_files(before: Snapshot, after: Snapshot, shared: bool) -> tuple[ChangedFile, ...]:
    """What differs, by path."""
    changes: list[tuple[str, Change]] = []
    for path, mark in after.files.items():
        earlier = before.files.get(path)
        if earlier is None:
            changes.append((path, "created"))
        elif earlier != mark:
            changes.append((path, "modified"))
    for path in before.files:
        if path not in after.files:
            changes.append((path, "deleted"))
    return tuple(ChangedFile(path_text(path), change, shared) for path, change in sorted(changes))


def path_text(path: str) -> str:
    """A path as text that can be printed and stored; different paths stay different.

    Bytes that are no UTF-8 become `\\xNN`. In such a path, and in one with a backslash, every backslash is doubled.
    """
    if "\\" not in path and path.isprintable():
        return path
    escaped = path.replace("\\", "\\\\")
    return "".join(f"\\x{ord(char) - 0xDC00:02x}" if 0xDC80 <= ord(char) <= 0xDCFF else char for char in escaped)


class Presence:
    """That a call uses a workspace. `shared` says whether another did at the same time, `most` how many there were at
    once, this one included.

    Calls of this process know of each other. Those of others are found by a lock on the folder, when this call begins,
    when `look` is called and when it ends: one that runs wholly between two looks stays unseen.
    """

    def __init__(self, workspace: Path) -> None:
        self.shared = False
        self.most = 1
        self._fd = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        status = os.fstat(self._fd)
        self._key = (status.st_dev, status.st_ino)
        with _lock:
            _present.setdefault(self._key, []).append(self)
            # Of the first call that is here: one that began meanwhile may see what that one made of it.
            self._mode = _modes.setdefault(self._key, stat.S_IMODE(status.st_mode))
            together = _present[self._key]
            for other in together:
                other.most = max(other.most, len(together))
                other.shared = other.shared or len(together) > 1
        self.look()

    def look(self) -> None:
        """See whether another process has a call in this workspace."""
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.shared = True
        with contextlib.suppress(OSError):
            fcntl.flock(self._fd, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def keep_open(self) -> None:
        """Give the workspace the permissions back that it had: a call may not lock its owner out, or others in."""
        with contextlib.suppress(OSError):
            if stat.S_IMODE(os.fstat(self._fd).st_mode) != self._mode:
                os.fchmod(self._fd, self._mode)

    def leave(self) -> None:
        """The call is over."""
        with _lock:
            together = _present[self._key]
            together.remove(self)
            if not together:
                del _present[self._key], _modes[self._key]
        self.look()
        os.close(self._fd)


_lock = threading.Lock()
_present: dict[tuple[int, int], list[Presence]] = {}
_modes: dict[tuple[int, int], int] = {}

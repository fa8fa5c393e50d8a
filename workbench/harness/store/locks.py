"""Which processes live on a Space: one locked file each, held until the process ends, however it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
from pathlib import Path

from workbench.harness.identity import new_id

_PROCESS_ID = re.compile(r"process-[0-9a-f]{16}\Z")


class ProcessLock:
    """This process's sign of life on one Space.

    The kernel drops the lock with the last descriptor, so it cannot outlive a `kill -9`. `flock` is used because a
    POSIX lock would vanish when any other descriptor of the file is closed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        while True:
            self.process = new_id("process")
            self._path = folder / f"{self.process}.lock"
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            # Another user of the Space must be able to see that this process lives, whatever the umask says.
            os.fchmod(self._fd, 0o644)
            # A sweeper may have taken the fresh file for a dead one between the two calls.
            with contextlib.suppress(OSError):
                if os.fstat(self._fd).st_ino == os.stat(self._path).st_ino:
                    return
            os.close(self._fd)

    def release(self) -> None:
        """Give the sign of life up; calls this process left open count as interrupted from now on."""
        if self._fd < 0:
            return
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(self._fd)
        self._fd = -1


def alive(folder: Path, process: str) -> bool:
    """Whether the process of that id still holds its lock.

    The id comes out of the log, so it is checked before it becomes a path: a strange one names no living process. A
    lock that cannot be looked at is taken for one that is held: only a lock that can be had proves a process gone.
    """
    if not _PROCESS_ID.match(process):
        return False
    try:
        fd = _open_file(folder / f"{process}.lock")
    except FileNotFoundError:
        return False
    except OSError:
        return True
    if fd is None:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False


def sweep(folder: Path) -> None:
    """Remove the lock files of dead processes, so that the folder does not grow with every crash."""
    for path in folder.glob("process-*.lock"):
        fd = None
        with contextlib.suppress(OSError):
            fd = _open_file(path)
        if fd is None:
            continue
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A file that was replaced between opening and locking belongs to somebody else.
            if os.fstat(fd).st_ino == os.stat(path).st_ino:
                path.unlink()
        except OSError:
            continue
        finally:
            os.close(fd)


def _open_file(path: Path) -> int | None:
    """Open a lock file to look at its lock; None for whatever is no regular file, which is never waited for."""
    if not stat.S_ISREG(os.stat(path, follow_symlinks=False).st_mode):
        return None
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return None

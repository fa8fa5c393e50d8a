"""Outputs of commands that were too long to be shown whole: files that last as long as the workbench does.

They lie in a folder of this process in the system's temporary one, which goes when the process ends; in another of the
usual ones where that has a name that cannot be told in one line, as the notice of a cut output has to. A lock that the
process holds says that it lives; where nobody holds it any more, the process was killed, and `sweep` takes the folder
away.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
import os
import re
import threading
from pathlib import Path

from workbench.harness.tools.toolbox.limits import MAX_SAVED_BYTES
from workbench.harness.tools.toolbox.truncate import size_words

_FOLDER_BEGIN = "workbench-output-"
_FOLDER = re.compile(rf"{_FOLDER_BEGIN}[a-z0-9_]{{8}}")
_FILE = re.compile(r"bash-[0-9a-f]{16}\.log")
_OWNER = "owner"

_USUAL_FOLDERS = ("/tmp", "/var/tmp", "/usr/tmp")


class _Own:
    """The folder of this process, once there is one."""

    lock = threading.Lock()
    folder: str | None = None
    pid = 0
    swept = False


class SavedOutput:
    """A file that takes what a command prints, from its first byte on. Not for the event loop's thread: it waits for
    the disk.

    What cannot be kept never fails the command: `where` says what there is.
    """

    def __init__(self) -> None:
        self.path: str | None = None
        self._descriptor = -1
        self._size = 0
        self._problem: str | None = None

    def add(self, data: bytes) -> None:
        """Write what came; the file is made by the first of it."""
        if self._problem is not None:
            return
        room = MAX_SAVED_BYTES - self._size
        try:
            if self.path is None:
                self.path, self._descriptor = _new_file()
            view = memoryview(data)[:room]
            while view:
                written = os.write(self._descriptor, view)
                self._size += written
                view = view[written:]
        except OSError as error:
            self._problem = error.strerror or str(error)
        else:
            if len(data) > room:
                self._problem = "no more is kept"

    def close(self) -> None:
        """Nothing comes any more. The file stays."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    @property
    def where(self) -> str:
        """Where the output is, as a notice says it."""
        if self.path is None:
            return f"Full output could not be kept: {self._problem}"
        if self._problem is not None:
            return f"Full output: {self.path} (only its first {size_words(self._size)}: {self._problem})"
        return f"Full output: {self.path}"


def gone(path: str | Path) -> str | None:
    """What became of a file of this kind that is not there; None for any other path, and for one that is there."""
    place = Path(path)
    if not _FILE.fullmatch(place.name) or not _FOLDER.fullmatch(place.parent.name) or os.path.lexists(place):
        return None
    return (
        "It was the full output of a bash command, which is kept only until the workbench that ran the command ends, "
        "and that has ended. Run the command again if you need its output."
    )


def sweep_once() -> None:
    """`sweep`, once in the life of this process."""
    with _Own.lock:
        if _Own.swept:
            return
        _Own.swept = True
    sweep()


def sweep() -> None:
    """Take away the folders of this user whose process has ended without doing so."""
    with contextlib.suppress(OSError), os.scandir(_temporary()) as entries:
        for entry in entries:
            if _FOLDER.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False) and status.st_uid == os.geteuid():
                        _sweep_one(entry.path)


def _sweep_one(folder: str) -> None:
    import shutil

    # One that is just being made has no such file yet, and is left alone: it raises.
    descriptor = os.open(os.path.join(folder, _OWNER), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def _new_file() -> tuple[str, int]:
    for _ in range(2):
        path = os.path.join(_own_folder(), f"bash-{os.urandom(8).hex()}.log")
        with contextlib.suppress(FileNotFoundError):  # a cleaner of temporary files was here: once more
            return path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    raise FileNotFoundError(2, "the temporary folder goes away again and again")


def _own_folder() -> str:
    with _Own.lock:
        if _Own.folder is None or _Own.pid != os.getpid() or not os.path.isdir(_Own.folder):
            _Own.folder, _Own.pid = _make_folder(), os.getpid()
        return _Own.folder


def _temporary() -> str:
    """The system's temporary folder, or another one whose path is text of one line."""
    import tempfile

    given = tempfile.gettempdir()
    if given.isprintable():
        return given
    for folder in _USUAL_FOLDERS:
        if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
            return folder
    raise OSError(errno.ENOENT, "no temporary folder has a name of one line")


def _make_folder() -> str:
    import tempfile

    folder = tempfile.mkdtemp(prefix=_FOLDER_BEGIN, dir=_temporary())
    # Locked before it has its name, so that nobody sees the file without the lock. It stays open, and locked, until
    # this process ends, however it does.
    begun = os.path.join(folder, f"{_OWNER}-begun")
    descriptor = os.open(begun, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    os.rename(begun, os.path.join(folder, _OWNER))
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: str, pid: int) -> None:
    import shutil

    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)

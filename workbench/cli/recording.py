"""Where a recorded thread is written: never over a file that is somebody else's."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.harness.harness import Harness


def check_place(named: str) -> Path:
    """The file to record to, looked at before anything happens.

    Raises:
        HarnessError: `refused` where it is not a recording and would be lost, or nothing can be written there.
    """
    file = Path(named).expanduser()
    if file.suffix != ".toml":
        raise HarnessError("bad_input", f"A scene's name ends in .toml, and {file} does not.")
    if not file.parent.is_dir() or not os.access(file.parent, os.W_OK | os.X_OK):
        raise HarnessError("refused", f"Nothing can be written to the folder {file.parent}. Name a file elsewhere.")
    _may_replace(file)
    return file


def record(harness: Harness, thread: str, file: Path) -> int:
    """Write a thread, its past included, as a scene; the number of its bytes.

    Raises:
        HarnessError: `failed` where it cannot be written; `refused` where something else came there meanwhile; or as
            `scene_of` does.
    """
    from workbench.agent.record import scene_of

    data = scene_of(harness.lineage(thread), f"A recording of {thread}").encode("utf-8")
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(data)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
            # A turn takes its time, and somebody may have put a file there since it began.
            _may_replace(file)
            os.replace(name, file)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise HarnessError("failed", f"The recording {file} cannot be written: {error.strerror}.") from error
    return len(data)


def _may_replace(file: Path) -> None:
    """See that there is nothing yet, or a recording; nothing is waited for. Raises HarnessError `refused`."""
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):
            # A link is no file of ours either: what it leads to would stay, and the link be lost.
            raise HarnessError(
                "refused", f"{file} is there and is no plain file, so it is not replaced. Name another file."
            )
        ours = _is_recording(file)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise HarnessError("refused", f"{file} cannot be written: {why}. Name another file.") from error
    if not ours:
        raise HarnessError(
            "refused",
            f"{file} is there and is no recording, so it is not replaced. Name another file, or move it away.",
        )


def _is_recording(file: Path) -> bool:
    from workbench.agent.record import HEAD

    # Another kind of file may have come there since it was looked at, and opening a pipe waits for a writer.
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return regular and opened.read(len(HEAD[0]) + 2) == f"# {HEAD[0]}".encode()

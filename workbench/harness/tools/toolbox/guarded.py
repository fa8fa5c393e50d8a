"""Places that `write` and `edit` keep out of: the Space itself, and where the owner's answers are kept."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import HostContext
from workbench.harness.tools.toolbox.paths import shown

_MOST_LINKS = 40

_Identity = tuple[int, int]


def refuse_guarded(path: Path, ctx: HostContext) -> None:
    """Refuse a path that leads into one of the guarded folders, or through one.

    Every link on the way counts, also of a path whose end does not exist yet. Folders are known by what they are, not
    only by their names, so another mount or another spelling of one is that folder. A file is refused under any name if
    it also lies in a guarded folder, however deep: by a hard link, or by a link in there that leads out.

    Raises:
        HarnessError: `refused`.
    """
    for folder in ctx.guarded:
        root = os.path.realpath(folder)
        itself = _identity(root)
        for station in _stations(str(path)):
            if _inside(station, root) or (itself is not None and _identity(station) == itself):
                raise _refusal(path, root)
        if _has_another_name_in(root, str(path)):
            raise _refusal(path, root)


def _stations(path: str) -> Iterator[str]:
    """Every place that opening a path comes by: each component, and where each link among them leads."""
    pending = path.split("/")[::-1]
    at = "/"
    links = 0
    while pending:
        part = pending.pop()
        if part in ("", "."):
            continue
        if part == "..":
            at = os.path.dirname(at)
            continue
        here = os.path.join(at, part)
        yield here
        try:
            target = os.readlink(here)
        except OSError:
            at = here
            continue
        links += 1
        if links > _MOST_LINKS:
            # The system does not open it either.
            return
        if target.startswith("/"):
            at = "/"
        pending.extend(target.split("/")[::-1])


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _identity(path: str) -> _Identity | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _has_another_name_in(root: str, path: str) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    target = found.st_dev, found.st_ino
    waiting = [root]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                # Most files have one name, and then what a folder says of its entries is enough.
                elif (found.st_nlink > 1 or entry.is_symlink() or entry.inode() == found.st_ino) and _identity(
                    entry.path
                ) == target:
                    return True
    return False


def _refusal(path: Path, root: str) -> HarnessError:
    return HarnessError(
        "refused",
        f"{shown(path)} leads into {shown(root)}. The Space and the folder of the owner's answers are not written by "
        "this tool: choose a path outside of them, or ask the owner.",
    )

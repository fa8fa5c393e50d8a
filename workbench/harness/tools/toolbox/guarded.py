"""Places that `write` and `edit` keep out of: the Space itself, and where the owner's answers are kept."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.links import Way
from workbench.harness.tools.toolbox.paths import shown

Identity = tuple[int, int]
"""What tells a file or a folder from every other one, whatever names it has."""


def refuse_guarded(
    way: Way, guarded: Iterable[Path], passed: Iterable[Identity], before: os.stat_result | None
) -> None:
    """Refuse a way that leads into one of the guarded folders, or through one.

    `guarded` have their links resolved. `passed` are the folders that the file at the end of the way is reached by,
    `before` is that file, None where there is none yet.

    Every link on the way counts. Folders are known by what they are, not only by their names: another mount, of a
    guarded folder or of one inside it, and another spelling of one are that folder. A file is refused under any name
    if it also lies in a guarded folder, however deep: by a hard link, or by a link in there that leads out.

    Raises:
        HarnessError: `refused`.
    """
    met = {*passed, *filter(None, map(_identity, way.stations))}
    for folder in guarded:
        root = str(folder)
        if any(_inside(station, root) for station in (str(way.real), *way.stations)) or _holds(root, met, before):
            raise HarnessError(
                "refused",
                f"{shown(way.path)} leads into {shown(root)}. The Space and the folder of the owner's answers are not "
                "written by this tool: choose a path outside of them, or ask the owner.",
            )


def identity_of(found: os.stat_result) -> Identity:
    """What a file or folder is, whatever its name."""
    return found.st_dev, found.st_ino


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _identity(path: str) -> Identity | None:
    try:
        return identity_of(os.stat(path))
    except OSError:
        return None


def _holds(root: str, folders: set[Identity], file: os.stat_result | None) -> bool:
    """Whether one of these folders is the root or lies in it, or this file has a name in it."""
    target = None if file is None else identity_of(file)
    waiting = [root]
    while waiting:
        place = waiting.pop()
        if _identity(place) in folders:
            return True
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                # Most files have one name, and then what a folder says of its entries is enough.
                elif (
                    file is not None
                    and (file.st_nlink > 1 or entry.is_symlink() or entry.inode() == file.st_ino)
                    and _identity(entry.path) == target
                ):
                    return True
    return False

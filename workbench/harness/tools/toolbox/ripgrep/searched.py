"""What a search is to look at: a folder, or one file in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.paths import resolve, shown

_KINDS = (
    (stat.S_ISFIFO, "a pipe (FIFO)"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class Searched(Struct, frozen=True):
    """The folder that a search runs in, and the file in it that alone is looked at, None for the whole folder."""

    folder: Path
    file: str | None = None
    in_repository: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """How `.gitignore` counts: as git has it inside a repository, and outside of one as well.

        Inside, a repository within another stands by itself; ripgrep does not look for that once it is told not to
        ask for a repository at all.
        """
        return () if self.in_repository else ("--no-require-git",)


def searched(given: str, cwd: Path) -> Searched:
    """What a path names, links followed. Nothing is opened.

    Raises:
        HarnessError: `not_found` where there is nothing; `refused` for what is neither file nor folder; `bad_input` and
            `failed` with what the system says.
    """
    path = resolve(given, cwd)
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise HarnessError("not_found", f"Path not found: {shown(path)}") from error
    except OSError as error:
        raise HarnessError("failed", f"Cannot look at {shown(path)}: {error.strerror or error}") from error
    except ValueError as error:
        raise HarnessError("bad_input", "The path holds characters that no file's name has.") from error
    if stat.S_ISDIR(mode):
        return Searched(path, in_repository=_in_repository(path))
    if stat.S_ISREG(mode):
        return Searched(path.parent, path.name)
    kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "no file")
    raise HarnessError(
        "refused", f"{shown(path)} is {kind}. Only files and directories are searched; it was not opened."
    )


def _in_repository(folder: Path) -> bool:
    place = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return False
        place = above
    return True

"""What a search is to look at: a folder, or one file in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.links import real_or_none, way_of
from workbench.harness.tools.toolbox.opening import refuse_inside_a_process
from workbench.harness.tools.toolbox.paths import resolve, shown
from workbench.harness.tools.toolbox.system_words import NO_NAME, code_of, kind_of

AND_BELOW = " (searched from there, a .gitignore counts in repositories below it too)"
"""What is said of searches from outside a repository: see `Searched.options`."""


class Searched(Struct, frozen=True):
    """The folder that a search runs in, and the file in it that alone is looked at, None for the whole folder."""

    folder: Path
    file: str | None = None
    in_repository: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """How `.gitignore` counts: as git has it inside a repository, and outside of one as well.

        Inside, a repository within another stands by itself; ripgrep does not look for that once it is told not to
        ask for a repository at all. To search from outside as from inside would be one search for each repository
        below, after one that finds them.
        """
        return () if self.in_repository else ("--no-require-git",)

    @property
    def unread(self) -> tuple[str, ...]:
        """What keeps a search of everything for content out of the processes."""
        return ("--glob=!/proc/**",) if real_or_none(self.folder) == "/" else ()


def searched(given: str, cwd: Path) -> Searched:
    """What a path names, links followed. Nothing is opened.

    Raises:
        HarnessError: `not_found` where there is nothing; `refused` for what is neither file nor folder; `bad_input`,
            `refused` and `failed` with what the system says.
    """
    path = resolve(given, cwd)
    try:
        mode = os.stat(path).st_mode
        real = str(way_of(path).real)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise HarnessError("not_found", f"Path not found: {shown(path)}") from error
    except OSError as error:
        raise HarnessError(code_of(error), f"Cannot look at {shown(path)}: {error.strerror or error}") from error
    except ValueError as error:
        raise HarnessError("bad_input", NO_NAME) from error
    if stat.S_ISDIR(mode):
        return Searched(path, in_repository=_in_repository(real))
    if stat.S_ISREG(mode):
        refuse_inside_a_process(real, path)
        return Searched(path.parent, path.name)
    raise HarnessError(
        "refused", f"{shown(path)} is {kind_of(mode)}. Only files and directories are searched; it was not opened."
    )


def _in_repository(place: str) -> bool:
    while not os.path.lexists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return False
        place = above
    return True

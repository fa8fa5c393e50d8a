"""A file that is to be changed, held by its folder, so that what was judged is what is written."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Generator
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.guarded import Identity, identity_of, refuse_guarded
from workbench.harness.tools.toolbox.links import Way
from workbench.harness.tools.toolbox.paths import shown
from workbench.harness.tools.toolbox.system_words import system_failure

# To hold a folder asks only for the right to pass through the one above it, where the system has that.
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Target:
    """A name in a folder that is held open, and what that name is now.

    Every folder down to it was opened from the one above it and no link was followed, so it is reached without asking
    the path again. `before` is what stands there, None for nothing; `failure` says why the folder could not be
    reached, where a part of the way is missing or a file: then `folder` is the last one that could.
    """

    def __init__(self, way: Way, guarded: tuple[Path, ...]) -> None:
        """Use `target_of`, which lets go of the folder again."""
        self.path = way.real
        self.before: os.stat_result | None = None
        self.failure: OSError | None = None
        self._way = way
        self._guarded = guarded
        *above, self.name = str(way.real).lstrip("/").split("/")
        # The root of all folders has no name in a folder, and is itself what the path names.
        self.name = self.name or "."
        self._missing = above[::-1]
        self.folder = os.open("/", _FOLDER)
        self._passed: list[Identity] = []

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self.folder)

    def look(self) -> None:
        """Go down as far as there are folders, and judge what is met.

        Raises:
            OSError: as the system says.
            HarnessError: `refused` for what leads into a guarded folder.
        """
        self.failure = None
        try:
            while self._missing:
                self._enter()
            self.before = self._found()
        except (FileNotFoundError, NotADirectoryError) as error:
            self.failure = error
        refuse_guarded(self._way, self._guarded, self._passed, self.before)
        if self.before is not None and stat.S_ISLNK(self.before.st_mode):
            raise self.changed()

    def make_folders(self) -> None:
        """Make the folders that are missing; what was made, or came meanwhile, is judged like the rest.

        Raises:
            HarnessError: with the system's code, where one of them is a file or cannot be made; `refused`.
        """
        if not self._missing:
            return
        try:
            while self._missing:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(self._missing[-1], dir_fd=self.folder)
                self._enter()
        except NotADirectoryError as error:
            exists = FileExistsError(errno.EEXIST, "")
            note = ". A file stands where a folder would have to be: choose another path."
            raise system_failure(exists, "mkdir", self.path.parent, note) from error
        except OSError as error:
            raise system_failure(error, "mkdir", self.path.parent) from error
        self.look()

    def permitted(self, mode: int) -> bool:
        """Whether this process may read or write the file, as its mode and the system say."""
        return os.access(self.name, mode, dir_fd=self.folder, effective_ids=os.access in os.supports_effective_ids)

    def open(self, flags: int) -> int:
        """Open what was judged: a new file where nothing was there, and no other one in its place.

        Raises:
            OSError: as the system says.
            HarnessError: `failed` where something else has come there meanwhile.
        """
        flags |= os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
        if self.before is None:
            return os.open(self.name, flags | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=self.folder)
        try:
            handle = os.open(self.name, flags, dir_fd=self.folder)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise self.changed() from error
            raise
        if identity_of(os.fstat(handle)) != identity_of(self.before):
            os.close(handle)
            raise self.changed()
        return handle

    def changed(self) -> HarnessError:
        """What is said where another thing stands in the place of what was looked at."""
        return HarnessError(
            "failed",
            f"{shown(self.path)} became another file while it was looked at. Nothing was changed: look at it, and try "
            "again.",
        )

    def _enter(self) -> None:
        below = os.open(self._missing[-1], _FOLDER, dir_fd=self.folder)
        self._missing.pop()
        os.close(self.folder)
        self.folder = below
        self._passed.append(identity_of(os.fstat(below)))

    def _found(self) -> os.stat_result | None:
        with contextlib.suppress(FileNotFoundError):
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        return None


@contextlib.contextmanager
def target_of(way: Way, guarded: tuple[Path, ...]) -> Generator[Target]:
    """Hold the file that a way leads to, unless it leads into a guarded folder.

    What is written through it is what was judged here: a link that comes to stand on the way, or at its end, is not
    followed, and another file in its place is not opened. What remains is what is moved as it is held: a folder taken
    into a guarded one, or a file given another name in there, between the judgement and the write. Whoever can do that
    can write there.

    Raises:
        OSError: as the system says.
        HarnessError: `refused`; `failed` where something changed meanwhile.
    """
    target = Target(way, guarded)
    try:
        target.look()
        yield target
    finally:
        target.close()

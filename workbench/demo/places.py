"""Where a demo's Space stands: in a folder that goes away afterwards, or in one that is kept."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.agent.scene import WorkFile


@contextlib.contextmanager
def place(keep: Path | None) -> Iterator[Path]:
    """A folder for the Space of one demo.

    Without `keep` it is gone at the end, and so is what the owner's own folders remember of it.

    Raises:
        HarnessError: `refused` when the folder to keep it in has something in it already, or is none.
    """
    if keep is not None:
        yield _empty(keep)
        return
    with tempfile.TemporaryDirectory(prefix=f"workbench-demo-{os.getpid()}-", ignore_cleanup_errors=True) as folder:
        space = Path(folder) / "space"
        try:
            yield space
        finally:
            _forget(space)


def fill(folder: Path, files: Sequence[WorkFile]) -> None:
    """Make the working directory of a scene that acts on the real machine, with its files.

    Raises:
        HarnessError: `refused` when there is something in it already, `unavailable` when it cannot be made.
    """
    _empty(folder)
    try:
        for file in files:
            place = folder / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(file.content, "utf-8", newline="")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HarnessError("unavailable", f"{folder} cannot be filled: {error.strerror}.") from error


def _empty(folder: Path) -> Path:
    try:
        if any(folder.iterdir()):
            raise HarnessError(
                "refused", f"{folder} is not empty. A demo begins in an empty folder: name another one to keep it in."
            )
    except FileNotFoundError:
        return folder
    except OSError as error:
        raise HarnessError(
            "refused", f"{folder} cannot hold a Space: {error.strerror}. Name another folder."
        ) from error
    return folder


def _forget(space: Path) -> None:
    from workbench.harness.space.agent_file import OwnerFolders

    folders = OwnerFolders.of_this_user()
    place = space.resolve()
    for file in (folders.answers_file(place), folders.last_good_file(place)):
        with contextlib.suppress(OSError):
            file.unlink()

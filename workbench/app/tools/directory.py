"""Folders of this machine as the owner names them: shown, typed, and held against what is there. Pure but for that."""

from __future__ import annotations

import contextlib
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.text import fold, printable

RULE = "a folder of this machine, written whole: it begins with / or ~/"


def at_home(folder: str | Path) -> str:
    """A folder as people name it: `~` for their own."""
    path = Path(folder)
    with contextlib.suppress(ValueError, RuntimeError):
        inside = path.relative_to(Path.home())
        return str(Path("~") / inside)
    return str(path)


def started_in() -> Path:
    """The folder that this program was started in; the owner's own where that one is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()


def folder_typed(text: str) -> Path:
    """The folder that a text names.

    Raises:
        HarnessError: `bad_input` with the rule.
    """
    text = text.strip()
    whole = text.startswith(("/", "~/")) or text == "~"
    if not whole or not text.isprintable():
        raise HarnessError("bad_input", f"“{fold(printable(text))}” is not {RULE}. Nothing was run.")
    return Path(text).expanduser()


def check_folder(folder: Path) -> None:
    """See that there is such a folder; a disk may let one wait for that.

    Raises:
        HarnessError: `not_found`.
    """
    try:
        there = folder.is_dir()
    except OSError:
        there = False
    if not there:
        raise HarnessError("not_found", f"There is no folder {fold(printable(str(folder)))} here. Nothing was run.")

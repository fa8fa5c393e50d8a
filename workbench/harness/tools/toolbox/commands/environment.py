"""What a command finds around it: the variables that it is given, and the shell that it runs in."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping

NAMES = ("PATH", "HOME", "USER", "SHELL", "LANG", "TERM", "TZ", "TMPDIR")
"""The variables that every command is given, where they are set."""

PREFIX = "LC_"
"""Begins the names of further ones."""

USUAL_SHELL = "/bin/bash"
"""The shell, where it is there; else a `bash` or `sh` on PATH."""


def allowed(environ: Mapping[bytes, bytes], names: Iterable[str] = ()) -> dict[bytes, bytes]:
    """What a command is given of an environment: the list above and `names`. Others may hold secrets."""
    listed = {os.fsencode(name) for name in (*NAMES, *names)}
    prefix = os.fsencode(PREFIX)
    return {name: value for name, value in environ.items() if name in listed or name.startswith(prefix)}


def find_shell(environ: Mapping[bytes, bytes]) -> bytes | None:
    """The path of the shell, None where there is none."""
    usual = os.fsencode(USUAL_SHELL)
    if _can_run(usual):
        return usual
    folders = [folder for folder in environ.get(b"PATH", os.fsencode(os.defpath)).split(b":") if os.path.isabs(folder)]
    for name in (b"bash", b"sh"):
        for folder in folders:
            if _can_run(path := os.path.join(folder, name)):
                return path
    return None


def _can_run(path: bytes) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False

"""Whether a shell with job control started this program, and could bring it back after it was stopped."""

from __future__ import annotations

import os
from pathlib import Path


def has_a_shell() -> bool:
    """Whether somebody in this terminal session minds this program's job: else a stop would be for ever."""
    try:
        parent = _parent(os.getpgrp())
        return os.getsid(parent) == os.getsid(0) and os.getpgid(parent) != os.getpgrp()
    except (OSError, ValueError, IndexError):
        return False


def _parent(process: int) -> int:
    """The parent of a process. Its line in /proc has the name in parentheses, which may hold anything."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])

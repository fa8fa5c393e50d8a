"""Names as ripgrep prints them: the order they come in, and how a row of text holds them.

Results are sorted by path, folder by folder, bytes against bytes: `a/z` stands before `a-b`, as everything in `a` does,
and a folder stands before what is in it.
"""

from __future__ import annotations

import os

from workbench.harness.tools.toolbox.ls import one_line

_SWAPPED = bytes.maketrans(b"\0/", b"/\0")


def swapped(data: bytes) -> bytes:
    """Paths with NUL and `/` exchanged: bytes compare in the order of results then. A second time gives them back."""
    return data.translate(_SWAPPED)


def one_row(path: bytes) -> str:
    """A path as text that stays on its row, as `ls` gives a name."""
    return one_line(os.fsdecode(path))

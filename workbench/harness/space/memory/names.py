"""File names as text: what the disk holds is bytes, what people and models address is text.

Most names are their own text. A name that is not UTF-8, or holds a backslash (which in a path is a slash), is shown
with those bytes as `⟨xFF⟩`, and can be read and deleted under that text.
"""

from __future__ import annotations

import os
import re

_MARK = "⟨x"
_HIDDEN = re.compile("[\\\\\udc80-\udcff]")


def shown(name: bytes) -> str:
    """Give a name on disk as text that UTF-8 can encode and that a path can hold."""
    text = name.decode("utf-8", "surrogateescape")
    return _HIDDEN.sub(lambda found: f"{_MARK}{ord(found[0]) & 0xFF:02X}⟩", text)


def on_disk(folder: int, part: str) -> bytes:
    """Find the name on disk that a path's part means, in an open folder; where there is none, the part itself.

    A name that is spelled exactly so comes before one that is only shown so.
    """
    literal = part.encode("utf-8")
    if _MARK not in part:
        return literal
    try:
        os.stat(literal, dir_fd=folder, follow_symlinks=False)
    except OSError:
        with os.scandir(folder) as entries:
            names = (os.fsencode(entry.name) for entry in entries)
            return next((name for name in names if shown(name) == part), literal)
    return literal

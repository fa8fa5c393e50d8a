"""Versions in words: one line each, the same in every list. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.harness.space.library import Version

PRESENT = "→"
"""Stands before the present version."""

TAIL = 8
"""Characters of a CID that tell it apart in a list; all begin alike."""


FULL_WIDTH = 54
"""Cells that a line takes beside the version's number."""


def when(time: str) -> str:
    """A time of the log as people read it, in UTC."""
    return time.replace("T", " ").partition(".")[0]


def short(cid: str) -> str:
    """The end of a CID."""
    return f"…{cid[-TAIL:]}"


def size_words(size: int) -> str:
    """Bytes; a block that cannot be read has none."""
    return f"{size:,} B" if size else "missing"


def first_of(versions: Sequence[Version]) -> dict[str, int]:
    """The first version of each CID: what came back later is the same document."""
    found: dict[str, int] = {}
    for version in versions:
        if version.cid is not None:
            found.setdefault(version.cid, version.version)
    return found


def version_line(
    version: Version, present: int | None, digits: int, width: int = 80, same_as: int | None = None
) -> str:
    """`→ 3  2026-11-30 14:43:22  user   312 B  …x4q2uvwx`; `present` is the number of the present version,
    `digits` the width of the numbers.

    What comes back is marked with the version that it is the same as (`= 1`). Where not all fits into `width`, the
    seconds and the CID are left out.
    """
    here = PRESENT if version.version == present else " "
    back = f"  = {same_as}" if same_as is not None and same_as != version.version else ""
    size = "deleted" if version.cid is None else size_words(version.size)
    time = when(version.time)
    cid = f"  {short(version.cid)}" if version.cid is not None else ""
    head = f"{here} {version.version:>{digits}}  "
    if width < FULL_WIDTH + digits:
        return f"{head}{time[:-3]}  {version.actor:<7}{size:>8}{back}"
    line = f"{head}{time}  {version.actor:<7} {size:>9}"
    return f"{line}{back}" if back and len(line + cid + back) > width else f"{line}{cid}{back}"

"""Where a path leads: its links followed one by one, as the system follows them, and no further than it does."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from msgspec import Struct

from workbench.harness.tools.toolbox.limits import MAX_LINKS, MAX_PATH_BYTES

# Said of a place that is no link, and of one that is not there or below a file: it may still be made.
_NO_LINK = (errno.EINVAL, errno.ENOENT, errno.ENOTDIR)


class Way(Struct, frozen=True):
    """A path with its links resolved, `real`, and every place that it came by: each component, each link's target."""

    path: Path
    real: Path
    stations: tuple[str, ...]


def way_of(path: str | os.PathLike[str]) -> Way:
    """Follow an absolute path. What is not there is taken as it reads; so is `..` below it.

    Raises:
        OSError: where the system would not follow it either: too many links, one that may not be read, a name or a
            path too long.
    """
    pending = os.fspath(path).split("/")[::-1]
    stations: list[str] = []
    at = "/"
    links = 0
    while pending:
        part = pending.pop()
        if part in ("", "."):
            continue
        if part == "..":
            at = os.path.dirname(at)
            continue
        here = os.path.join(at, part)
        stations.append(here)
        try:
            target = os.readlink(here)
        except OSError as error:
            if error.errno not in _NO_LINK:
                raise
            at = here
            continue
        links += 1
        if links > MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.startswith("/"):
            at = "/"
        pending.extend(target.split("/")[::-1])
    if len(os.fsencode(at)) > MAX_PATH_BYTES:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    return Way(Path(path), Path(at), tuple(stations))


def real_or_none(path: str | os.PathLike[str]) -> str | None:
    """An absolute path with its links resolved; None where that cannot be known."""
    try:
        return str(way_of(path).real)
    except (OSError, ValueError):
        return None

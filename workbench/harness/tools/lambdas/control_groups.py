"""Where on this machine a control group of the kernel can be made that bounds how many processes there are in it."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path

from workbench.harness.errors import HarnessError

_OURS = re.compile(r"workbench-(\d+)-[0-9a-f]+\Z")

_REMEDY = (
    "Run the workbench as an ordinary user, whose processes the kernel counts by itself, or where control groups can "
    "be made: in a container with a writable /sys/fs/cgroup whose pids controller is on."
)


class ControlGroup:
    """A group of our own with a bound on processes and threads. Raises HarnessError `unavailable` where none is."""

    def __init__(self) -> None:
        refusals: list[str] = []
        for home in homes():
            path = home / f"workbench-{os.getpid()}-{secrets.token_hex(4)}"
            try:
                path.mkdir()
            except OSError as error:
                refusals.append(f"{home}: {error.strerror}")
                continue
            if (path / "pids.max").exists():
                self._path = path
                return
            path.rmdir()
            refusals.append(f"{home}: it does not count processes")
        where = "; ".join(refusals) or "no pids controller is mounted"
        raise HarnessError(
            "unavailable",
            "How many processes a call has cannot be bounded here: the kernel's own count does not hold for root, and "
            f"no control group can be made ({where}). {_REMEDY}",
        )

    def take_in(self, pid: int, most: int) -> None:
        """Move a process into the group, whose bound is `most` processes and threads from now on.

        It may take some milliseconds. A process that has gone is no error. Raises HarnessError `unavailable` where the
        kernel refuses.
        """
        try:
            (self._path / "pids.max").write_text(str(most))
            with contextlib.suppress(ProcessLookupError):
                (self._path / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            raise HarnessError(
                "unavailable",
                "How many processes a call has cannot be bounded here: it cannot be moved into the control group "
                f"{self._path} ({error.strerror}). {_REMEDY}",
            ) from error

    def close(self) -> None:
        """Take the group away, now that nothing is in it any more."""
        with contextlib.suppress(OSError):
            self._path.rmdir()


def homes() -> list[Path]:
    """The folders in which such a group can be made, if they can be written; the nearest one first."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
        membership = Path("/proc/self/cgroup").read_text("utf-8", "surrogateescape")
    except OSError:
        return []
    return [home for home in candidates(mounts, membership) if home.is_dir() and _counts_below(home)]


def candidates(mounts: str, membership: str) -> list[Path]:
    """Where they could be, by the texts of /proc/self/mountinfo and /proc/self/cgroup."""
    found: list[Path] = []
    for line in mounts.splitlines():
        place, _, kind = line.partition(" - ")
        fields, about = place.split(), kind.split()
        if len(fields) < 5 or len(about) < 3 or about[0] not in ("cgroup", "cgroup2"):
            continue
        if about[0] == "cgroup" and "pids" not in about[2].split(","):
            continue
        root, mounted = _unescaped(fields[3]), Path(_unescaped(fields[4]))
        own = _own(membership, unified=about[0] == "cgroup2")
        inside = os.path.relpath(own, root) if own.startswith(root.rstrip("/") + "/") else "."
        here = Path(os.path.normpath(mounted / inside))
        found += [here, *(parent for parent in here.parents if parent.is_relative_to(mounted))]
    return list(dict.fromkeys(found))


def sweep() -> None:
    """Take away the groups of workbenches that are gone."""
    for home in homes():
        with contextlib.suppress(OSError):
            for entry in home.iterdir():
                found = _OURS.match(entry.name)
                if found is not None and not Path("/proc", found[1]).exists():
                    with contextlib.suppress(OSError):
                        entry.rmdir()


def _own(membership: str, *, unified: bool) -> str:
    for line in membership.splitlines():
        number, controllers, path = (*line.split(":", 2), "", "")[:3]
        if (number == "0" and controllers == "") if unified else "pids" in controllers.split(","):
            return path or "/"
    return "/"


def _counts_below(home: Path) -> bool:
    # Of the unified hierarchy a group has only the controllers that the one above it hands down.
    handed_down = home / "cgroup.subtree_control"
    try:
        return not handed_down.exists() or "pids" in handed_down.read_text().split()
    except OSError:
        return False


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)

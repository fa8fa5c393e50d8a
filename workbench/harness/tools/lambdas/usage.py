"""What the processes of a running call use, as the host sees them."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Container, Generator, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Memory held, in bytes; threads; processes. All nought once everything has gone."""

    resident: int
    threads: int
    processes: int


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes in files that were opened or mapped and then removed, which no look at the folders finds; open sockets."""

    nameless_bytes: int
    sockets: int


class Inhabitants:
    """The processes of one sandbox: the first one alone, where it cannot start others, or all there are."""

    def __init__(self, pid: int, *, several: bool) -> None:
        """`pid` is the first one's, on the host. Call it before its own code runs; give it back with `close`."""
        self._pid = pid
        self._several = several
        self._init = _status(f"/proc/{pid}").get("PPid", 0)
        self._proc: int | None = None
        self._lock = threading.Lock()
        if several:
            # The sandbox's own /proc lists its processes and no others. A host that masks its own allows none.
            with contextlib.suppress(OSError):
                self._proc = os.open(f"/proc/{pid}/root/proc", os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        """Give the handle back; another thread may still be looking."""
        with self._lock:
            if self._proc is not None:
                os.close(self._proc)
                self._proc = None

    def usage(self, enough: int) -> Usage:
        """What they use together.

        What processes share counts for each of them as long as the sum stays below `enough` bytes: exactly counting it
        takes long.
        """
        resident = threads = processes = 0
        with self._places() as places:
            for place in places:
                fields = _status(place)
                resident += _resident(fields)
                threads += fields.get("Threads", 0)
                processes += 1 if fields else 0
            if resident > enough and processes > 1:
                resident = sum(map(_share, places))
        return Usage(resident, threads, processes)

    def held(self, largest: int, known: Container[int] = ()) -> Held:
        """What they hold open.

        Where the kernel does not tell us the size of a removed file that is only mapped, it counts as `largest` bytes.
        Removed files on the devices `known` are counted otherwise.
        """
        sizes: dict[int, int] = {}
        sockets: set[int] = set()
        with self._places() as places:
            for place in places:
                for descriptor in _listed(f"{place}/fd"):
                    with contextlib.suppress(OSError):
                        status = os.stat(descriptor)
                        _note_removed(sizes, status, known)
                        if stat.S_ISSOCK(status.st_mode):
                            sockets.add(status.st_ino)
                for area, device, number in _removed_areas(place):
                    try:
                        _note_removed(sizes, os.stat(f"{place}/map_files/{area}"), known)
                    except PermissionError:
                        if device not in known:
                            sizes.setdefault(number, largest)
                    except OSError:
                        continue
        return Held(sum(sizes.values()), len(sockets))

    @contextlib.contextmanager
    def _places(self) -> Generator[list[str]]:
        """The folder of each process in a /proc."""
        if not self._several:
            yield [f"/proc/{self._pid}"]
            return
        with self._lock:
            proc = None if self._proc is None else os.dup(self._proc)
        if proc is None:
            yield [f"/proc/{pid}" for pid in _below(self._init)]
            return
        try:
            # The first is bubblewrap's own.
            numbered = [place for place in _listed(f"/proc/self/fd/{proc}") if place.rpartition("/")[2].isdigit()]
            yield [place for place in numbered if not place.endswith("/1")]
        finally:
            os.close(proc)


def _note_removed(sizes: dict[int, int], status: os.stat_result, known: Container[int]) -> None:
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 0 and status.st_dev not in known:
        sizes[status.st_ino] = status.st_blocks * 512


def _removed_areas(place: str) -> Iterator[tuple[str, int, int]]:
    """The areas of memory that show removed files: their range, and the file's device and number."""
    try:
        with open(f"{place}/maps", "rb") as listing:
            lines = listing.read().splitlines()
    except OSError:
        return
    for line in lines:
        if line.endswith(b" (deleted)"):
            area, _, _, device, number, path = line.split(None, 5)
            # Memory that several share has such a name too; it is counted as memory.
            if not path.startswith((b"/dev/zero", b"/SYSV", b"/memfd:", b"/[aio]")):
                major, _, minor = device.partition(b":")
                yield area.decode(), os.makedev(int(major, 16), int(minor, 16)), int(number)


def _listed(folder: str) -> list[str]:
    try:
        return [f"{folder}/{name}" for name in os.listdir(folder)]
    except OSError:
        return []


def _status(place: str) -> dict[str, int]:
    fields: dict[str, int] = {}
    with contextlib.suppress(OSError), open(f"{place}/status") as status:
        for line in status:
            name, _, value = line.partition(":")
            if name in ("RssAnon", "RssShmem", "VmSwap", "VmPTE", "Threads", "PPid"):
                fields[name] = int(value.split()[0])
    return fields


def _resident(fields: Mapping[str, int]) -> int:
    # Pages of a program's own file are shared with every other process that runs it, and do not count.
    return sum(fields.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap", "VmPTE")) * 1024


def _share(place: str) -> int:
    """Memory of a process, of what it shares its part; all that it holds where the kernel does not tell."""
    fields = _status(place)
    parts: dict[str, int] = {}
    with contextlib.suppress(OSError), open(f"{place}/smaps_rollup") as rollup:
        for line in rollup:
            name, _, value = line.partition(":")
            if name in ("Pss_Anon", "Pss_Shmem", "SwapPss"):
                parts[name] = int(value.split()[0])
    if "Pss_Anon" not in parts:
        return _resident(fields)
    return (sum(parts.values()) + fields.get("VmPTE", 0)) * 1024


def _below(ancestor: int) -> list[int]:
    found: list[int] = []
    pending = [ancestor]
    while pending:
        children = _children(pending.pop())
        found += children
        pending += children
    return found


def _children(parent: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{parent}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{parent}/task/{thread}/children") as listing:
                found += map(int, listing.read().split())
    return found

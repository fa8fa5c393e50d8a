"""Watching what a running call uses, where the kernel keeps no count of its own for us."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas.changes import Presence, Snapshot, path_text, snapshot
from workbench.harness.tools.lambdas.values import Limits

THREADS = 256
"""How many threads a call may have."""

SLACK_BYTES = 1024 * 1024
"""How far over the disk limit one file, or /tmp, can get at most before the kernel refuses; what makes it seen."""

_POLL_SECS = 0.05
_MIB = 1024 * 1024

# Its own threads, so that a busy application cannot hold up the limits of a call.
_scanners = ThreadPoolExecutor(max_workers=4, thread_name_prefix="workspace-scan")


async def take_snapshot(workspace: Path) -> Snapshot:
    """A snapshot, taken without blocking the loop. Cancelled, it stops looking before it raises."""
    stop = threading.Event()
    try:
        return await asyncio.get_running_loop().run_in_executor(_scanners, snapshot, workspace, stop)
    except OSError as error:
        raise HarnessError("not_found", f"The workspace {workspace} cannot be read: {error.strerror}.") from error
    finally:
        stop.set()


class Watchdog:
    """Limits that are kept by looking: memory really used, threads, growth of `/workspace` and `/tmp`."""

    def __init__(self, limits: Limits, resident_mib: int, workspace: Path, presence: Presence) -> None:
        self._limits = limits
        self._resident_mib = resident_mib
        self._workspace = workspace
        self._presence = presence
        self._before: Snapshot | None = None
        self._pid: int | None = None
        self._tmp_fd: int | None = None
        self._tmp_before = (0, 0)

    def begin(self, pid: int, before: Snapshot) -> None:
        """Watch the process `pid` of the host, from before its own code runs; `before` is the workspace until then."""
        self._pid = pid
        self._before = before
        with contextlib.suppress(OSError):
            # A handle on the private /tmp of the sandbox, which can be asked how full it is, also after its end.
            self._tmp_fd = os.open(f"/proc/{pid}/root/tmp", os.O_PATH | os.O_DIRECTORY)
            self._tmp_before = self._tmp_used()

    def close(self) -> None:
        """Give the handle back."""
        if self._tmp_fd is not None:
            os.close(self._tmp_fd)
            self._tmp_fd = None

    async def watch(self) -> HarnessError:
        """Look again and again; ends with the limit that was passed."""
        looks = [asyncio.ensure_future(self._watch_process()), asyncio.ensure_future(self._watch_disk())]
        try:
            done, _ = await asyncio.wait(looks, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            for look in looks:
                look.cancel()
            await asyncio.gather(*looks, return_exceptions=True)

    def grown(self, now: Snapshot, hidden_bytes: int = 0) -> HarnessError | None:
        """The limit that the growth up to `now` passes, if any. `hidden_bytes` are in files without a name."""
        if self._before is None:
            return None
        closed = [folder for folder in now.closed if folder not in self._before.closed]
        if closed:
            # What cannot be looked into cannot be bounded.
            return HarnessError(
                "limit",
                f"The folder `/workspace/{path_text(closed[0][:80])}` cannot be looked into "
                f"({now.closed[closed[0]]}), so what it holds cannot be counted. Keep folders readable, and nest them "
                "no deeper than `~/memory/` takes, 16 levels.",
            )
        # Calls that overlap in a workspace cannot be told apart by what it grows by: each gets the sum of their limits.
        calls = self._presence.most
        tmp_bytes, tmp_files = self._tmp_used()
        size = now.bytes - self._before.bytes + tmp_bytes - self._tmp_before[0] + hidden_bytes
        allowed = self._limits.disk_mib * _MIB * calls
        if size > allowed:
            return HarnessError(
                "limit",
                f"`/workspace` and `/tmp` grew by {size / _MIB:,.1f} MiB; at most {allowed / _MIB:,.0f} MiB are "
                f"allowed, so it was {(size - allowed) / _MIB:,.1f} MiB over when it was stopped. Write less, or the "
                "owner raises `sandbox.disk_mib`.",
            )
        files = now.entries - self._before.entries + tmp_files - self._tmp_before[1]
        most = self._limits.files * calls
        if files > most:
            return HarnessError(
                "limit",
                f"`/workspace` and `/tmp` grew by {files:,} files and folders; at most {most:,} are allowed, so it was "
                f"{files - most:,} over when it was stopped. Write fewer files.",
            )
        return None

    async def _watch_process(self) -> HarnessError:
        while True:
            await asyncio.sleep(_POLL_SECS)
            resident, threads = _usage(self._pid)
            if resident > self._resident_mib * _MIB:
                used, over = resident / _MIB, resident / _MIB - self._resident_mib
                return HarnessError(
                    "limit",
                    f"It used {used:,.0f} MiB of memory; at most {self._resident_mib:,} MiB are allowed, so it was "
                    f"{over:,.0f} MiB over when it was stopped. Hold less at a time, or the owner raises "
                    "`sandbox.memory_mib`.",
                )
            if threads > THREADS:
                return HarnessError(
                    "limit",
                    f"It had {threads:,} threads; at most {THREADS} are allowed, so it was {threads - THREADS:,} over "
                    "when it was stopped. Start fewer.",
                )

    async def _watch_disk(self) -> HarnessError:
        loop = asyncio.get_running_loop()
        pause = _POLL_SECS
        while True:
            await asyncio.sleep(pause)
            began = loop.time()
            self._presence.keep_open()
            self._presence.look()
            now = await take_snapshot(self._workspace)
            passed = self.grown(now, _nameless_bytes(self._pid))
            if passed is not None:
                return passed
            # A workspace that takes long to look at is looked at less often: a fifth of the time at most.
            pause = max(_POLL_SECS, 4 * (loop.time() - began))

    def _tmp_used(self) -> tuple[int, int]:
        """Bytes and files in the sandbox's /tmp."""
        if self._tmp_fd is None:
            return (0, 0)
        room = os.fstatvfs(self._tmp_fd)
        return ((room.f_blocks - room.f_bfree) * room.f_frsize, room.f_files - room.f_ffree)


def _usage(pid: int | None) -> tuple[int, int]:
    """Memory held, in bytes, and threads of a process; nothing once it has gone."""
    fields: dict[str, int] = {}
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as status:
        for line in status:
            name, _, value = line.partition(":")
            if name in ("RssAnon", "RssShmem", "VmSwap", "Threads"):
                fields[name] = int(value.split()[0])
    # Pages of the program's own file are shared with every other process that runs it, and do not count.
    held = sum(fields.get(name, 0) for name in ("RssAnon", "RssShmem", "VmSwap"))
    return held * 1024, fields.get("Threads", 0)


def _nameless_bytes(pid: int | None) -> int:
    """What a process holds in files that it opened and then removed: no look at the folders finds them."""
    total = 0
    with contextlib.suppress(OSError):
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                status = os.stat(f"/proc/{pid}/fd/{descriptor}")
                if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                    total += status.st_blocks * 512
    return total

"""Watching what a running call uses, where the kernel keeps no count of its own for us."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas.changes import Presence, Snapshot, path_text, snapshot
from workbench.harness.tools.lambdas.usage import Held, Inhabitants, Usage
from workbench.harness.tools.lambdas.values import Limits

THREADS = 256
"""How many threads a call may have."""

SOCKETS = 512
"""How many sockets a call may have open, each of which can hold memory of the kernel."""

SLACK_BYTES = 1024 * 1024
"""How far over the disk limit one file, or /tmp, can get at most before the kernel refuses; what makes it seen."""

_ROOMS = ("/tmp", "/dev/shm")

_POLL_SECS = 0.05
_SEVERAL_POLL_SECS = 0.02
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


def largest_file(limits: Limits, before: Snapshot) -> int:
    """How large, in bytes, one file can get: what the disk limit allows the largest there is, and a little, so that it
    is noticed."""
    return before.largest + limits.disk_mib * _MIB + SLACK_BYTES


class Watchdog:
    """Limits that are kept by looking: memory really used, threads, growth of `/workspace` and `/tmp`.

    `several`: the call may start processes, and the limits are those of all of them together.
    """

    def __init__(
        self, limits: Limits, resident_mib: int, workspace: Path, presence: Presence, *, several: bool
    ) -> None:
        self._limits = limits
        self._resident_mib = resident_mib
        self._workspace = workspace
        self._presence = presence
        self._several = several
        self._before: Snapshot | None = None
        self._inhabitants: Inhabitants | None = None
        self._rooms: list[int] = []
        self._rooms_before = (0, 0)
        self._rooms_devices: set[int] = set()

    def begin(self, pid: int, before: Snapshot) -> None:
        """Watch the process `pid` of the host, from before its own code runs; `before` is the workspace until then."""
        self._inhabitants = Inhabitants(pid, several=self._several)
        self._before = before
        # Handles on the places in memory that can be written, which can be asked how full they are also after the end.
        for room in _ROOMS if self._several else _ROOMS[:1]:
            with contextlib.suppress(OSError):
                self._rooms.append(os.open(f"/proc/{pid}/root{room}", os.O_PATH | os.O_DIRECTORY))
        self._rooms_before = self._rooms_used()
        self._rooms_devices = {os.fstat(room).st_dev for room in self._rooms}

    def close(self) -> None:
        """Give the handles back."""
        if self._inhabitants is not None:
            self._inhabitants.close()
        while self._rooms:
            os.close(self._rooms.pop())

    async def watch(self) -> HarnessError:
        """Look again and again; ends with the limit that was passed."""
        looks = [asyncio.ensure_future(self._watch_processes()), asyncio.ensure_future(self._watch_disk())]
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
        tmp_bytes, tmp_files = self._rooms_used()
        size = now.bytes - self._before.bytes + tmp_bytes - self._rooms_before[0] + hidden_bytes
        allowed = self._limits.disk_mib * _MIB * calls
        if size > allowed:
            return HarnessError(
                "limit",
                f"`/workspace` and `/tmp` grew by {size / _MIB:,.1f} MiB; at most {allowed / _MIB:,.0f} MiB are "
                f"allowed, so it was {(size - allowed) / _MIB:,.1f} MiB over when it was stopped. Write less, or the "
                "owner raises `sandbox.disk_mib`.",
            )
        files = now.entries - self._before.entries + tmp_files - self._rooms_before[1]
        most = self._limits.files * calls
        if files > most:
            return HarnessError(
                "limit",
                f"`/workspace` and `/tmp` grew by {files:,} files and folders; at most {most:,} are allowed, so it was "
                f"{files - most:,} over when it was stopped. Write fewer files.",
            )
        return None

    async def _watch_processes(self) -> HarnessError:
        loop = asyncio.get_running_loop()
        pause = _POLL_SECS
        while True:
            await asyncio.sleep(pause)
            began = loop.time()
            passed = self._used_up(await self._usage())
            if passed is not None:
                return passed
            # Several processes take memory faster than one, and longer to look at: at most a tenth of the time.
            pause = max(_SEVERAL_POLL_SECS, 10 * (loop.time() - began)) if self._several else _POLL_SECS

    async def _usage(self) -> Usage:
        assert self._inhabitants is not None
        enough = self._resident_mib * _MIB
        if not self._several:
            return self._inhabitants.usage(enough)
        return await asyncio.get_running_loop().run_in_executor(_scanners, self._inhabitants.usage, enough)

    def _used_up(self, used: Usage) -> HarnessError | None:
        """The limit that a use of memory, threads or processes passes, if any."""
        who = "It and what it started" if self._several else "It"
        resident = used.resident / _MIB
        if used.resident > self._resident_mib * _MIB:
            return HarnessError(
                "limit",
                f"{who} used {resident:,.0f} MiB of memory; at most {self._resident_mib:,} MiB are allowed, so it was "
                f"{resident - self._resident_mib:,.0f} MiB over when it was stopped. Hold less at a time, or the owner "
                "raises `sandbox.memory_mib`.",
            )
        if used.threads > THREADS:
            return HarnessError(
                "limit",
                f"{who} had {used.threads:,} threads; at most {THREADS} are allowed, so it was "
                f"{used.threads - THREADS:,} over when it was stopped. Start fewer.",
            )
        most = self._limits.processes
        if self._several and used.processes > most:
            return HarnessError(
                "limit",
                f"It had {used.processes:,} processes; at most {most} are allowed, so it was "
                f"{used.processes - most:,} over when it was stopped. Start fewer at a time.",
            )
        return None

    async def _watch_disk(self) -> HarnessError:
        loop = asyncio.get_running_loop()
        pause = _POLL_SECS
        while True:
            await asyncio.sleep(pause)
            began = loop.time()
            self._presence.keep_open()
            self._presence.look()
            now = await take_snapshot(self._workspace)
            held = await self._held()
            passed = self.grown(now, held.nameless_bytes) or _too_many_sockets(held)
            if passed is not None:
                return passed
            # A workspace that takes long to look at is looked at less often: a fifth of the time at most.
            pause = max(_POLL_SECS, 4 * (loop.time() - began))

    async def _held(self) -> Held:
        assert self._inhabitants is not None
        assert self._before is not None
        largest = largest_file(self._limits, self._before)
        look = partial(self._inhabitants.held, largest, self._rooms_devices)
        return await asyncio.get_running_loop().run_in_executor(_scanners, look) if self._several else look()

    def _rooms_used(self) -> tuple[int, int]:
        """Bytes and files in the sandbox's places in memory."""
        rooms = [os.fstatvfs(room) for room in self._rooms]
        return (
            sum((room.f_blocks - room.f_bfree) * room.f_frsize for room in rooms),
            sum(room.f_files - room.f_ffree for room in rooms),
        )


def _too_many_sockets(held: Held) -> HarnessError | None:
    if held.sockets <= SOCKETS:
        return None
    return HarnessError(
        "limit",
        f"It had {held.sockets:,} open sockets; at most {SOCKETS} are allowed, so it was {held.sockets - SOCKETS:,} "
        "over when it was stopped. Close what is not needed.",
    )

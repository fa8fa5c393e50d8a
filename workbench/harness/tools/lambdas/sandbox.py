"""Run one call of a lambda, or one program, in a fresh confined process.

The interpreter starts inside bubblewrap and says hello on the result channel. The limits are then set on it, and only
with its request, which comes after that, does the call's own code begin. What it prints is kept apart from the result.
When the call ends, in whatever way, nothing of it runs any more.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import Json
from workbench.harness.tools.endings import dismiss, to_the_end
from workbench.harness.tools.lambdas import bootstrap, bubblewrap, profiles
from workbench.harness.tools.lambdas.bubblewrap import Profile
from workbench.harness.tools.lambdas.changes import Presence, Snapshot, changed_files
from workbench.harness.tools.lambdas.channel import Channel
from workbench.harness.tools.lambdas.process import Process, sealed
from workbench.harness.tools.lambdas.process_room import ProcessRoom
from workbench.harness.tools.lambdas.progress import Reporter
from workbench.harness.tools.lambdas.reports import value_of
from workbench.harness.tools.lambdas.streams import Stream, Tail
from workbench.harness.tools.lambdas.values import (
    ChangedFile,
    Job,
    Limits,
    Outcome,
    Permissions,
    Progress,
    Runtime,
)
from workbench.harness.tools.lambdas.watchdog import Watchdog, take_snapshot

__all__ = ["ChangedFile", "Job", "Limits", "Outcome", "Permissions", "Progress", "Runtime", "run"]

_START_SECS = 30.0


async def run(job: Job, on_progress: Callable[[Progress], None] | None = None) -> Outcome:
    """Run `job` and answer what it left.

    `on_progress` is called in the loop's thread. Raises HarnessError: `failed` where a lambda ends without a value
    that is JSON (the message says why and carries the end of stderr), `timeout` and `limit` where it was stopped,
    `unavailable` where it cannot be confined or its runtime is missing, `not_found` where the workspace is no folder,
    `bad_input` where the input is not JSON. Code that exits with another code than 0 is no failure. Cancelled, it
    raises CancelledError once everything is dead.
    """
    strict_json.check(job.input, what="the input")
    try:
        return await _Call(job, on_progress, proc=_proc_works[0]).run()
    except _NoProc:
        # A host, a container usually, that masks parts of its /proc allows no new one. The runtimes work without.
        _proc_works[0] = False
        return await _Call(job, on_progress, proc=False).run()


_proc_works = [True]


class _NoProc(Exception):
    """The sandbox cannot have a /proc of its own on this host."""


class _Call:
    """One run, from the first descriptor to the outcome."""

    def __init__(self, job: Job, on_progress: Callable[[Progress], None] | None, *, proc: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._job = job
        self._proc = proc
        self._tail = Tail(self._output_came)
        self._reporter = Reporter(on_progress, lambda: self._tail.text, self._loop)

    def _output_came(self) -> None:
        self._reporter.changed()

    async def run(self) -> Outcome:
        job = self._job
        wrapper = bubblewrap.find()
        if job.kind == "lambda" and job.runtime == "shell":
            raise HarnessError("bad_input", "There are no lambdas in shell; they are in typescript or python.")
        try:
            presence = Presence(job.workspace)
        except OSError as error:
            raise HarnessError(
                "not_found", f"The workspace {job.workspace} is no folder that can be opened: {error.strerror}."
            ) from error
        self._room = None
        try:
            self._room = ProcessRoom(job.limits.processes) if job.starts_processes else None
            payload = max(job.limits.result_bytes, 65_536)
            self._channel = Channel.pipe(payload) if job.runtime == "python" else Channel.named(payload)
            try:
                return await self._with_channel(wrapper.path, presence)
            finally:
                self._channel.close()
        finally:
            self._reporter.stop()
            presence.leave()
            if self._room is not None:
                self._room.close()

    async def _with_channel(self, bwrap: str, presence: Presence) -> Outcome:
        job = self._job
        profile = profiles.of(job, self._channel.child_fd)
        self._stdout = Stream(job.limits.stream_bytes, self._tail)
        self._stderr = Stream(job.limits.stream_bytes, self._tail)
        several = job.starts_processes
        self._watchdog = Watchdog(job.limits, profile.resident_mib, job.workspace, presence, several=several)
        self._reporter.stage("starting")
        try:
            process = self._start(bwrap, profile)
            stopped: HarnessError | None = None
            try:
                before, stopped = await self._supervise(process, profile)
            finally:
                try:
                    await to_the_end(process.end((self._stdout, self._stderr)))
                finally:
                    process.close()
            self._channel.finish()
            presence.keep_open()
            if before is None and stopped is None:
                raise self._not_started()
            after = await take_snapshot(job.workspace)
            presence.look()
            stopped = stopped or self._watchdog.grown(after)
            self._reporter.finish()
            if stopped is None and self._job.kind == "code" and process.exit_code is None:
                stopped = HarnessError("failed", "The sandbox was killed from outside before the program ended.")
            if stopped is not None:
                raise stopped
            value = self._value(process.exit_code) if job.kind == "lambda" else None
            return self._outcome(process, value, changed_files(before, after, presence.shared) if before else ())
        finally:
            self._watchdog.close()
            self._stdout.close()
            self._stderr.close()

    def _start(self, bwrap: str, profile: Profile) -> Process:
        """Spawn bubblewrap, in the thread of the loop."""
        opened: list[int] = []
        try:
            seccomp_fd = sealed("seccomp", profile.seccomp)
            opened.append(seccomp_fd)
            files: list[tuple[str, int]] = []
            for path, data in profile.files:
                opened.append(sealed("file", data))
                files.append((path, opened[-1]))
            status = os.pipe()
            opened.append(status[1])
            named = self._job.runtime != "python"
            command = bubblewrap.arguments(
                profile,
                workspace=self._job.workspace,
                tmp_bytes=profiles.tmp_bytes(self._job.limits),
                files=files,
                binds=[(self._channel.path, bootstrap.RESULT)] if named else [],
                seccomp_fd=seccomp_fd,
                status_fd=status[1],
                proc=self._proc,
            )
            inherited = [self._stdout.child_fd, self._stderr.child_fd, *opened[:-1]]
            if not named:
                inherited.append(self._channel.child_fd)
            try:
                return Process([bwrap, *command], inherited, status)
            except OSError as error:
                os.close(status[0])
                raise HarnessError("unavailable", f"bubblewrap ({bwrap}) does not start: {error.strerror}.") from error
        finally:
            self._stdout.close_child_end()
            self._stderr.close_child_end()
            for descriptor in opened:
                os.close(descriptor)

    async def _supervise(self, process: Process, profile: Profile) -> tuple[Snapshot | None, HarnessError | None]:
        """From the start to the moment when the call has ended or must be stopped: the workspace before it, and why it
        is stopped."""
        job = self._job
        channel = self._channel
        scan = asyncio.ensure_future(take_snapshot(job.workspace))
        watch: asyncio.Future[HarnessError] | None = None
        try:
            starting = {channel.hello, process.exited}
            await asyncio.wait(starting, timeout=_START_SECS, return_when=asyncio.FIRST_COMPLETED)
            if process.exited.done():
                return None, None
            if not channel.hello.done():
                return None, HarnessError("unavailable", f"The sandbox did not start within {_START_SECS:.0f} seconds.")
            channel.unlink()
            before = await scan
            pid = process.command()
            limits = {**profile.resources, **profiles.common_resources(job, before)}
            if pid is None or not await self._limit(process, pid, limits):
                return before, None
            self._watchdog.begin(pid, before)
            request = {"kind": job.kind, "limit": job.limits.result_bytes, "input": job.input}
            process.let_go(json.dumps(request, allow_nan=False).encode() + b"\n")
            self._reporter.stage("running")
            watch = asyncio.ensure_future(self._watchdog.watch())
            ends: set[asyncio.Future[Any]] = {process.exited, watch}
            if job.kind == "lambda":
                ends.add(channel.report)
            await asyncio.wait(ends, timeout=job.limits.timeout_secs, return_when=asyncio.FIRST_COMPLETED)
            if channel.report in ends and channel.report.done():
                return before, None
            # Before the exit, so that no stop is lost when both come at once.
            if watch.done():
                return before, watch.result()
            return before, None if process.exited.done() else self._too_slow()
        finally:
            await dismiss(scan, watch)

    async def _limit(self, process: Process, pid: int, limits: dict[int, int]) -> bool:
        """Set the kernel's limits on the command, before its own code runs; False if it has gone."""
        if self._room is not None:
            limits |= self._room.resources(pid)
            await to_the_end(self._room.take_in(pid))
        return process.limit(pid, limits)

    def _too_slow(self) -> HarnessError:
        limit = self._job.limits.timeout_secs
        return HarnessError(
            "timeout",
            f"It was stopped after {limit:g} second{'' if limit == 1 else 's'}, the time it was given. Do less in one "
            f"call, or ask for more time (`timeout_secs`, at most 300).\nLast output:\n{self._tail.text or '(none)'}",
        )

    def _value(self, exit_code: int | None) -> Json:
        return value_of(self._channel.report.result(), exit_code, self._stderr.last_lines(), self._job.limits)

    def _not_started(self) -> Exception:
        reason = self._stderr.last_lines()
        if self._proc and "Can't mount proc" in reason:
            return _NoProc()
        return HarnessError(
            "unavailable",
            f"The sandbox does not work here: {reason or 'it ended without a word'}. Nothing runs without it; "
            "`workbench doctor` says what is missing.",
        )

    def _outcome(self, process: Process, value: Json, changed: tuple[ChangedFile, ...]) -> Outcome:
        return Outcome(
            value=value,
            exit_code=0 if self._job.kind == "lambda" else process.exit_code or 0,
            stdout=self._stdout.text,
            stderr=self._stderr.text,
            truncated=self._stdout.truncated or self._stderr.truncated,
            changed_files=changed,
            duration_ms=round((self._loop.time() - self._began) * 1000),
        )

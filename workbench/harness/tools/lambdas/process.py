"""One confined process: started, let go, ended for certain."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence

from workbench.harness.tools.lambdas.orphans import PROCESS_NAME
from workbench.harness.tools.lambdas.streams import Stream

_SETTLE_SECS = 5.0


def sealed(name: str, data: bytes) -> int:
    """A descriptor of a memory file that holds `data` and that nobody can change or grow. The caller closes it."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    return descriptor


class Process:
    """A running bubblewrap with one process inside.

    It waits inside for its request: until `let_go` none of the call's own code has run, and if the workbench dies
    before that, it never will. From then on bubblewrap kills everything when the workbench dies. That bond belongs to
    the thread that starts the process, so it is made in the event loop's thread, which lives as long as the loop.

    `exited` is done when bubblewrap has ended, which is after everything inside has.
    """

    def __init__(self, command: Sequence[str], inherited: Sequence[int], status: tuple[int, int]) -> None:
        """Start `command`, a path and its arguments.

        `inherited` stay open in it, the first two as stdout and stderr; `status` is the pipe that bubblewrap reports on
        (read end, write end). Raises OSError where the program does not start.
        """
        self._loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = self._loop.create_future()
        self._init_known: asyncio.Future[int | None] = self._loop.create_future()
        self._init_handle: int | None = None
        self._status_fd, status_child = status
        self._status = b""
        self._request: memoryview = memoryview(b"")
        request_fd, self._request_fd = os.pipe()
        try:
            self._popen = subprocess.Popen(
                [PROCESS_NAME, *command[1:]],
                executable=command[0],
                stdin=request_fd,
                stdout=inherited[0],
                stderr=inherited[1],
                pass_fds=(*inherited[2:], status_child),
                env={},
                # A Ctrl-C of the terminal is for the workbench, which then ends the call in order.
                start_new_session=True,
            )
        except BaseException:
            os.close(self._request_fd)
            raise
        finally:
            os.close(request_fd)
        os.set_blocking(self._request_fd, False)
        os.set_blocking(self._status_fd, False)
        try:
            self._handle = os.pidfd_open(self._popen.pid)
        except BaseException:
            os.close(self._request_fd)
            self._popen.kill()
            self._popen.wait()
            raise
        self._loop.add_reader(self._status_fd, self._read_status)
        self._loop.add_reader(self._handle, self._reap)

    @property
    def exit_code(self) -> int | None:
        """The command's exit code, 128 + N for a death by signal N, once `exited`; None if it never started."""
        match = re.search(rb'^\{ "exit-code": (\d+)', self._status, re.MULTILINE)
        return int(match[1]) if match else None

    def command(self) -> int | None:
        """The process id of the command on the host, from the bootstrap's first sign on; None if it has gone."""
        init = self._init_known.result() if self._init_known.done() else None
        return _child_of(init) if init is not None else None

    def limit(self, pid: int, limits: Mapping[int, int]) -> bool:
        """Set limits of the kernel on the command, whose process id is `pid`; False if it has gone meanwhile.

        Call it before `let_go`.
        """
        with contextlib.suppress(ProcessLookupError):
            for which, wanted in limits.items():
                _, most = resource.prlimit(pid, which)
                value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
                resource.prlimit(pid, which, (value, value))
            return True
        return False

    def let_go(self, request: bytes) -> None:
        """Hand the request over; the call's own code starts when it has all of it."""
        self._request = memoryview(request)
        self._loop.add_writer(self._request_fd, self._write_request)

    async def end(self, streams: Sequence[Stream]) -> None:
        """Kill whatever still runs and wait until it is gone and `streams` have ended."""
        self._stop_writing()
        if not self.exited.done():
            # Until bubblewrap has named the first process of the namespace, killing bubblewrap could leave it behind;
            # that is a matter of a few milliseconds. What then still starts inside finds no request and ends.
            await asyncio.wait({self._init_known}, timeout=_SETTLE_SECS)
            if self._init_handle is None:
                self._popen.kill()
        if self._init_handle is not None:
            # It takes all others of the namespace with it, and is over when they are. Bubblewrap ends with the command,
            # whatever that left running.
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init_handle, signal.SIGKILL)
            await self._over(self._init_handle)
        await asyncio.wait({self.exited, *(stream.ended for stream in streams)})

    def close(self) -> None:
        """Give the descriptors back, after `end`."""
        self._stop_writing()
        self._loop.remove_reader(self._status_fd)
        os.close(self._status_fd)
        if self._init_handle is not None:
            os.close(self._init_handle)

    async def _over(self, handle: int) -> None:
        """Wait until the process behind a handle has ended."""
        over: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(handle, lambda: over.done() or over.set_result(None))
        try:
            await over
        finally:
            self._loop.remove_reader(handle)

    def _read_status(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._status_fd, 4096)
            self._status += data
            if not data:
                self._loop.remove_reader(self._status_fd)
        if self._init_known.done():
            return
        first = re.match(rb'\{ "child-pid": (\d+)\D', self._status)
        if first:
            pid = int(first[1])
            with contextlib.suppress(ProcessLookupError):
                self._init_handle = os.pidfd_open(pid)
            self._init_known.set_result(pid)

    def _reap(self) -> None:
        self._loop.remove_reader(self._handle)
        os.close(self._handle)
        self._popen.wait()
        while self._status_fd_has_more():
            pass
        if not self._init_known.done():
            self._init_known.set_result(None)
        self.exited.set_result(None)

    def _status_fd_has_more(self) -> bool:
        try:
            data = os.read(self._status_fd, 4096)
        except BlockingIOError:
            return False
        self._status += data
        return bool(data)

    def _write_request(self) -> None:
        try:
            self._request = self._request[os.write(self._request_fd, self._request) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._request = memoryview(b"")
        if not self._request:
            self._stop_writing()

    def _stop_writing(self) -> None:
        if self._request_fd >= 0:
            self._loop.remove_writer(self._request_fd)
            os.close(self._request_fd)
            self._request_fd = -1


def _child_of(parent: int) -> int | None:
    """The one child of the first process in the sandbox: the command."""
    try:
        with open(f"/proc/{parent}/task/{parent}/children") as listing:
            children = listing.read().split()
        return int(children[0]) if children else None
    except FileNotFoundError:
        return _child_by_search(parent)


def _child_by_search(parent: int) -> int | None:
    # For kernels that do not list the children of a process.
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as status:
                if int(status.read().rpartition(")")[2].split()[1]) == parent:
                    return int(name)
    return None

"""One command: started under its supervisor, followed to its end, and ended for certain with all that it started."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal as signals
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.endings import to_the_end
from workbench.harness.tools.toolbox.commands.leftovers import end_session
from workbench.harness.tools.toolbox.commands.telling import News, Telling
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.limits import QUIET_SECS
from workbench.harness.tools.toolbox.paths import shown

_SUPERVISOR = Path(__file__).with_name("supervisor.py")

_CHUNK_BYTES = 256 * 1024
_REST_CHUNKS = 16

# Longer than the supervisor itself takes at most.
_GRACE_SECS = 15.0


class Start(Struct, frozen=True, kw_only=True):
    """What is started, where, and the seconds from then on that it may take, None for any number."""

    shell: bytes
    command: bytes
    cwd: bytes
    environment: Mapping[bytes, bytes]
    timeout_secs: float | None = None


class End(Struct, frozen=True):
    """How it ended: by itself, for the time, or because it was aborted.

    `code` is the exit code, 128 and the number of the signal where one ended the shell, which `signal` names then.
    `left` are processes of it that could not be ended.
    """

    how: Literal["exited", "timeout", "aborted"]
    code: int = 0
    signal: str | None = None
    left: tuple[int, ...] = ()


Take = Callable[[bytes], Awaitable[None]]
"""Given a piece of the output; the next is read when it is done."""


async def run(start: Start, take: Take, signal: Signal) -> End:
    """Run a command and give all of its output to `take`.

    When it returns or raises, also by a cancellation, nothing that the command started runs any more, but for what
    `left` names.

    Raises:
        HarnessError: `not_found` or `unavailable`: the command could not be started.
    """
    command = _Command(start)
    unhook = signal.on_abort(command.wake_from_any_thread)
    try:
        try:
            end = await command.follow(take, signal)
        finally:
            unhook()
            await to_the_end(command.end())
        await command.take_rest(take)
    finally:
        command.close()
    return msgspec.structs.replace(end, left=command.left)


class _Command:
    """A supervisor, which is two processes, and what it tells.

    Its request is a file in memory. `line` brings it a token, and then, by its end, that all is to be ended: this
    process alone holds our side, so that it ends with this process too. There comes what it tells, each line with the
    token; and the end when both processes have ended. `output` is what the command prints.
    """

    def __init__(self, start: Start) -> None:
        import subprocess

        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._over = asyncio.Event()
        token = os.urandom(16).hex().encode()
        self._telling = Telling(token)
        self._start = start
        self._shell: int | None = None
        self._exit: tuple[int, str | None] | None = None
        self._failed: HarnessError | None = None
        self._output_ended = False
        self.left: tuple[int, ...] = ()
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            try:
                request = _request(start)
                theirs.callback(os.close, request)
                self._line, line = socket.socketpair()
                ours.callback(self._line.close)
                theirs.callback(line.close)
                self._line.setblocking(False)
                self._line.send(token)
                output, self._output = _pipe(theirs, ours)
                self._popen = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-E", str(_SUPERVISOR), str(line.fileno())],
                    stdin=request,
                    stdout=output,
                    stderr=output,
                    pass_fds=(line.fileno(),),
                    cwd="/",
                    # Nothing but what a Python that is linked to a library elsewhere needs to start.
                    env={name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ},
                    start_new_session=True,
                )
            except OSError as error:
                raise HarnessError("unavailable", f"The command could not be started: {error}.") from error
            ours.pop_all()
        self._loop.add_reader(self._line, self._read_line)

    def wake_from_any_thread(self) -> None:
        """Have `follow` look again."""
        self._loop.call_soon_threadsafe(self._woken.set)

    async def follow(self, take: Take, signal: Signal) -> End:
        """Hand on the output until the command has ended, its time is over, or it is aborted.

        It has ended when its shell has, and then the output, or when nothing came of that for a while: what it left
        running may hold it open for ever.
        """
        deadline: float | None = None
        quiet_until: float | None = None
        while True:
            self._woken.clear()
            data = self._read()
            if data:
                await take(data)
                await asyncio.sleep(0)
            now = self._loop.time()
            if signal.aborted:
                return End("aborted")
            if self._failed is not None:
                raise self._failed
            if self._exit is not None:
                if self._output_ended or (not data and quiet_until is not None and now >= quiet_until):
                    return End("exited", *self._exit)
                if data or quiet_until is None:
                    quiet_until = now + QUIET_SECS
            elif self._over.is_set() and self._shell is None:
                raise HarnessError("unavailable", f"The command could not be started with {sys.executable}.")
            elif self._over.is_set():
                # The shell is bound to its supervisor and dies with it.
                return End("exited", 128 + signals.SIGKILL, "SIGKILL, with the process that watched over it")
            if self._start.timeout_secs is not None and self._shell is not None:
                deadline = now + self._start.timeout_secs if deadline is None else deadline
                if now >= deadline:
                    return End("timeout")
            if not data:
                await self._wait(min((at for at in (quiet_until, deadline) if at is not None), default=None))

    async def end(self) -> None:
        """Have the supervisor end everything, and wait until that is so."""
        with contextlib.suppress(OSError):  # it has ended already
            self._line.shutdown(socket.SHUT_WR)
        # In case the command stopped it.
        self._popen.send_signal(signals.SIGCONT)
        try:
            async with asyncio.timeout(_GRACE_SECS):
                await self._over.wait()
        except TimeoutError:
            # The other of the two goes on then. Should a command stop that again and again, it is not waited for.
            self._popen.kill()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_SECS):
                    await self._over.wait()
        if self._popen.wait() != 0 and self._shell is not None:
            await asyncio.to_thread(end_session, self._shell, os.fstat(self._output).st_ino)

    async def take_rest(self, take: Take) -> None:
        """Hand on what the pipe still holds, after `end`. What could not be ended may go on to write: not for ever."""
        for _ in range(_REST_CHUNKS):
            data = self._read()
            if not data:
                return
            await take(data)

    def close(self) -> None:
        """Give the descriptors back, after `end`."""
        self._loop.remove_reader(self._line)
        self._line.close()
        os.close(self._output)

    async def _wait(self, until: float | None) -> None:
        """Wait until there is output, or news of the supervisor, or an abort; at most until a moment of the loop."""
        if not self._output_ended:
            self._loop.add_reader(self._output, self._woken.set)
        try:
            async with asyncio.timeout_at(until):
                await self._woken.wait()
        except TimeoutError:
            return
        finally:
            self._loop.remove_reader(self._output)

    def _read(self) -> bytes:
        """What is there of the output now, or nothing."""
        try:
            data = os.read(self._output, _CHUNK_BYTES)
        except BlockingIOError:
            return b""
        self._output_ended = not data
        return data

    def _read_line(self) -> None:
        try:
            data = self._line.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""  # it has ended without reading its token
        if not data:
            self._loop.remove_reader(self._line)
            self._over.set()
        for news in self._telling.take(data):
            self._hear(news)
        self._woken.set()

    def _hear(self, news: News) -> None:
        match news.what:
            case "failed":
                self._failed = self._failed or _failure(news.place, news.numbers[0], self._start)
            case "started":
                self._shell = self._shell or news.numbers[0]
            case "left":
                self.left = news.numbers
            case "exit":
                self._exit = self._exit or (news.numbers[0], None)
            case "signal":
                self._exit = self._exit or (128 + news.numbers[0], _signal_name(news.numbers[0]))


def cwd_missing(cwd: str) -> HarnessError:
    """The failure of a command whose working directory is not there."""
    return HarnessError("not_found", f"Working directory does not exist: {cwd}\nCannot execute bash commands.")


def _failure(place: str, number: int, start: Start) -> HarnessError:
    reason = f"{errno.errorcode.get(number, number)}: {os.strerror(number)}"
    if place == "directory":
        cwd = shown(os.fsdecode(start.cwd))
        if number == errno.ENOENT:
            return cwd_missing(cwd)
        return HarnessError("refused", f"Working directory cannot be used: {cwd} ({reason})")
    if place == "shell":
        return HarnessError("unavailable", f"spawn {shown(os.fsdecode(start.shell))} {reason}")
    return HarnessError("unavailable", f"The command could not be started ({reason}).")


def _signal_name(number: int) -> str:
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _request(start: Start) -> int:
    """A file in memory with what the supervisor is to do: its arguments can be read by everybody on the machine."""
    variables = (b"%b=%b" % pair for pair in start.environment.items())
    view = memoryview(b"\0".join((start.cwd, start.shell, start.command, *variables)))
    descriptor = os.memfd_create("command", os.MFD_CLOEXEC)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _pipe(theirs: contextlib.ExitStack, ours: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe: their end, which writes, and ours, which never blocks."""
    our, their = os.pipe()
    theirs.callback(os.close, their)
    ours.callback(os.close, our)
    os.set_blocking(our, False)
    return their, our

"""The channel on which a call's result travels, apart from anything it prints."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from dataclasses import dataclass

from workbench.harness.tools.lambdas import orphans

HELLO = b"H"
_HEAD_BYTES = 16
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Report:
    """What the bootstrap said at the end: `kind` is "V" for a value, another letter for why there is none."""

    kind: str
    payload: bytes


class Channel:
    """The workbench's end. What arrives was written by untrusted code and is taken as such: its size is bounded, its
    text is parsed strictly, and what is malformed is no report.

    `hello` is done when the bootstrap runs (True) or when it never will (False), `report` when a whole report is there
    or when there will be none (None).
    """

    def __init__(self, read_fd: int, child_fd: int, folder: str | None, payload_bytes: int) -> None:
        loop = asyncio.get_running_loop()
        self.child_fd = child_fd
        self.hello: asyncio.Future[bool] = loop.create_future()
        self.report: asyncio.Future[Report | None] = loop.create_future()
        self._read_fd = read_fd
        self._folder = folder
        self._payload_bytes = payload_bytes
        self._received = bytearray()
        self._loop = loop
        os.set_blocking(read_fd, False)
        loop.add_reader(read_fd, self._readable)

    @classmethod
    def pipe(cls, payload_bytes: int) -> Channel:
        """A channel over an anonymous pipe; the child inherits `child_fd`."""
        read_fd, child_fd = os.pipe()
        return cls(read_fd, child_fd, None, payload_bytes)

    @classmethod
    def named(cls, payload_bytes: int) -> Channel:
        """A channel over a named pipe, to be mounted from `path`. Both ends are open from the start: none waits."""
        folder = orphans.folder("result")
        path = os.path.join(folder, "result")
        os.mkfifo(path, 0o600)
        read_fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        return cls(read_fd, os.open(path, os.O_WRONLY), folder, payload_bytes)

    @property
    def path(self) -> str:
        """Where the named pipe lies on the host until `unlink`."""
        return os.path.join(self._folder or "", "result")

    def unlink(self) -> None:
        """Take the named pipe off the host's file system; once it is mounted in the sandbox nobody needs it there."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def finish(self) -> None:
        """Take what is still in the channel, now that nobody writes any more; `report` is done then."""
        with contextlib.suppress(BlockingIOError):
            while not self.report.done() and self._take():
                pass
        self._settle()

    def close(self) -> None:
        """Give everything back."""
        self._settle()
        self._loop.remove_reader(self._read_fd)
        os.close(self._read_fd)
        os.close(self.child_fd)
        self.unlink()

    def _readable(self) -> None:
        with contextlib.suppress(BlockingIOError):
            if not self._take():
                self._settle()

    def _take(self) -> bool:
        data = os.read(self._read_fd, _CHUNK)
        self._received += data
        self._parse()
        return bool(data)

    def _parse(self) -> None:
        if self.report.done():
            self._received.clear()
            return
        received = self._received
        if not self.hello.done() and received:
            self.hello.set_result(received.startswith(HELLO))
        head, newline, payload = received[1:].partition(b"\n")
        if not newline:
            if len(head) > _HEAD_BYTES:
                self._settle()
            return
        kind, size = head[:1].decode("latin-1"), head[1:]
        if len(head) > _HEAD_BYTES or not size.isdigit() or int(size) > self._payload_bytes:
            self._settle()
        elif len(payload) >= int(size):
            self.report.set_result(Report(kind, bytes(payload[: int(size)])))

    def _settle(self) -> None:
        if not self.hello.done():
            self.hello.set_result(False)
        if not self.report.done():
            self.report.set_result(None)
        self._loop.remove_reader(self._read_fd)

"""The two processes above a command: whenever one of them, or the workbench, is killed, nothing is left."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.tools.toolbox.commands.processes import DEADLINE_SECS, Mark
from workbench.harness.tools.toolbox.commands import command

SOURCE = command._SUPERVISOR.read_text()
STOP = "os.kill(os.getpid(), signal.SIGSTOP)"
MOMENTS = {
    "the guard before its fork": "        guard = os.getpid()\n",
    "the watcher before it is bound": '        _bind(b"workbench-bash")\n',
    "the watcher before its fork": "        watcher = os.getpid()\n",
    "the shell before it is bound": "        _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)\n",
    "the shell before it is one": '        place = "directory"\n',
}
"""Who is stopped, and at which line."""

DEPTHS = ("guard", "watcher", "shell")


@pytest.fixture
def mark() -> Iterator[Mark]:
    """A mark of which no process is left after the test."""
    mark = Mark()
    yield mark
    mark.wait_until_none()


class Supervised:
    """A supervisor without a workbench: what it is given, and the processes that it is made of."""

    def __init__(self, source: str, code: str, *, token: bytes = b"t" * 32, gone: bool = False) -> None:
        self.line, theirs = socket.socketpair()
        self.line.send(token)
        if gone:
            self.line.close()
        request = os.memfd_create("command")
        os.write(request, b"\0".join((b"/", b"/bin/bash", code.encode(), b"PATH=/usr/bin:/bin")))
        os.lseek(request, 0, os.SEEK_SET)
        self.guard = subprocess.Popen(
            [sys.executable, "-I", "-S", "-E", "-c", source, str(theirs.fileno())],
            stdin=request,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        theirs.close()
        os.close(request)

    def told(self) -> bytes:
        """All that it tells until both of its processes have ended."""
        self.line.settimeout(DEADLINE_SECS)
        pieces: list[bytes] = []
        while piece := self.line.recv(4_096):
            pieces.append(piece)
        return b"".join(pieces)

    def stopped(self, depth: int) -> list[int]:
        """Wait until the process at a depth is stopped; gives it and those above it, the guard first."""
        until = time.monotonic() + DEADLINE_SECS
        while time.monotonic() < until:
            pids = [self.guard.pid]
            while len(pids) <= depth and (below := children(pids[-1])):
                pids.append(below[0])
            if len(pids) > depth and stat_of(pids[depth])[0] == "T":
                return pids
            os.sched_yield()
        raise AssertionError("it never stopped")


def stat_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["X", "0"]


def children(pid: int) -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and stat_of(int(name))[1] == str(pid)]


def stopping(line: str) -> str:
    assert SOURCE.count(line) == 1
    indent = line[: len(line) - len(line.lstrip())]
    return SOURCE.replace(line, f"{indent}{STOP}\n{line}")


@pytest.mark.parametrize("killed", [("workbench",), ("watcher",), ("guard",), ("guard", "watcher")])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_death_at_any_moment_of_the_start_leaves_nothing(mark: Mark, moment: str, killed: tuple[str, ...]) -> None:
    depth = DEPTHS.index(moment.split()[1])
    supervised = Supervised(stopping(MOMENTS[moment]), f"sleep {mark} & setsid sleep {mark} & sleep {mark}")
    pids = supervised.stopped(depth)
    handles = [os.pidfd_open(pid) for pid in pids]
    for name in killed:
        if name == "workbench":
            supervised.line.close()
        elif DEPTHS.index(name) <= depth:
            os.kill(pids[DEPTHS.index(name)], signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(handles[depth], signal.SIGCONT)
    if depth == 0 and killed == ("watcher",):
        supervised.line.close()  # there was none to kill
    looks = select.poll()
    for handle in handles:
        looks.register(handle, select.POLLIN)
        assert looks.poll(DEADLINE_SECS * 1_000)
        looks.unregister(handle)
        os.close(handle)
    supervised.guard.wait(DEADLINE_SECS)
    supervised.line.close()
    mark.wait_until_none()


@pytest.mark.parametrize("token", [b"t" * 32, b""])
def test_a_workbench_that_was_killed_before_its_start_had_nothing_run(tmp_path: Path, token: bytes) -> None:
    """As between the fork and the exec of its start."""
    supervised = Supervised(SOURCE, f": >{tmp_path}/ran", token=token, gone=True)
    assert supervised.guard.wait(DEADLINE_SECS) == 0
    assert not (tmp_path / "ran").exists()


def test_every_line_begins_with_the_token() -> None:
    supervised = Supervised(SOURCE, "echo $$; exit 3")
    started, ended = supervised.told().splitlines()
    supervised.line.close()
    assert supervised.guard.wait(DEADLINE_SECS) == 0
    assert started.startswith(b"t" * 32 + b" started ")
    assert ended == b"t" * 32 + b" exit 3"


def test_a_system_that_has_not_what_it_needs_is_told() -> None:
    supervised = Supervised(SOURCE.replace("if descriptor < 0", "if descriptor >= 0"), "exit 3")
    told = supervised.told()
    supervised.line.close()
    supervised.guard.wait(DEADLINE_SECS)
    assert told == b"t" * 32 + b" failed watch 0\n"

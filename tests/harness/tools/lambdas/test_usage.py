"""What processes use, as it is counted from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from workbench.harness.tools.lambdas import usage
from workbench.harness.tools.lambdas.usage import Held, Inhabitants, Usage

MIB = 1024 * 1024

FAMILY = """
import os, sys
held = bytearray(30 << 20)
file = open(sys.argv[1], "wb")
os.unlink(sys.argv[1])
file.write(bytes(3 << 20))
file.flush()
for _ in range(2):
    if os.fork() == 0:
        sys.stdin.read()
        os._exit(0)
print("ready", flush=True)
sys.stdin.read()
"""
"""Holds 30 MiB and a removed file of 3 MiB, and shares both with two children."""


@pytest.fixture
def family(tmp_path) -> Iterator[int]:
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", FAMILY, str(tmp_path / "file")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as first:
        assert first.stdout is not None
        first.stdout.readline()
        yield first.pid


def test_one_process_is_looked_at_alone(family):
    alone = Inhabitants(family, several=False)
    found = alone.usage(enough=MIB)
    assert (found.processes, found.threads) == (1, 1)
    assert 30 * MIB < found.resident < 60 * MIB
    assert alone.held(MIB) == Held(3 * MIB, sockets=0)


def test_where_there_is_no_proc_inside_several_are_found_by_their_descent(family, tmp_path, monkeypatch):
    def none(*_: object) -> int:
        raise FileNotFoundError

    monkeypatch.setattr(usage.os, "open", none)
    together = Inhabitants(family, several=True)
    monkeypatch.undo()
    # All that are below the parent of the first one, as in the sandbox; here that is this very test.
    found = together.usage(enough=10**12)
    assert found.processes >= 3
    assert found.resident > 90 * MIB
    assert together.usage(enough=MIB).resident < found.resident - 50 * MIB
    assert together.held(MIB).nameless_bytes == 3 * MIB
    assert together.held(MIB, known={tmp_path.stat().st_dev}).nameless_bytes == 0


def test_in_the_hosts_proc_what_has_gone_uses_nothing():
    ended = subprocess.Popen(["true"])
    ended.wait()
    gone = Inhabitants(ended.pid, several=False)
    assert gone.usage(enough=0) == Usage(0, 0, 0)
    assert gone.held(MIB) == Held(0, 0)


def test_the_handle_is_given_back_once(family):
    before = len(os.listdir("/proc/self/fd"))
    together = Inhabitants(family, several=True)
    together.usage(enough=0)
    # What earlier tests left to the collector may go meanwhile.
    assert len(os.listdir("/proc/self/fd")) <= before + 1
    together.close()
    together.close()
    # What earlier tests left to the collector may go meanwhile.
    assert len(os.listdir("/proc/self/fd")) <= before
    assert together.usage(enough=0) is not None


WIDE = """
import ctypes, sys
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
size = 16 << 30
start = libc.mmap(None, size, 1, 0x4022, -1, 0)
for at in range(0, size, 2 << 20):
    ctypes.c_char.from_address(start + at).value
print("ready", flush=True)
sys.stdin.read()
"""
"""Reads far and wide without writing anything: page tables, 32 MiB of them, are all that it takes."""


def test_page_tables_are_memory_too():
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", WIDE], **pipes) as wide:
        assert wide.stdout is not None
        wide.stdout.readline()
        assert Inhabitants(wide.pid, several=False).usage(enough=MIB).resident > 32 * MIB

"""One run of ripgrep: it ends with the call, and what could not be read is said."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tools.toolbox.using import use
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.find import FIND
from workbench.harness.tools.toolbox.grep import GREP
from workbench.harness.tools.toolbox.host_tool import HostContext, Signal
from workbench.harness.tools.toolbox.limits import MEBIBYTE
from workbench.harness.tools.toolbox.ripgrep import locate
from workbench.harness.tools.toolbox.ripgrep import run as running


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a shell script in the place of ripgrep, for what the real one cannot be made to do."""

    def put(script: str) -> None:
        program = tmp_path / "rg"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(running, "ripgrep", lambda: str(program))

    return put


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_an_abort_kills_it(here: HostContext, stand_in: Any) -> None:
    stand_in("echo $$; exec sleep 1000")
    signal = Signal()
    printed: list[bytes] = []

    def take(data: bytes) -> None:
        printed.append(data)
        signal.abort()

    with pytest.raises(HarnessError, match="Operation aborted") as aborted:
        await running.run((), cwd=here.cwd, signal=signal, take=take)
    assert aborted.value.code == "cancelled"
    assert gone(int(printed[0]))


async def test_a_cancelled_task_kills_it(here: HostContext, stand_in: Any) -> None:
    stand_in("echo $$; exec sleep 1000")
    loop = asyncio.get_running_loop()
    printed: list[bytes] = []

    def take(data: bytes) -> None:
        printed.append(data)
        loop.call_soon_threadsafe(task.cancel)

    task = asyncio.ensure_future(running.run((), cwd=here.cwd, signal=Signal(), take=take))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gone(int(printed[0]))


async def test_a_fault_in_what_takes_the_output_kills_it(here: HostContext, stand_in: Any) -> None:
    stand_in("echo $$; exec sleep 1000")
    printed: list[bytes] = []

    def take(data: bytes) -> None:
        printed.append(data)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await running.run((), cwd=here.cwd, signal=Signal(), take=take)
    assert gone(int(printed[0]))


async def test_one_that_was_told_enough_is_ended_and_what_it_complained_about_is_kept(
    here: HostContext, stand_in: Any
) -> None:
    stand_in("echo 'rg: ./locked: Permission denied (os error 13)' >&2; echo $$; exec sleep 1000")
    printed: list[bytes] = []

    def take(data: bytes) -> bool:
        printed.append(data)
        return True

    ended = await running.run((), cwd=here.cwd, signal=Signal(), take=take)
    assert ended == running.Ended(1, "locked: Permission denied")
    assert gone(int(b"".join(printed)))


async def test_what_could_not_be_read_is_said_beside_what_was_found(here: HostContext, stand_in: Any) -> None:
    stand_in(
        "printf './a.txt\\0001:hit\\n'\n"
        "echo 'rg: ./locked: Permission denied (os error 13)' >&2\n"
        "echo 'rg: ./x: IO error for operation on ./x: Permission denied (os error 13)' >&2\nexit 2"
    )
    answer = await use(GREP, {"pattern": "hit"}, here)
    assert answer.text == (
        "a.txt:1: hit\n\n[2 files or folders could not be read and may hold more (locked: Permission denied)]"
    )
    assert answer.details == {"unread": 2}


async def test_find_says_so_too(here: HostContext, stand_in: Any) -> None:
    stand_in("printf 'a.txt\\0'; echo 'rg: ./locked: Permission denied (os error 13)' >&2; exit 2")
    answer = await use(FIND, {"pattern": "*.txt"}, here)
    assert answer.text == (
        "a.txt\n\n[1 file or folder could not be read and may hold more (locked: Permission denied)]"
    )


async def test_complaints_are_kept_in_bounds(here: HostContext, stand_in: Any) -> None:
    stand_in("yes 'rg: ./locked: Permission denied (os error 13)' | head -n 50000 >&2; exit 2")
    ended = await running.run((), cwd=here.cwd, signal=Signal(), take=lambda data: None)
    assert 49_000 < ended.unread <= 50_001


async def test_a_death_by_signal_is_a_failure(here: HostContext, stand_in: Any) -> None:
    stand_in("kill -SEGV $$")
    with pytest.raises(HarnessError, match="ended by signal 11"):
        await running.run((), cwd=here.cwd, signal=Signal(), take=lambda data: None)


async def test_a_failure_without_words(here: HostContext, stand_in: Any) -> None:
    stand_in("exit 2")
    with pytest.raises(HarnessError, match="did not say why"):
        await running.run((), cwd=here.cwd, signal=Signal(), take=lambda data: None)


async def test_a_folder_that_vanished(here: HostContext) -> None:
    with pytest.raises(HarnessError, match="Cannot read directory"):
        await running.run((), cwd=here.cwd / "gone", signal=Signal(), take=lambda data: None)


async def test_what_ignores_arrives(here: HostContext) -> None:
    for name in ("a.txt", "b.md"):
        (here.cwd / name).touch()
    printed: list[bytes] = []
    await running.run(("--files",), cwd=here.cwd, signal=Signal(), take=printed.append, ignore="*.md\n")
    assert b"".join(printed) == b"a.txt\n"


def test_it_is_found_where_the_packages_put_their_programs() -> None:
    locate.ripgrep.cache_clear()
    assert os.access(locate.ripgrep(), os.X_OK)


def test_it_is_found_on_the_search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rg").write_text("#!/bin/sh\n")
    (tmp_path / "rg").chmod(0o755)
    locate.ripgrep.cache_clear()
    monkeypatch.setattr(locate, "_script_folders", lambda: ())
    monkeypatch.setenv("PATH", str(tmp_path))
    assert locate.ripgrep() == str(tmp_path / "rg")
    locate.ripgrep.cache_clear()


async def test_a_system_that_gives_no_wider_pipe_is_searched_all_the_same(
    here: HostContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is for a user whose pipes hold as much as all of them may."""
    (here.cwd / "a.txt").write_text("hit\n")
    asked: list[int] = []
    call = fcntl.fcntl

    def refusing(descriptor: int, command: int, argument: int = 0) -> int:
        if command == fcntl.F_SETPIPE_SZ:
            asked.append(descriptor)
            raise PermissionError(errno.EPERM, "Operation not permitted")
        return call(descriptor, command, argument)

    monkeypatch.setattr(fcntl, "fcntl", refusing)
    assert (await use(GREP, {"pattern": "hit"}, here)).text == "a.txt:1: hit"
    assert (await use(FIND, {"pattern": "*.txt"}, here)).text == "a.txt"
    assert len(asked) == 2
    monkeypatch.delattr(fcntl, "F_SETPIPE_SZ")
    assert (await use(GREP, {"pattern": "hit"}, here)).text == "a.txt:1: hit"


async def test_a_search_that_cannot_be_ended_takes_no_thread_of_others(here: HostContext, stand_in: Any) -> None:
    stand_in("echo hit")
    go_on = threading.Event()
    begun = [threading.Event() for _ in range(40)]

    def hanging(at: int) -> Callable[[bytes], None]:
        def take(data: bytes) -> None:
            begun[at].set()
            go_on.wait(10)

        return take

    runs = [
        asyncio.ensure_future(running.run((), cwd=here.cwd, signal=Signal(), take=hanging(at)))
        for at in range(len(begun))
    ]
    for event in begun:
        assert await asyncio.to_thread(event.wait, 10)
    assert await asyncio.wait_for(asyncio.to_thread(lambda: 2), 10) == 2
    go_on.set()
    await asyncio.gather(*runs)


@pytest.mark.parametrize("path", [".", "f"])
async def test_a_line_that_is_longer_than_the_memory_for_it_ends_the_search(
    here: HostContext, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(running, "SEARCH_MEMORY_BYTES", 64 * MEBIBYTE)
    (here.cwd / "f").write_bytes(b"x" * 100 * MEBIBYTE)
    with pytest.raises(HarnessError, match="more than 64 MiB of memory") as raised:
        await use(GREP, {"pattern": "y", "path": path}, here)
    assert raised.value.code == "limit"
    (here.cwd / "f").write_bytes(b"xy" + b"x" * 10 * MEBIBYTE)
    assert (await use(GREP, {"pattern": "y", "path": path}, here)).text.startswith("f:1: xyxx")

"""What the sandbox's tests share: a call in one line, and the certainty that nothing is left behind."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas.sandbox import Job, Limits, Outcome, Permissions, run

Call = Callable[..., Awaitable[Outcome]]
Fails = Callable[..., Awaitable[HarnessError]]


def descendants(ancestor: int) -> set[int]:
    """The process ids below `ancestor`, from the host's /proc."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path(f"/proc/{name}/stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
    below = {ancestor}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {ancestor}


def until(true: Callable[[], bool]) -> None:
    """Look again and again until a condition holds; one that never does is for the suite's timeout."""
    while not true():
        os.sched_yield()


async def turns_until(true: Callable[[], bool]) -> None:
    """Let the loop go on, turn by turn, until a condition holds."""
    for _ in iter(true, True):
        await asyncio.sleep(0)


@pytest.fixture
def wait_until() -> Callable[..., None]:
    return until


@pytest.fixture
def turn_until() -> Callable[..., Awaitable[None]]:
    return turns_until


@pytest.fixture
def started(workspace: Path) -> Callable[[], Awaitable[None]]:
    """Wait, with the loop going on, until a lambda has made the file `started`."""

    async def wait() -> None:
        await turns_until((workspace / "started").exists)

    return wait


@pytest.fixture
def processes_below() -> Callable[[int], set[int]]:
    return descendants


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """After every call all that was started for it has gone, at once."""
    before = descendants(os.getpid())
    yield
    if request.node.get_closest_marker("sandbox") is not None:
        assert not descendants(os.getpid()) - before, "processes of a call were left running"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def call(workspace: Path) -> Call:
    """Run one call: `await call("python", source, {...})`; limits, permissions and `kind` as keywords, `progress` for
    the notes."""

    async def once(runtime: Any, source: str, argument: Any = None, **options: Any) -> Outcome:
        kind = options.pop("kind", "lambda")
        progress = options.pop("progress", None)
        may = Permissions(**{name: options.pop(name) for name in list(options) if isinstance(options[name], bool)})
        job = Job(runtime, kind, source, {} if argument is None else argument, workspace, Limits(**options), may)
        return await run(job, progress)

    return once


@pytest.fixture
def failure(call: Call) -> Fails:
    """Like `call`, for one that must fail: the HarnessError it raised."""

    async def once(runtime: Any, source: str, argument: Any = None, **options: Any) -> HarnessError:
        with pytest.raises(HarnessError) as caught:
            await call(runtime, source, argument, **options)
        return caught.value

    return once

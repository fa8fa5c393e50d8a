"""A thread on the real machine, at three sizes and in two themes, as it was when somebody found it good."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.app.desk import Desk, at_desk
from tests.app.snapshots.test_panes import FIRST_MS, SIZES, looks_as_it_did
from tests.harness.on_machine import allow
from workbench import Harness

CODE = "def mean(numbers):\n    return sum(numbers) / len(number)\n"

POSES: dict[str, tuple[str, ...]] = {
    "machine-thread": ("3",),
    "machine-edit": ("3", "end", "up", "up", "enter"),
    "machine-tool": ("1", "r"),
}
"""What is looked at, and the keys that lead there."""


@pytest.fixture
def clock() -> Callable[[], int]:
    """A second passes between any two looks at it."""
    return partial(next, itertools.count(FIRST_MS, 1_000))


@pytest.fixture
async def desk(tmp_path: Path, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """The app on a thread in which an agent mended a file of the folder `~/work`."""
    monkeypatch.setenv("HOME", str(tmp_path))
    work = tmp_path / "work"
    work.mkdir()
    (work / "stats.py").write_text(CODE)
    async with Harness.open(tmp_path / "space", clock=clock) as harness:
        await allow(harness, work, bash="allow", edit="allow")
        acts = (
            ("grep", {"pattern": "len\\("}),
            ("read", {"path": "stats.py"}),
            ("edit", {"path": "stats.py", "edits": [{"oldText": "len(number)", "newText": "len(numbers)"}]}),
            ("bash", {"command": "python3 -c 'from stats import mean; print(mean([1, 2, 3]))'"}),
        )
        await harness.say("Mend mean, please.", thread="main")
        for name, input in acts:
            await harness.perform(name, input, "agent", "main")
    opened = partial(Harness.open, clock=clock)
    async with at_desk(tmp_path / "space", size=SIZES[0], open_space=opened) as desk:
        await desk.select("toolbox:edit")
        yield desk


@pytest.mark.parametrize("pose", POSES)
async def test_a_thread_on_the_real_machine_looks_as_it_did(pose: str, desk: Desk, picture: SnapshotAssertion) -> None:
    await looks_as_it_did(pose, POSES[pose], desk, picture)

"""Every pane, at three sizes and in two themes, as it was when somebody looked at it and found it good."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.app.desk import Desk, at_desk, save
from tests.app.painted import painted
from workbench import Harness
from workbench.harness.verbs import call

SIZES = ((80, 24), (120, 40), (200, 60))
THEMES = ("workbench-dark", "workbench-light")

FIRST_MS = 1_790_000_000_000
"""When everything in these pictures happened, in milliseconds since 1970."""

POSES: dict[str, tuple[str, ...]] = {
    "contract": (),
    "contract-exact": ("m",),
    "source": ("s",),
    "editing": ("e", "end", "x"),
    "cid-facts": ("i",),
    "cid-bytes": ("i", "enter", "B"),
    "cid-json": ("i", "enter", "J"),
    "cid-versions": ("i", "enter", "V", "d"),
    "call-form": ("r",),
    "call-json": ("r", "f3"),
    "call-refused": ("r", "ctrl+r"),
    "space-index": ("2", "i"),
    "space-grants": ("2", "p"),
    "space-settings": ("2", "s"),
    "space-memory": ("2", "m"),
    "transcript": ("3",),
    "wire": ("3", "w"),
    "help": ("question_mark",),
}
"""What is looked at, and the keys that lead there from the list of tools."""


@pytest.fixture
def clock() -> Callable[[], int]:
    """A second passes between any two looks at it."""
    return partial(next, itertools.count(FIRST_MS, 1_000))


@pytest.fixture
async def desk(tmp_path: Path, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desk]:
    """The app on a Space in which some things happened, always the same and at the same times."""
    monkeypatch.setattr(call, "time", SimpleNamespace(monotonic=lambda: 0.0, perf_counter=lambda: 0.0))
    monkeypatch.setattr("workbench.app.app.at_home", lambda path: "~/space")
    async with Harness.open(tmp_path, clock=clock) as harness:
        await save(harness, "word_count")
        schema = {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "What is counted."},
                "unique": {"type": "boolean", "default": False},
                "unit": {"enum": ["words", "lines", "bytes"], "default": "words"},
                "at": {"type": "object", "properties": {"line": {"type": "integer", "minimum": 1}}},
            },
            "required": ["text", "unit"],
        }
        await save(harness, "word_count", input=schema, source="def main(input):\n    return {'words': 1}\n")
        await save(harness, "slugify", description="Make a slug of a text.", runtime="typescript")
        await harness.perform("write", {"address": "~/memory/notes/today.md", "content": "# Today\n\nBuy milk.\n"})
        await harness.perform("write", {"address": "~/self", "content": {"switched_off": ["slugify"], "model": "m"}})
        await harness.say("Count the words of my notes.", thread="main")
        for message in ("m1", "m2"):
            await harness.perform("call", {"tool": "search", "input": {"query": "notes"}}, "agent", "main", message)
        steps = [
            {"id": "1", "label": "find the notes", "status": "done"},
            {"id": "2", "label": "count their words", "status": "running"},
            {"id": "3", "label": "say how many there are", "status": "pending"},
        ]
        await harness.perform("plan", {"title": "Count", "steps": steps}, "agent", "main", "m3")
    async with at_desk(tmp_path, size=SIZES[0], open_space=partial(Harness.open, clock=clock)) as desk:
        await desk.select("word_count")
        yield desk


SEEN = {"editing": ("unexpected indent",)}
"""What comes to stand on the screen of a pose after a while in which nothing changes."""


async def settled(desk: Desk) -> str:
    """The screen once nothing on it changes any more."""
    before, alike = "", 0
    for _ in range(200):
        await desk.pilot.pause(0.02)
        now = painted(desk.app)
        alike = alike + 1 if now == before else 0
        before = now
        if alike == 5:
            return now
    raise AssertionError(f"the screen does not come to rest:\n{before}")


async def looks_as_it_did(pose: str, keys: tuple[str, ...], desk: Desk, picture: SnapshotAssertion) -> None:
    """Press keys, and hold what is there then, at every size and in every theme, against its pictures."""
    for key in keys:
        await settled(desk)
        await desk.press(key)
    await desk.sees(*SEEN.get(pose, ()))
    for width, height in SIZES:
        await desk.pilot.resize_terminal(width, height)
        for theme in THEMES:
            desk.app.theme = theme
            assert await settled(desk) == picture(name=f"{pose}-{width}x{height}-{theme.removeprefix('workbench-')}")


@pytest.mark.parametrize("pose", POSES)
async def test_a_pane_looks_as_it_did(pose: str, desk: Desk, picture: SnapshotAssertion) -> None:
    await looks_as_it_did(pose, POSES[pose], desk, picture)

"""The README's pictures, posed by the real app on the demo's Space: `python -m workbench.app.screenshots [FOLDER]`."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot

from workbench.app.app import WorkbenchApp
from workbench.demo.player import Player
from workbench.demo.scene import Scene, find
from workbench.harness.harness import Harness
from workbench.harness.space.agent_file import OwnerFolders

SIZE = (120, 36)
"""Columns and rows of a picture."""

FIRST_MOMENT_MS = 1_767_261_600_000
"""When the pictures are taken, so that two of them differ in nothing but what changed. 2026-01-01, 10:00 UTC."""

STEPS = 8
"""How much of the scene is played before the transcript is shown: a promotion, a refusal, a retry."""

TABS = ("tools", "space", "transcript")

FONTS = "Fira Code, DejaVu Sans Mono, Menlo, Consolas, monospace"
"""What a picture asks for, of what the reader has: it loads nothing from anywhere."""

DEADLINE_SECS = 60

_FAMILY = re.compile(r"font-family: Fira Code[^;]*;")
_FONT_FACE = re.compile(r"\s*@font-face\s*\{.*?\}", re.DOTALL)


def main(folder: Path) -> list[Path]:
    """Take every picture; where they were put."""
    return [take(theme, tab, folder) for theme, tab in itertools.product(("dark", "light"), TABS)]


def take(theme: str, tab: str, folder: Path) -> Path:
    """Take the picture of one tab in one theme, and put it into a folder."""
    before = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as home:
        # What the strip at the top names is then ~/space, whoever takes the picture.
        os.environ["HOME"] = home
        try:
            picture = asyncio.run(_posed(Path(home), find("touch_expand"), theme, tab))
        finally:
            if before is not None:
                os.environ["HOME"] = before
    path = folder / (f"{tab}.svg" if theme == "dark" else f"{tab}-{theme}.svg")
    path.write_text(picture, encoding="utf-8")
    return path


async def _posed(home: Path, scene: Scene, theme: str, tab: str) -> str:
    space = home / "space"
    folders = OwnerFolders(home / "config", home / "state")
    ticks = itertools.count(FIRST_MOMENT_MS, 1_000)
    app = WorkbenchApp(
        space,
        thread=scene.thread,
        player_factory=lambda harness: Player(harness, scene),
        open_space=lambda path: Harness.open(path, clock=lambda: next(ticks), folders=folders),
    )
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: app.demo_ready, "the scene is in place")
        app.theme = f"workbench-{theme}"
        for number in range(1, STEPS + 1):
            app.action_demo_step()
            await _until(pilot, lambda: app.demo_ready, f"step {number}")
        app.action_show_tab(tab)
        if tab == "tools":
            app.show_tool("word_count")
        for _ in range(5):
            await pilot.pause()
        picture = _FONT_FACE.sub("", app.export_screenshot(title="workbench"))
    return _FAMILY.sub(f"font-family: {FONTS};", picture)


async def _until(pilot: Pilot[None], condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_SECS
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"Not in {DEADLINE_SECS} s: {what}.")
        await pilot.pause(0.05)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    target.mkdir(parents=True, exist_ok=True)
    for taken in main(target):
        print(taken)

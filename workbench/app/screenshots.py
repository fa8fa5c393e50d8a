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
from typing import Any

from textual.pilot import Pilot

from workbench.agent.scene import Scene
from workbench.app.app import WorkbenchApp
from workbench.demo import FIRST_SCENE
from workbench.demo.player import Player
from workbench.demo.shipped import find
from workbench.harness.harness import Harness
from workbench.harness.space.agent_file import OwnerFolders

SIZE = (120, 36)
"""Columns and rows of a picture."""

FIRST_MOMENT_MS = 1_767_261_600_000
"""When the pictures are taken, so that two of them differ in nothing but what changed. 2026-01-01, 10:00 UTC."""

STEPS = 8
"""How much of the scene is played before the transcript is shown: a promotion, a refusal, a retry."""

POSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "tools": ("tools", ()),
    "call": ("tools", ("r", *"one two two")),
    "editing": ("tools", ("e",)),
    "versions": ("tools", ("i", "enter", "V", "enter")),
    "space": ("space", ()),
    "transcript": ("transcript", ()),
    "wire": ("transcript", ("w",)),
    "machine": ("transcript", ("end", "up", "up", "enter")),
}
"""What is shown: the tab, and the keys that are pressed on it."""

OTHER_SCENES = {"machine": "page_by_page"}
"""The scenes of the poses that are not of the first one."""

BOTH_THEMES = ("tools", "space", "transcript")
"""What is shown in the light theme too."""

TOOL = "word_count"
"""The tool that the pictures are about."""

RESTING = 6
"""How often in a row a screen must look the same to be taken."""

FONTS = "Fira Code, DejaVu Sans Mono, Menlo, Consolas, monospace"
"""What a picture asks for, of what the reader has: it loads nothing from anywhere."""

DEADLINE_SECS = 60

_FAMILY = re.compile(r"font-family: Fira Code[^;]*;")
_FONT_FACE = re.compile(r"\s*@font-face\s*\{.*?\}", re.DOTALL)


def main(folder: Path) -> list[Path]:
    """Take every picture; where they were put."""
    dark = [take("dark", pose, folder) for pose in POSES]
    return dark + [take("light", pose, folder) for pose in BOTH_THEMES]


def take(theme: str, pose: str, folder: Path) -> Path:
    """Take the picture of one pose in one theme, and put it into a folder."""
    before = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as home:
        # What the strip at the top names is then ~/space, whoever takes the picture.
        os.environ["HOME"] = home
        try:
            picture = asyncio.run(_posed(Path(home), find(OTHER_SCENES.get(pose, FIRST_SCENE)), theme, pose))
        finally:
            if before is not None:
                os.environ["HOME"] = before
    path = folder / (f"{pose}.svg" if theme == "dark" else f"{pose}-{theme}.svg")
    path.write_text(picture, encoding="utf-8")
    return path


async def _posed(home: Path, scene: Scene, theme: str, pose: str) -> str:
    tab, keys = POSES[pose]
    space = home / "space"
    folders = OwnerFolders(home / "config", home / "state")
    ticks = itertools.count(FIRST_MOMENT_MS, 1_000)
    app = WorkbenchApp(
        space,
        thread=scene.thread,
        player_factory=lambda harness: Player(harness, scene, ours=True),
        open_space=lambda path: Harness.open(path, clock=lambda: next(ticks), folders=folders),
    )
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: app.demo_ready, "the scene is in place")
        app.theme = f"workbench-{theme}"
        for number in range(1, min(STEPS, len(scene.steps)) + 1):
            app.action_demo_step()
            await _until(pilot, lambda: app.demo_ready, f"step {number}")
        if pose == "versions":
            await _save_another(app.harness)
        app.action_show_tab(tab)
        if tab == "tools":
            app.show_tool(TOOL)
        for key in keys:
            await pilot.pause()
            await pilot.press("space" if key == " " else key)
        await _at_rest(pilot)
        picture = _FONT_FACE.sub("", app.export_screenshot(title="workbench"))
    return _FAMILY.sub(f"font-family: {FONTS};", picture)


async def _save_another(harness: Harness) -> None:
    """Save a second version of the tool, which asks for more than the first."""
    tool = harness.tool(TOOL)
    assert tool is not None, "the scene brings it"
    content: dict[str, Any] = dict(tool.document.to_map())
    properties = {**content["input"]["properties"], "unit": {"enum": ["words", "lines"], "default": "words"}}
    content["input"] = {**content["input"], "properties": properties, "required": ["text", "unit"]}
    content["source"] = str(content["source"]).replace("def main(input):", "def main(input):\n    # words or lines", 1)
    await harness.perform("write", {"address": f"~/tools/{TOOL}", "content": content})


async def _at_rest(pilot: Pilot[None]) -> None:
    """Wait until nothing on the screen changes any more."""
    before, alike = "", 0
    while alike < RESTING:
        await pilot.pause(0.05)
        now = pilot.app.export_screenshot()
        alike, before = (alike + 1 if now == before else 0), now


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

"""A demo's scene on the screen: what it says of the screen is so, whatever its size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.desk import at_desk
from workbench.demo.player import Player
from workbench.demo.shipped import find, scenes


@pytest.mark.parametrize("name", [scene.name for scene in scenes()])
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_what_a_demo_says_of_the_screen_is_so_at_any_size(
    tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    scene = find(name)
    made = {"thread": scene.thread, "player_factory": lambda harness: Player(harness, scene, ours=True)}
    async with at_desk(tmp_path / "space", size=size, **made) as desk:
        await desk.until(lambda: desk.app.demo_ready, "the scene is in place")
        await desk.press("f8")
        await desk.sees(f"demo 1 of {len(scene.steps)}", "f8 plays what comes next", "f8 Next step")
        assert "Nobody answered" not in desk.screen()
        shown = desk.app.query_one("#provider").display
        await desk.press("p")
        await desk.until(lambda: desk.app.query_one("#provider").display != shown, "p shows or hides it")
    for step in scene.steps:
        assert not re.search(r"\b(left|right|above|below|beside) (side|panel)|right side", step.caption), step.caption

"""The scene on the real machine: what it shows, and that a scene of somebody else's does not get there by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from workbench import Harness
from workbench.demo.player import Player
from workbench.demo.shipped import find, is_ours
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.log.host_results import text_of
from workbench.harness.names import TOOLBOX
from workbench.harness.space.agent_file import OwnerFolders


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[Harness]:
    """A Space for the scene."""
    folders = OwnerFolders(tmp_path / "config", tmp_path / "state")
    async with Harness.open(tmp_path / "space", folders=folders) as opened:
        yield opened


async def test_the_result_says_where_to_go_on_and_the_next_call_goes_on_there(harness: Harness) -> None:
    player = Player(harness, find("page_by_page"), ours=is_ours("page_by_page"))
    await player.prepare()
    assert player.notice is None
    texts: list[str] = []
    while not player.done:
        played = await player.step()
        assert played.error is None
        if isinstance(played.done, Done):
            texts.append(text_of(played.done.result))
    listed, first, second, found = texts
    assert listed == "app.log"
    assert first.endswith("\n\n[Showing lines 1-2000 of 3000. Use offset=2001 to continue.]")
    assert (second.count("\n"), "continue" in second) == (1000, False)
    assert [row.split(":")[1] for row in found.splitlines()] == ["417", "418", "2504", "2751"]
    assert harness.promoted(player.thread).provider_tools == TOOLBOX
    (read,) = [tool for tool in harness.request(player.thread).tools if tool["name"] == "read"]
    assert "offset" in read["description"], "the description teaches how to go on"


async def test_a_scene_from_elsewhere_waits_for_the_owners_yes(harness: Harness) -> None:
    player = Player(harness, find("page_by_page"))
    await player.prepare()
    assert player.notice is not None
    assert "waits for your yes" in player.notice
    assert {waiting.id for waiting in harness.waiting()} == {"surface", "workdir"}
    assert harness.surface(player.thread) == "verbs"


async def test_a_folder_that_holds_something_already_is_left_alone(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "space-work").mkdir()
    (tmp_path / "space-work" / "mine").write_text("x")
    with pytest.raises(HarnessError, match="not empty"):
        await Player(harness, find("page_by_page"), ours=True).prepare()

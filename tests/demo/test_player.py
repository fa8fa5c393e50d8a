"""The player does a scene's steps for real."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from workbench import Harness, HarnessError
from workbench.demo.player import Played, Player
from workbench.demo.shipped import find
from workbench.harness.door.doing import Done
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.tools.lambdas.probe import Availability
from workbench.harness.tools.lambdas.sandbox import Job, Outcome, Progress


class NoSandbox:
    """A machine on which nothing can be confined."""

    async def probe(self) -> Availability:
        return Availability("no bubblewrap here", "no bubblewrap here", ())

    async def run(self, job: Job, on_progress: Callable[[Progress], None] | None = None) -> Outcome:
        raise HarnessError("unavailable", "no bubblewrap here")


@pytest.fixture
async def bare(tmp_path: Path) -> AsyncIterator[Harness]:
    """A Space on a machine without a sandbox."""
    folders = OwnerFolders(tmp_path / "config", tmp_path / "state")
    async with Harness.open(tmp_path / "space", folders=folders, sandbox=NoSandbox()) as harness:
        yield harness


@pytest.fixture
async def real(tmp_path: Path) -> AsyncIterator[Harness]:
    """A Space on this machine."""
    folders = OwnerFolders(tmp_path / "config", tmp_path / "state")
    async with Harness.open(tmp_path / "space", folders=folders) as harness:
        yield harness


async def play(harness: Harness) -> list[Played]:
    """The scene that comes first, played to its end."""
    player = Player(harness, find("touch_expand"))
    await player.prepare()
    played: list[Played] = []
    while not player.done:
        assert player.position == len(played)
        played.append(await player.step())
    assert player.position == len(player.steps)
    return played


def status(played: Played) -> str:
    """How a step ended."""
    if isinstance(played.done, Done):
        return str(played.done.result["status"])
    return "said" if played.error is None else played.error.code


@pytest.mark.sandbox
async def test_the_scene_shows_what_its_captions_say(real: Harness) -> None:
    played = await play(real)
    assert [status(one) for one in played] == [
        *("said", "contract", "ok", "ok"),
        *("contract", "ok", "contract"),
        *("contract", "contract", "ok"),
        *("ok", "ok", "ok", "no_such_tool"),
        *("saved", "no_such_tool", "saved", "ok"),
        "said",
    ]
    gained = [one.gained for one in played if one.gained]
    lambdas = ("word_count", "csv_summary", "json_diff")
    assert gained == [("search",), ("word_count",), ("csv_summary",), ("json_diff",), lambdas]
    assert [one.lost for one in played if one.lost] == [lambdas]
    promotion = real.promoted("demo")
    assert [tool.name for tool in promotion.promoted] == ["search", *lambdas]
    assert [(tool.name, tool.reason) for tool in promotion.withheld] == [("bash", "unknown")]


@pytest.mark.sandbox
async def test_what_the_agent_says_at_the_end_is_true(real: Harness) -> None:
    played = await play(real)
    outputs = [
        one.done.result["output"] for one in played if isinstance(one.done, Done) and "output" in one.done.result
    ]
    assert any(output.get("words") == 8 for output in outputs)
    (sales,) = [output for output in outputs if "columns" in output]
    columns = {column["name"]: column for column in sales["columns"]}
    assert columns["units"]["sum"] == 669
    assert columns["revenue"]["empty"] == 1


async def test_without_a_sandbox_it_says_so_and_goes_on(bare: Harness) -> None:
    player = Player(bare, find("touch_expand"))
    await player.prepare()
    assert player.notice is not None
    assert "no bubblewrap here" in player.notice
    assert "word_count" in player.notice
    played = [await player.step() for _ in player.steps]
    assert [status(one) for one in played[:4]] == ["said", "contract", "ok", "ok"]
    assert status(played[4]) == "no_such_tool"
    assert [tool.name for tool in bare.promoted("demo").promoted] == ["search"]


async def test_a_scene_that_is_over_is_over(bare: Harness) -> None:
    player = Player(bare, find("touch_expand"))
    await player.prepare()
    for _ in player.steps:
        await player.step()
    with pytest.raises(HarnessError, match="over"):
        await player.step()


async def test_preparing_twice_changes_nothing(bare: Harness) -> None:
    player = Player(bare, find("touch_expand"))
    await player.prepare()
    before = bare.tools()
    await player.prepare()
    assert bare.tools() == before

"""What the owner's faces look at: queries that leave no event."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.play import Play
from workbench import Harness
from workbench.harness.errors import HarnessError


async def test_about_self_is_what_read_gives_the_owner_without_an_event(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        await harness.perform("write", {"address": "~/self", "content": {"model": "x:y"}})
        done = await harness.perform("read", {"address": "~/self"})
        before = len(harness.events("workshop"))
        about = harness.about_self()
        assert about == done.result
        assert [setting["id"] for setting in about["waiting"]] == ["model"]
        assert len(harness.events("workshop")) == before


async def test_an_agent_is_not_told_what_waits(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        told = (await harness.perform("read", {"address": "~/self"}, "agent", "demo")).result
        assert "waiting" not in told


async def test_the_settings_file_as_it_stands(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        file = tmp_path / "space" / "agent.toml"
        file.write_text("# mine\ntools = [", "utf-8")
        assert harness.settings_text() == "# mine\ntools = ["
        file.unlink()
        assert harness.settings_text() is None


async def test_the_first_bytes_of_a_file(tmp_path: Path) -> None:
    async with Harness.open(tmp_path / "space") as harness:
        (tmp_path / "space" / "memory" / "a.bin").write_bytes(bytes(range(256)))
        assert harness.memory.head("a.bin", 4) == b"\x00\x01\x02\x03"
        (tmp_path / "space" / "memory" / "link").symlink_to("/etc/passwd")
        with pytest.raises(HarnessError) as refused:
            harness.memory.head("link", 4)
        assert refused.value.code == "refused"


async def test_looking_at_memory_gives_no_way_to_change_it(play: Play) -> None:
    assert not hasattr(play.harness.memory, "write")
    assert not hasattr(play.harness.memory, "delete")

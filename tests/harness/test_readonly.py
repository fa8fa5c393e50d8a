"""A Space that cannot be written is opened to look at."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness.play import Play
from tests.people import ordinary_user
from workbench import Harness, HarnessError
from workbench.harness.space.agent_file import OwnerFolders


def forbid(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


async def test_it_is_looked_at_and_acts_are_refused_in_words(play: Play, open_folder: Path) -> None:
    # What is loaded late is loaded now: the interpreter's own files may be closed to an ordinary user.
    await play.agent("read", {"address": "~/tools/el"})
    play.harness.request("demo")
    folders = OwnerFolders(open_folder / "config", open_folder / "state")
    space = open_folder / "space"
    with ordinary_user():
        async with Harness.open(space, folders=folders) as harness:
            play = Play(harness)
            await play.save("el")
            await play.agent("read", {"address": "~/tools/el"})
            request, promoted = harness.request("demo"), harness.promoted("demo")
        forbid(space)
        async with Harness.open(space, folders=folders) as harness:
            assert harness.readonly
            assert harness.request("demo") == request
            assert harness.promoted("demo") == promoted
            assert harness.fsck() == []
            assert [tool.name for tool in harness.tools()][:1] == ["search"]
            with pytest.raises(HarnessError) as refused:
                await harness.perform("read", {"address": "~/self"})
            assert refused.value.code == "unavailable"
            assert "read-only" in refused.value.message
            with pytest.raises(HarnessError):
                await harness.say("hello")
        for path in [space, *space.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


async def test_writes_that_stand_in_the_journal_alone_are_seen(play: Play, open_folder: Path) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    copy = open_folder / "copy"
    shutil.copytree(play.harness.root, copy, ignore=shutil.ignore_patterns("*-shm", "locks"))
    (copy / "locks").mkdir()
    assert (copy / "space.db-wal").stat().st_size > 0
    forbid(copy)
    with ordinary_user():
        async with Harness.open(copy, folders=OwnerFolders(open_folder / "c", open_folder / "s")) as harness:
            assert harness.readonly
            assert harness.events("demo") == play.harness.events("demo")
    for path in [copy, *copy.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


async def test_a_folder_that_can_neither_be_read_nor_made_is_refused_in_words(
    open_folder: Path, folders: OwnerFolders
) -> None:
    (open_folder / "closed").mkdir(mode=0o555)
    with ordinary_user():
        for place in ("closed", "closed/deep/space"):
            with pytest.raises(HarnessError) as refused:
                async with Harness.open(open_folder / place, folders=folders):
                    pass
            assert refused.value.code == "unavailable"

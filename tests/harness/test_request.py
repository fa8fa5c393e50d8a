"""The next request: what is in it, and that it is a fold of blocks, names and events alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.harness.play import Play
from workbench import Harness, HarnessError
from workbench.harness.log.payloads import dumps
from workbench.harness.names import VERBS
from workbench.harness.space.agent_file import OwnerFolders


async def test_the_block_is_the_same_everywhere_and_adds_up(play: Play) -> None:
    index = play.harness.index()
    assert index.text in play.harness.request("demo").system
    assert sum(line.bytes for line in index.lines) == index.bytes == len(index.text.encode())


async def test_bytes_are_those_of_what_is_sent(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    request = play.harness.request("demo")
    assert request.bytes == {
        "system": len(request.system.encode()),
        "tools": len(dumps(list(request.tools)).encode()),
        "messages": len(dumps(list(request.messages)).encode()),
    }


async def test_every_tool_is_declared_in_full(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    tool = play.harness.tool("el")
    assert tool is not None
    assert play.harness.request("demo").tools[-1] == {
        "name": "el",
        "description": "Does el.",
        "input_schema": tool.document.input,
    }
    assert [declared["name"] for declared in play.harness.request("demo").tools[:5]] == list(VERBS)


async def test_a_moment_of_the_past_says_what_in_it_is_of_today(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    await play.agent("read", {"address": "~/tools/search"})
    then = play.harness.request("demo", at=2)
    assert [tool["name"] for tool in then.tools] == [*VERBS, "el"]
    assert len(then.messages) == 2
    assert then.note
    assert play.harness.request("demo").note is None
    for at in (0, 5, -1):
        with pytest.raises(HarnessError):
            play.harness.promoted("demo", at)


async def test_only_blocks_names_and_events_make_the_request(play: Play, folders: OwnerFolders, tmp_path: Path) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    await play.agent("bash", {})
    await play.owner("read", {"address": "~/tools/el", "options": {"part": "source"}})
    await play.agent("write", {"address": "~/memory/big.txt", "content": "é" * 70_000})
    async with Harness.open(tmp_path / "copy", folders=folders) as copy:
        fresh = sqlite3.connect(copy.root / "space.db", isolation_level=None)
        fresh.execute("ATTACH ? AS old", (str(play.harness.root / "space.db"),))
        fresh.execute("INSERT INTO blocks SELECT * FROM old.blocks AS b WHERE b.cid NOT IN (SELECT cid FROM blocks)")
        fresh.execute(
            "INSERT INTO names SELECT * FROM old.names AS n WHERE n.name LIKE '~/tools/%' "
            "AND (n.name, n.version) NOT IN (SELECT name, version FROM names) ORDER BY name, version"
        )
        fresh.execute("INSERT INTO events SELECT * FROM old.events ORDER BY id")
        (copy.root / "memory" / "big.txt").write_text("é" * 70_000)
        assert copy.promoted("demo") == play.harness.promoted("demo")
        assert copy.request("demo") == play.harness.request("demo")
        assert copy.fsck() == []


async def test_a_call_that_ended_after_the_moment_is_not_called_running(play: Play) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    for request in (play.harness.request("demo", at=1),):
        assert "ended after this moment" in request.messages[1]["results"][0]["text"]
    await play.harness.fork("demo", 1, "other")
    assert "ended after this moment" in play.harness.request("other").messages[1]["results"][0]["text"]

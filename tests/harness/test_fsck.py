"""`fsck` names what was changed behind the Space's back."""

from __future__ import annotations

import sqlite3

import pytest

from tests.harness.play import Play
from workbench import Harness
from workbench.harness.space.agent_file import OwnerFolders


@pytest.mark.parametrize(
    ("edit", "where"),
    [
        ("UPDATE events SET payload = replace(payload, 'el', 'xx') WHERE thread = 'demo' AND seq = 1", "event demo/1"),
        ("UPDATE events SET actor = 'user' WHERE thread = 'demo' AND seq = 2", "event demo/2"),
        ("UPDATE events SET time_ms = 1 WHERE thread = 'demo' AND seq = 3", "event demo/3"),
        ("UPDATE events SET digest = 'x' WHERE thread = 'demo' AND seq = 3", "event demo/3"),
        ("DELETE FROM events WHERE thread = 'demo' AND seq = 2", "event demo/3"),
        ("UPDATE events SET payload = '[]' WHERE thread = 'demo' AND seq = 2", "event demo/2"),
        ("UPDATE events SET time_ms = 900000000000000000 WHERE thread = 'demo' AND seq = 2", "event demo/2"),
        ("UPDATE names SET time_ms = 900000000000000000 WHERE name = '~/tools/el'", "version ~/tools/el 1"),
        (
            "UPDATE names SET cid = (SELECT cid FROM names WHERE name = '~/tools/open_el') WHERE name = '~/tools/el'",
            "version ~/tools/el 1",
        ),
        ("UPDATE events SET thread = CAST(x'ff' AS TEXT) WHERE thread = 'demo' AND seq = 4", "space.db"),
        ("DELETE FROM blocks WHERE cid = (SELECT cid FROM names WHERE name = '~/tools/el')", "version ~/tools/el 1"),
        ("DELETE FROM names WHERE name = '~/tools/el' AND version = 1", "version ~/tools/el 2"),
    ],
)
async def test_an_edit_is_found_where_it_is(play: Play, edit: str, where: str) -> None:
    await play.agent("read", {"address": "~/tools/el"})
    await play.agent("read", {"address": "~/tools/open_el"})
    await play.save("el", description="A second version.")
    assert play.harness.fsck() == []
    database = sqlite3.connect(play.harness.root / "space.db", isolation_level=None)
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute(edit)
    assert where in [fault.where for fault in play.harness.fsck()]


async def test_a_block_that_is_no_canonical_document_is_named(play: Play) -> None:
    database = sqlite3.connect(play.harness.root / "space.db", isolation_level=None)
    tool = play.harness.tool("el")
    assert tool is not None
    database.execute("DROP TRIGGER blocks_no_update")
    database.execute("UPDATE blocks SET bytes = CAST(bytes || x'00' AS BLOB) WHERE cid = ?", (tool.cid,))
    assert f"block {tool.cid}" in [fault.where for fault in play.harness.fsck()]


async def test_a_broken_tool_is_listed_with_its_fault_and_the_others_stay(play: Play, folders: OwnerFolders) -> None:
    database = sqlite3.connect(play.harness.root / "space.db", isolation_level=None)
    database.execute("DROP TRIGGER blocks_no_update")
    database.execute("UPDATE blocks SET bytes = x'a0' WHERE cid = (SELECT cid FROM names WHERE name = '~/tools/el')")
    async with Harness.open(play.harness.root, folders=folders) as again:
        states = {state.name: state for state in again.tools()}
        assert not states["el"].callable
        assert "does not match" in (states["el"].detail or "")
        assert states["open_el"].kind == "lambda"

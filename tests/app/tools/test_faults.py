"""What the tabs show when a part of the Space cannot be read."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import Desk, at_desk, elsewhere, save
from workbench.app.space.grants_part import GrantList
from workbench.app.space.tab import SpaceTab
from workbench.app.widgets.literal import Literal
from workbench.harness.errors import HarnessError

QUERIES = ("view", "tools", "tool", "verbs", "versions", "block", "settings", "index", "promoted", "lineage")


async def with_an_unreadable_event(folder: Path) -> None:
    """A Space with a lambda, whose thread `main` holds a call without anything in it."""
    async with elsewhere(folder) as harness:
        await save(harness, "word_count")
        await harness.perform("read", {"address": "~/memory/"}, "agent", "main")
    with sqlite3.connect(folder / "space.db") as store:
        store.execute(
            "INSERT INTO events (thread, seq, time_ms, actor, type, call, payload, block, digest)"
            " SELECT thread, max(seq) + 1, max(time_ms), 'agent', 'tool_call', 'c-empty', '{}', NULL, 'x'"
            " FROM events WHERE thread = 'main'"
        )
    store.close()


def said(desk: Desk, words: str) -> int:
    """How often something was said in passing."""
    return sum(words in note.message for note in desk.app._notifications)


async def test_an_event_that_cannot_be_read_takes_no_tool_away(tmp_path: Path) -> None:
    await with_an_unreadable_event(tmp_path)
    async with at_desk(tmp_path, thread="main") as desk:
        assert {"read", "search", "word_count"} <= set(desk.states())
        await desk.sees("✗ What thread main", "promoted cannot be read")
        before = said(desk, "promoted cannot be read")
        assert before == 1
        await save(desk.harness, "another")
        await desk.until(lambda: "another" in desk.states(), "the list goes on living")
        assert said(desk, "promoted cannot be read") == before, "said once, not at every change"
        await desk.press("2")
        await desk.press("p")
        await desk.until(lambda: "✗" in str(desk.app.query_one("#effect", Literal).content), "the effect says why")
        await desk.sees("search")


async def test_a_thread_that_can_be_read_takes_the_fault_away(tmp_path: Path) -> None:
    await with_an_unreadable_event(tmp_path)
    async with at_desk(tmp_path, thread="main") as desk:
        await desk.sees("promoted cannot be read")
        desk.app.set_thread("other")
        await desk.until(lambda: not desk.tools.query_one("#fault").display, "the fault is gone")


async def test_queries_that_fail_are_said_in_place_and_crash_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with elsewhere(tmp_path) as harness:
        await save(harness, "word_count")
    async with at_desk(tmp_path, thread="main") as desk:
        await desk.select("word_count")

        def fails(*_: Any, **__: Any) -> Any:
            raise HarnessError("failed", "The disk is gone.")

        for name in QUERIES:
            monkeypatch.setattr(desk.harness, name, fails)
        desk.app.passed()
        for key in ("i", "v", "c", "m", "s", "e", "r", "escape", "down", "i", "y", "e", "n", "escape"):
            await desk.press(key)
        desk.tools.thread_changed()
        await desk.sees("The tools cannot be read now: The disk is gone.")
        await desk.press("2", "s", "escape", "tab", "tab", "space", "o")
        desk.app.query_one(SpaceTab).query_one(GrantList).focus()
        await desk.press("down", "space", "o")
        await desk.press("1", "2")
        desk.app.query_one(SpaceTab).thread_changed()
        await desk.sees("✗ The disk is gone.")
        assert desk.app._exception is None

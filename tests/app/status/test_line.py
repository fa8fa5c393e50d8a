"""The status line on the screen: what it follows, what stands out, and what it forgets."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.app.desk import at_desk, elsewhere
from tests.app.transcript import made
from tests.harness.on_machine import allow
from workbench import Harness
from workbench.app.status.line import FLASH_SECS
from workbench.harness.errors import HarnessError
from workbench.harness.views import Running


async def test_a_promotion_stands_out_in_the_status_line(tmp_path: Path) -> None:
    async with at_desk(tmp_path, size=(80, 24)) as desk, elsewhere(tmp_path) as other:
        await other.perform("read", {"address": "~/tools/search"}, actor="agent", thread="main")
        await desk.until(lambda: "▲ search promoted" in desk.status, "it stands out")
        assert FLASH_SECS > 1


async def test_one_unreadable_thread_hides_nothing_else_in_the_status_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_desk(tmp_path, size=(160, 40)) as desk:

        def broken(*_: object) -> None:
            raise HarnessError("corrupt", "event 3 was changed")

        monkeypatch.setattr(desk.harness._log, "touches", broken)
        desk.app.passed()
        desk.app.telling.look()
        for text in ("✗ promotions: event 3 was changed", "/ 2,048 B", "agent", "no model"):
            assert text in desk.status


async def test_the_status_line_tells_how_long_a_call_runs_and_forgets_one_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = (datetime.now(UTC) - timedelta(minutes=5)).isoformat()
    call = replace(made.call(1, "call", {"tool": "slow"}), time=began)
    running = [Running(call, False, "acts", call.time)]
    async with at_desk(tmp_path) as desk:
        monkeypatch.setattr(desk.harness, "running", lambda: running)
        desk.app.telling.look()
        assert "▶ slow 5:0" in desk.status
        running[:] = [Running(call, True, "acts", call.time)]
        await desk.until(lambda: "▶" not in desk.status, "it does not run any more")


async def test_only_what_a_yes_would_change_is_counted_as_waiting(tmp_path: Path) -> None:
    async with Harness.open(tmp_path):
        pass
    with (tmp_path / "agent.toml").open("a") as file:
        file.write('[web]\nsearxng = "http://a"\n[sandbox]\nnetwork = true\n')
    async with at_desk(tmp_path) as desk:
        assert {each.id: each.built for each in desk.harness.waiting()} == {
            "web.searxng": False,
            "sandbox.network": True,
        }
        await desk.until(lambda: "1 waiting" in desk.status, "the one that can be answered")
        await desk.harness.approve("sandbox.network", False)
        await desk.until(lambda: "waiting" not in desk.status, "none is")


async def test_the_line_follows_the_settings_and_the_thread(tmp_path: Path) -> None:
    async with elsewhere(tmp_path / "space") as harness:
        await harness.perform("read", {"address": "~/memory/"}, "agent", "of-verbs")
    async with at_desk(tmp_path / "space", thread="of-verbs") as desk:
        await desk.harness.perform("write", {"address": "~/self", "content": {"surface": "toolbox", "workdir": "/srv"}})
        await desk.until(lambda: "2 waiting" in desk.status, "both wait for a yes")
        assert "REAL MACHINE" not in desk.status
        await allow(desk.harness, tmp_path)
        await desk.until(lambda: "waiting" not in desk.status, "both have their yes")
        assert "REAL MACHINE" not in desk.status, "the thread is of the verbs"
        desk.app.set_thread("of-the-machine")
        await desk.until(lambda: "REAL MACHINE" in desk.status and "7 tools" in desk.status, "a new thread is not")
        await desk.harness.perform("write", {"address": "~/self", "content": {"surface": "verbs"}})
        await desk.until(lambda: "REAL MACHINE" not in desk.status, "it did not begin, and now begins with the verbs")


async def test_a_call_that_asks_is_counted_until_it_is_answered(tmp_path: Path) -> None:
    async with at_desk(tmp_path / "space", thread="hands") as desk:
        await allow(desk.harness, tmp_path)
        act = desk.harness.perform("write", {"path": "a.txt", "content": "a"}, "agent", "hands")
        task = asyncio.create_task(act)
        await desk.until(lambda: "1 call asks" in desk.status, "it asks")
        (asked,) = desk.harness.asked()
        await desk.harness.approve(asked.id, False)
        with pytest.raises(HarnessError):
            await task
        await desk.until(lambda: "call asks" not in desk.status, "it was answered")

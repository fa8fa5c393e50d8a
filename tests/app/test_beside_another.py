"""The app opened while another process is at work in the same Space."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.app.desk import at_desk
from workbench import Harness
from workbench.harness.log.events import ToolCall
from workbench.harness.log.payloads import as_json

SLOW = """\
import os, time

def main(input):
    open("/workspace/started", "w").close()
    while not os.path.exists("/workspace/go"):
        time.sleep(0.01)
    return "went"
"""


@pytest.mark.sandbox
async def test_a_running_call_of_another_process_is_shown_as_running_and_ends_once(tmp_path: Path) -> None:
    space = tmp_path / "space"
    async with Harness.open(space) as harness:
        content = {"description": "Waits.", "runtime": "python", "source": SLOW}
        await harness.perform("write", {"address": "~/tools/slow", "content": content})
        await harness.perform("read", {"address": "~/tools/slow"}, "agent", "demo")
    command = ["-m", "workbench", "--space", str(space), "call", "slow", "--as", "agent", "--thread", "demo", "--json"]
    other = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    try:
        async with at_desk(space) as desk:
            await desk.until((space / "memory" / "started").exists, "the call of the other process")
            await desk.press("3")
            await desk.sees("running")
            assert [run.interrupted for run in desk.harness.running()] == [False]
            # Acting beside it settles nothing.
            await desk.harness.perform("read", {"address": "~/self"}, "user", "demo")
            assert [run.interrupted for run in desk.harness.running()] == [False]
            (space / "memory" / "go").touch()
            await desk.until(lambda: not desk.harness.running(), "its end")
            await desk.sees("went")
            events = desk.harness.events("demo")
    finally:
        (space / "memory" / "go").touch()
        printed, _ = await other.communicate()
    assert json.loads(printed)["result"]["output"] == "went"
    (call,) = [event for event in events if isinstance(event, ToolCall) and event.name == "call"]
    results = [as_json(event) for event in events if event.type == "tool_result" and event.id == call.id]
    assert [(result["actor"], result["output"]["output"]) for result in results] == [("agent", "went")]
    assert all(event.actor != "system" for event in events)

"""A turn whose process is killed: what the log has, and that it goes on."""

from __future__ import annotations

import itertools
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.answers import model
from workbench import Harness
from workbench.agent.models.model import Answer, ModelCall
from workbench.agent.turn import turn
from workbench.harness.log.events import ToolCall
from workbench.harness.log.promotion import Touches, fold
from workbench.harness.space.agent_file import OwnerFolders

KILLS = 20

ANSWERS = [
    Answer("I look around.", (ModelCall("call", {"tool": "search", "input": {"query": "tea"}}),), "calls"),
    Answer("", (ModelCall("search", {"query": "tea"}), ModelCall("read", {"address": "~/memory/"})), "calls"),
    Answer("I note it.", (ModelCall("write", {"address": "~/memory/tea.txt", "content": "tea"}),), "calls"),
    Answer("", (ModelCall("bash", {"command": "id"}),), "calls"),
    Answer("That is the end of it, said at some length so that there are pieces to be cut between.", (), "stop"),
]

# The child tells of every step it takes, in the log or not, and waits for nobody: it is killed at one of them.
CHILD = """
import asyncio, sys
from pathlib import Path
from tests.agent.answers import model
from tests.agent.test_killed_turn import ANSWERS
from workbench import Harness
from workbench.agent.turn import turn
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.watch import Appended

async def main(space, folders, first):
    async with Harness.open(space, folders=OwnerFolders(Path(folders) / "c", Path(folders) / "s")) as harness:
        def step(*_):
            sys.stdout.write(".")
            sys.stdout.flush()
            sys.stdin.read(1)

        appended = harness._watch.appended
        for part in (harness._door, harness._door._doing):
            part._appended = lambda: (appended(), step())
        await turn(harness, "demo", model(*ANSWERS), first or None, told=step)

asyncio.run(main(*sys.argv[1:]))
"""


def killed_after(steps: int, space: Path, folders: Path, first: str) -> bool:
    """Run a turn in a process of its own and kill it at its step of that number; False when it ended before."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(space), str(folders), first],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        for _ in range(steps):
            if child.stdout.read(1) != b".":
                assert child.wait(60) == 0
                return False
            child.stdin.write(b"\n")
            child.stdin.flush()
        return True
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait(60)
        child.stdin.close()
        child.stdout.close()


@pytest.mark.timeout(300)
async def test_a_turn_killed_at_twenty_moments_goes_on_from_what_the_log_has(tmp_path: Path) -> None:
    at = random.Random(1)
    folders = OwnerFolders(tmp_path / "owner" / "c", tmp_path / "owner" / "s")
    for number in range(KILLS):
        space = tmp_path / f"space-{number}"
        was_killed = killed_after(at.randint(1, 40), space, tmp_path / "owner", "make tea")
        async with Harness.open(space, folders=folders) as harness:
            assert harness.fsck() == []
            events = harness.events("demo")
            # What the log implies is what a fold from nothing says, whatever this process knows.
            touched = [touch.name for touch in fold(Touches(), events).touches]
            promotion = harness.promoted("demo")
            assert [tool.name for tool in promotion.promoted] == [name for name in touched if name == "search"]
            assert [tool.name for tool in promotion.withheld] == [name for name in touched if name == "bash"]
            request = harness.request("demo")
            assert "bash" not in [tool["name"] for tool in request.tools]
            for before, after in itertools.pairwise([*request.messages, {"role": "user"}]):
                assert ("calls" in before) == (after["role"] == "tool"), "every call has its results right behind"

            said = any(event.type == "message" for event in events)
            end = await turn(harness, "demo", model(*ANSWERS), None if said else "make tea")
            assert end.reason == "done"
            assert harness.running() == []
            calls = [event for event in harness.events("demo") if isinstance(event, ToolCall)]
            assert [call.name for call in calls] == ["call", "search", "read", "write", "bash"], "each once"
            assert harness.fsck() == []
        assert was_killed or end.requests == 0

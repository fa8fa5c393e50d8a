"""Ending in order: Ctrl-C, SIGTERM, a killed process, and several processes on one Space."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.command import ROOT, SLOW, Workbench, alive, descendants, end, until

pytestmark = pytest.mark.sandbox


@pytest.fixture
def slow(cli: Workbench) -> Workbench:
    """A Space with the lambda `slow`, which waits until it is let go."""
    cli.save("slow", SLOW)
    return cli


def started(slow: Workbench, process: subprocess.Popen[str]) -> set[int]:
    """Wait until the lambda runs; the processes that stand below the command then."""
    until(lambda: (slow.space / "memory" / "started").exists() or process.poll() is not None, "the lambda runs")
    below = descendants(process.pid)
    assert below, process.communicate()
    return below


def results(slow: Workbench, thread: str = "workshop") -> list[dict[str, Any]]:
    """The results of calls in a thread."""
    return [e for e in slow.events(thread) if e["type"] == "tool_result" and e["name"] == "call"]


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_call_that_is_cancelled_has_one_result_and_leaves_nothing_running(
    slow: Workbench, signum: signal.Signals, code: int, options: list[str]
) -> None:
    with slow.start("call", "slow", "{}", *options) as process:
        below = started(slow, process)
        ran = end(process, signum)
    assert ran.code == code
    assert not any(alive(pid) for pid in below)
    (result,) = results(slow)
    assert result["error"]["code"] == "cancelled"
    assert result["actor"] == "user"
    if options:
        value = ran.json
        assert value["error"]["code"] == "cancelled"
        assert (value["thread"], value["seq"]) == ("workshop", result["seq"])
    else:
        assert ran.out == ""
        assert "Cancelled" in ran.err
    assert slow.run("fsck").code == 0


@pytest.mark.parametrize("command", [["tools"], ["call", "slow", "{}"]])
def test_what_was_cancelled_before_there_was_an_act_claims_nothing(slow: Workbench, command: list[str]) -> None:
    before = len(slow.events("workshop"))
    # A program that asks for the end of the command as soon as it has begun to open the Space.
    early = (
        "import os, signal, sys, workbench.harness.harness as core\n"
        "opened = core.Harness.open\n"
        "def open_it(*given, **options):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    return opened(*given, **options)\n"
        "core.Harness.open = open_it\n"
        "from workbench.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", early, "--space", str(slow.space), *command],
        env=slow.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "workbench: Cancelled before it ended.\n"
    assert len(slow.events("workshop")) == before


def test_others_look_and_act_beside_a_running_call(slow: Workbench) -> None:
    with slow.start("call", "slow", "{}", "--json") as process:
        started(slow, process)
        assert "running" in slow.run("log", "workshop", "--format", "md").out
        assert slow.run("tools").code == 0
        assert slow.run("threads", "--json").json["threads"][0]["id"] == "workshop"
        assert slow.run("write", "~/memory/go", "--content", "go").code == 0
        out, _ = process.communicate(timeout=30)
    value = json.loads(out)
    assert value["result"]["output"] == {"went": True}
    (result,) = results(slow)
    assert (result["actor"], result["seq"]) == ("user", value["seq"])


def test_a_killed_call_is_interrupted_and_settled_once_by_the_next_act(slow: Workbench) -> None:
    with slow.start("call", "slow", "{}") as process:
        below = started(slow, process)
        end(process, signal.SIGKILL)
    until(lambda: not any(alive(pid) for pid in below), "what it started is gone")
    before = slow.events("workshop")
    assert "interrupted" in slow.run("log", "workshop", "--format", "md").out
    assert "interrupted" in slow.run("log", "workshop", "--format", "html").out
    assert slow.run("tools").code == 0
    assert slow.events("workshop") == before
    for number in range(2):
        assert slow.run("write", "~/memory/next", "--content", str(number)).code == 0
    (result,) = results(slow)
    assert (result["actor"], result["error"]["code"]) == ("system", "interrupted")
    assert slow.run("fsck").code == 0


ACTING = """
import asyncio, sys
from workbench import Harness

async def main():
    async with Harness.open(sys.argv[1]) as h:
        number = 0
        while True:
            number += 1
            await h.perform("write", {"address": f"~/memory/{number % 7}", "content": "x" * number * 100})
            body = {"description": f"Number {number}.", "source": f"export default () => {number}"}
            await h.perform("write", {"address": f"~/tools/tool_{number % 5}", "content": body})
            print(number, flush=True)

asyncio.run(main())
"""


def test_a_space_stays_whole_however_often_its_process_is_killed(cli: Workbench) -> None:
    for moment in range(1, 11):
        command = [sys.executable, "-c", ACTING, str(cli.space)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=cli.env, cwd=ROOT, text=True) as process:
            assert process.stdout is not None
            for _ in range(moment):
                assert process.stdout.readline()
            process.kill()
        checked = cli.run("fsck", "--json")
        assert checked.json == {"ok": True, "faults": []}
    assert cli.run("write", "~/memory/after", "--content", "still").code == 0
    settled = [event for event in cli.events("workshop") if event["actor"] == "system"]
    assert len(settled) <= 10


def test_a_follower_sees_what_another_process_does(cli: Workbench) -> None:
    cli.run("write", "~/memory/a", "--content", "1", "--thread", "t")
    with cli.start("log", "t", "--follow", "--json") as process:
        assert process.stdout is not None
        seen = [json.loads(process.stdout.readline())["seq"] for _ in range(2)]
        cli.run("write", "~/memory/b", "--content", "2", "--thread", "t")
        cli.run("write", "~/memory/c", "--content", "3", "--thread", "other")
        cli.run("read", "~/memory/b", "--thread", "t")
        seen += [json.loads(process.stdout.readline())["seq"] for _ in range(4)]
        ran = end(process, signal.SIGINT)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert ran.code == 130

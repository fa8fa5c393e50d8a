"""`execute`: a program runs in the sandbox, and what it printed is the answer."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.harness.play import Play
from workbench import Harness
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.tools.engine import Bubblewrap
from workbench.harness.tools.lambdas.probe import Availability

pytestmark = pytest.mark.sandbox


async def execute(play: Play, **input: Any) -> dict[str, Any]:
    return await play.owner("call", {"tool": "execute", "input": input})


@pytest.mark.parametrize(
    ("runtime", "code"),
    [
        ("python", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"),
        ("typescript", "const x: string = 'out'; console.log(x); console.error('err'); Deno.exit(3)"),
        pytest.param("shell", "echo out; echo err >&2; exit 3", marks=pytest.mark.sandbox("shell")),
    ],
)
async def test_an_exit_code_is_an_answer(play: Play, runtime: str, code: str) -> None:
    answer = await execute(play, runtime=runtime, code=code)
    assert answer["output"] == {
        "exit_code": 3,
        "success": False,
        "stdout": "out\n",
        "stderr": "err\n",
        "truncated": False,
    }


async def test_its_folder_is_memory_and_what_it_changed_is_told(play: Play) -> None:
    await play.owner("write", {"address": "~/memory/in.txt", "content": "hello"})
    answer = await execute(play, runtime="python", code="open('out.txt', 'w').write(open('in.txt').read().upper())")
    assert answer["changed_files"] == [{"path": "out.txt", "change": "created"}]
    assert (await play.owner("read", {"address": "~/memory/out.txt"}))["content"] == "HELLO"


async def test_past_its_time_it_is_a_failed_act_that_ends_with_the_last_output(play: Play) -> None:
    code = "import time\nprint('so far', flush=True)\ntime.sleep(60)"
    input = {"runtime": "python", "code": code, "timeout_secs": 1}
    error = await play.fails("call", {"tool": "execute", "input": input})
    assert error.code == "timeout"
    assert error.message.rstrip().endswith("so far")


async def test_where_shell_cannot_be_bounded_it_says_so_and_the_others_run(
    tmp_path: Path, folders: OwnerFolders
) -> None:
    class NoBound(Bubblewrap):
        """A machine on which nothing counts processes."""

        async def probe(self) -> Availability:
            found = await super().probe()
            return replace(found, shell="nothing counts processes", processes="nothing counts processes")

    async with Harness.open(tmp_path / "space", folders=folders, sandbox=NoBound()) as harness:
        play = Play(harness)
        error = await play.fails("call", {"tool": "execute", "input": {"runtime": "shell", "code": "ls"}})
        assert (error.code, error.message) == ("unavailable", "shell cannot run here: nothing counts processes")
        assert (await execute(play, runtime="python", code="print(1)"))["output"]["stdout"] == "1\n"
        # What the owner allows is not done without a bound, and that is said.
        await allow(play, processes=True)
        assert (await execute(play, runtime="python", code=FORK))["output"]["success"] is False
        (note,) = harness.sandbox_notes()
        assert (note.id, note.acts) == ("sandbox.processes", False)
        assert "nothing counts processes" in note.text


FORK = "import os\nif os.fork() == 0: os._exit(0)\nos.wait()"


async def allow(play: Play, **sandbox: Any) -> None:
    """Write settings of the sandbox, and say yes to each."""
    await play.owner("write", {"address": "~/self", "content": {"sandbox": sandbox}})
    for name in sandbox:
        await play.harness.approve(f"sandbox.{name}")


@pytest.mark.sandbox("shell")
async def test_processes_wait_for_the_owners_yes_and_a_no_takes_it_back(play: Play) -> None:
    async def forks() -> bool:
        return (await execute(play, runtime="python", code=FORK))["output"]["success"]

    await play.save("forks", source="import os\ndef main(input):\n    return os.system('exit 7') >> 8")
    await play.owner("write", {"address": "~/self", "content": {"sandbox": {"processes": True}}})
    assert not await forks()
    assert play.harness.sandbox_notes() == ()
    await play.harness.approve("sandbox.processes")
    assert await forks()
    assert (await play.owner("call", {"tool": "forks"}))["output"] == 7
    assert [note.id for note in play.harness.sandbox_notes()] == ["sandbox.processes"]
    await play.harness.approve("sandbox.processes", False)
    assert not await forks()


async def test_the_network_waits_for_the_owners_yes_and_a_no_takes_it_back(play: Play) -> None:
    async def reached(server: socket.socket) -> bool:
        code = f"import socket\nsocket.create_connection({server.getsockname()!r})"
        return (await execute(play, runtime="python", code=code))["output"]["success"]

    with socket.create_server(("127.0.0.1", 0)) as server:
        await play.owner("write", {"address": "~/self", "content": {"sandbox": {"network": True}}})
        assert not await reached(server)
        await play.harness.approve("sandbox.network")
        assert await reached(server)
        (note,) = play.harness.sandbox_notes()
        assert "loopback" in note.text
        await play.harness.approve("sandbox.network", False)
        assert not await reached(server)
        assert play.harness.sandbox_notes() == ()


NUMBERS = [
    # the setting, a program that needs more than the default, the code it fails with until the yes
    ("memory_mib", 1024, "import mmap; mmap.mmap(-1, 600 << 20)", None),
    ("disk_mib", 300, "f = open('/tmp/x', 'wb')\nfor _ in range(265): f.write(bytes(1 << 20))", "limit"),
]


@pytest.mark.parametrize(("name", "value", "code", "failure"), NUMBERS)
async def test_more_room_waits_for_the_owners_yes(
    play: Play, name: str, value: int, code: str, failure: str | None
) -> None:
    input = {"tool": "execute", "input": {"runtime": "python", "code": code}}
    await play.owner("write", {"address": "~/self", "content": {"sandbox": {name: value}}})
    if failure is None:
        assert not (await play.owner("call", input))["output"]["success"]
    else:
        assert (await play.fails("call", input)).code == failure
    await play.harness.approve(f"sandbox.{name}")
    assert (await play.owner("call", input))["output"]["success"]
    assert f"{value:,}" in play.harness.sandbox_notes()[0].text


async def test_less_of_everything_acts_at_once(play: Play) -> None:
    await play.owner("write", {"address": "~/self", "content": {"sandbox": {"timeout_secs": 1, "memory_mib": 64}}})
    assert play.harness.sandbox_notes() == ()
    input = {"runtime": "python", "code": "while True: pass"}
    error = await play.fails("call", {"tool": "execute", "input": input})
    assert (error.code, "after 1 second," in error.message) == ("timeout", True)
    for runtime, code in (("python", "print(1)"), ("typescript", "console.log(1)")):
        answer = await execute(play, runtime=runtime, code=code, timeout_secs=30)
        assert answer["output"]["stdout"] == "1\n"


async def test_no_setting_changes_what_the_contract_says(play: Play) -> None:
    def contract() -> str | None:
        tool = play.harness.tool("execute")
        return tool and tool.cid

    before = contract()
    await allow(play, network=True, processes=True, timeout_secs=300)
    assert contract() == before


async def test_more_time_than_a_call_may_have_is_refused_input(play: Play) -> None:
    error = await play.fails(
        "call", {"tool": "execute", "input": {"runtime": "python", "code": "1", "timeout_secs": 301}}
    )
    assert error.code == "bad_input"

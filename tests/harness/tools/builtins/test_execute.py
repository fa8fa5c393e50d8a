"""`execute`: a program runs in the sandbox, and what it printed is the answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.play import Play

pytestmark = pytest.mark.sandbox


async def execute(play: Play, **input: Any) -> dict[str, Any]:
    return await play.owner("call", {"tool": "execute", "input": input})


@pytest.mark.parametrize(
    ("runtime", "code"),
    [
        ("python", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"),
        ("typescript", "const x: string = 'out'; console.log(x); console.error('err'); Deno.exit(3)"),
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


async def test_shell_waits_for_its_version(play: Play) -> None:
    error = await play.fails("call", {"tool": "execute", "input": {"runtime": "shell", "code": "ls"}})
    assert error.code == "unavailable"


async def test_more_time_than_a_call_may_have_is_refused_input(play: Play) -> None:
    error = await play.fails(
        "call", {"tool": "execute", "input": {"runtime": "python", "code": "1", "timeout_secs": 301}}
    )
    assert error.code == "bad_input"

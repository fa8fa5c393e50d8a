"""Programs in shell: what they give back, and that they stay inside the walls with everything that they start."""

# ruff: noqa: E501 - a table reads best with one program a line

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import orphans
from workbench.harness.tools.lambdas.control_groups import homes
from workbench.harness.tools.lambdas.sandbox import Job, Limits, run

pytestmark = pytest.mark.sandbox("shell")


@dataclass(frozen=True)
class Program:
    """`ends` is what it prints when it ends by itself, else the code it fails with; `says` stands in the message."""

    name: str
    code: str
    ends: str
    says: str = ""
    limits: tuple[tuple[str, Any], ...] = ()


def sh(name: str, code: str, ends: str, says: str = "", **limits: Any) -> Program:
    return Program(name, code, ends, says, tuple(limits.items()))


HOLD = "mkfifo /tmp/wait; hold() { x=$(head -c 20000000 /dev/zero | tr '\\0' x); cat /tmp/wait; }; "
"""`hold` keeps some 20 MB in a process of its own and waits on a pipe."""

TABLE = [
    # Time and output.
    sh("loops for ever", "while :; do :; done", "timeout", "0.4 seconds", timeout_secs=0.4),
    sh("waits for what it started", "echo before; sleep 99 & wait", "timeout", "before", timeout_secs=0.4),
    sh("floods its output", "yes", "timeout", "y\ny", timeout_secs=0.4),
    sh("ignores signals", "trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 99) & wait", "timeout", timeout_secs=0.4),
    # Disk.
    sh("floods the workspace", "head -c 64M /dev/zero >big", "limit", "16 MiB", disk_mib=16),
    sh("floods by several", "for n in 1 2 3 4; do head -c 8M /dev/zero >$n & done; wait", "limit", "16 MiB", disk_mib=16),
    sh("floods /tmp", "head -c 64M /dev/zero >/tmp/big", "limit", "16 MiB", disk_mib=16),
    sh("floods shared memory", "head -c 64M /dev/zero >/dev/shm/big", "limit", "16 MiB", disk_mib=16),
    sh("floods here and there", "for f in a /tmp/a /dev/shm/a; do head -c 7M /dev/zero >$f; done", "limit", "16 MiB", disk_mib=16),
    sh("floods files without a name", "for n in 1 2 3 4; do (exec 3>x$n; rm x$n; head -c 8M /dev/zero >&3; sleep 99) & done; wait", "limit", "16 MiB", disk_mib=16),
    sh("floods the file count", "n=0; while :; do n=$((n+1)); : >$n; done", "limit", "at most 300", files=300),
    sh("makes a sparse giant", "truncate -s 1T s 2>/dev/null || echo refused", "refused"),
    # Memory.
    sh("floods memory", "x=x; while :; do x=$x$x; done; echo it went on", "", memory_mib=96),
    sh("floods memory by several", HOLD + "for n in 1 2 3 4 5 6; do hold & done; wait", "limit", "and what it started", memory_mib=96),
    # Processes.
    sh("sees other processes", "for p in /proc/[0-9]*; do echo ${p#/proc/}; done | sort -n | head -n 2 | tr '\\n' ' '", "1 2"),
    sh("kills its parent and all", "kill -9 $PPID; kill -9 1; kill -9 -1; echo alive", "alive"),
    sh("makes a namespace", "unshare -Ur true 2>/dev/null || echo refused", "refused"),
    sh("mounts", "mount -t tmpfs none /tmp 2>/dev/null || echo refused", "refused"),
    # The host's files and environment.
    sh("reads the host's files", "cat /etc/passwd /etc/shadow /etc/hostname /root/.profile 2>&1 | grep -vc 'No such file'", "0"),
    sh("lists the host's folders", "ls -A /root /home /etc /var /sys /boot /mnt 2>/dev/null | grep -v : | grep -v '^$' | grep -v ld.so.cache; echo", ""),
    sh("writes outside", "for p in /x /usr/x /lambda/x /lambda/main.sh /dev/x /proc/sys/kernel/core_pattern; do (: >$p) 2>/dev/null && echo $p; done; echo none", "none"),
    sh("reads the environment", "env | cut -d= -f1 | grep -vx _ | sort | tr '\\n' ' '", "HOME LANG PATH PWD SHLVL TMPDIR"),
    sh("leaves something for the next", "ls -A /tmp /dev/shm | grep -v :; touch /tmp/left /dev/shm/left", ""),
    # Files that would act as somebody else on the host.
    sh("sets ids", "cp /usr/bin/env a; for m in 4755 2755; do chmod $m a 2>/dev/null || echo refused; done", "refused\nrefused"),
    sh("makes a device", "mknod d c 1 5 2>/dev/null || echo refused", "refused"),
    # The result channel, which a program has no use for.
    sh("forges a report and goes on", "printf 'V2\\n{}' >/lambda/result; while :; do :; done", "timeout", timeout_secs=0.4),
    sh("floods the result channel", "cat /dev/zero >/lambda/result", "timeout", timeout_secs=0.4),
]  # fmt: skip


def acting_as_somebody_else(workspace: Path) -> list[Path]:
    """What in the workspace has a set-user-id or set-group-id bit on the host."""
    return [path for path in workspace.rglob("*") if path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID)]


@pytest.mark.parametrize("program", TABLE, ids=lambda one: one.name)
async def test_it_ends_as_it_should(program: Program, workspace: Path):
    limits = Limits(**{"timeout_secs": 30, **dict(program.limits)})
    try:
        outcome = await run(Job("shell", "code", program.code, None, workspace, limits))
        ended, message = outcome.stdout.strip(), ""
    except HarnessError as error:
        ended, message = error.code, error.message
    assert ended == program.ends, message
    assert program.says in message
    assert acting_as_somebody_else(workspace) == []


async def test_an_exit_code_is_an_answer_and_the_streams_are_apart(call):
    outcome = await call("shell", "echo out; echo err >&2; exit 3", kind="code")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (3, "out\n", "err\n")


async def test_a_death_by_signal_is_its_exit_code(call):
    assert (await call("shell", "kill -9 $$", kind="code")).exit_code == 137


async def test_a_fault_in_the_program_names_its_line(call):
    outcome = await call("shell", "echo one\nif", kind="code")
    assert outcome.exit_code == 2
    assert "line" in outcome.stderr


async def test_pipes_and_programs_of_the_machine_work_in_the_workspace(call, workspace):
    (workspace / "in.txt").write_text("b\na\nb\n")
    outcome = await call("shell", "sort in.txt | uniq -c | tr -s ' ' >out.txt; pwd; read -r line || echo no input")
    assert outcome.stdout == "/workspace\nno input\n"
    assert (workspace / "out.txt").read_text() == " 1 a\n 2 b\n"
    assert [(change.path, change.change) for change in outcome.changed_files] == [("out.txt", "created")]


@pytest.fixture
def call(call):
    """Shell knows programs only."""

    async def once(*arguments: Any, **options: Any):
        return await call(*arguments, **{"kind": "code", **options})

    return once


async def test_there_are_no_lambdas_in_shell(failure):
    error = await failure("shell", "echo 1", kind="lambda")
    assert error.code == "bad_input"
    assert "python" in error.message


async def test_of_much_output_the_beginning_and_the_end_are_kept(call):
    outcome = await call("shell", "echo first; head -c 200000 /dev/zero | tr '\\0' x; echo; echo last")
    assert outcome.truncated
    assert outcome.stdout.startswith("first\n")
    assert outcome.stdout.endswith("last\n")
    assert len(outcome.stdout) < 70_000


def running(mark: str) -> list[int]:
    """The processes of the machine whose arguments hold `mark`."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


LINGERING = [
    "sleep {n} &",
    "sleep {n} >/dev/null 2>&1 </dev/null &",
    "setsid sleep {n} >/dev/null 2>&1 </dev/null &",
    "(setsid sh -c 'trap \"\" HUP TERM; sleep {n} & sleep {n}' >/dev/null 2>&1 </dev/null &) &",
    "for i in 1 2 3 4 5 6 7 8; do nohup sleep {n} >/dev/null 2>&1 & done",
]


@pytest.mark.parametrize("lingering", LINGERING)
async def test_what_it_leaves_running_ends_with_it(call, lingering):
    mark = str(10**9 + int.from_bytes(os.urandom(4)))
    # Whoever looks for it has it in its own arguments too.
    there = f"until [ $(grep -las {mark} /proc/[0-9]*/cmdline | wc -l) -gt 1 ]; do :; done"
    outcome = await call("shell", f"{lingering.format(n=mark)}\n{there}; exit 3")
    assert outcome.exit_code == 3
    assert running(mark) == []


async def test_what_it_started_ends_with_a_cancel(workspace, started):
    mark = str(10**9 + int.from_bytes(os.urandom(4)))
    code = f"for i in 1 2 3; do setsid sleep {mark} & done; : >started; wait"
    task = asyncio.create_task(run(Job("shell", "code", code, None, workspace, Limits())))
    await started()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running(mark) == []


HOST = """
import asyncio, sys
from pathlib import Path
from workbench.harness.tools.lambdas.sandbox import Job, Limits, run
asyncio.run(run(Job("shell", "code", sys.argv[1], None, Path(sys.argv[2]), Limits())))
"""


def test_what_it_started_ends_with_a_workbench_that_is_killed(workspace, wait_until):
    mark = str(10**9 + int.from_bytes(os.urandom(4)))
    code = f"for i in 1 2 3; do setsid sleep {mark} >/dev/null 2>&1 & done; : >started; wait"
    environment = {**os.environ, "PYTHONPATH": str(Path(find_spec("workbench").origin).parents[1])}
    with subprocess.Popen([sys.executable, "-c", HOST, code, str(workspace)], env=environment) as host:
        wait_until((workspace / "started").exists)
        wait_until(lambda: len(running(f"sleep\0{mark}")) == 3)
        host.kill()
    wait_until(lambda: running(f"sleep\0{mark}") == [])

    def swept():
        # A group can go only when the kernel has buried the last of its processes.
        orphans.sweep()
        return [entry for home in homes() for entry in home.glob(f"workbench-{host.pid}-*")] == []

    wait_until(swept)


async def test_it_has_64_processes_at_most(call):
    """Each of them sleeps on a pipe; the shell is one itself. A shell that is refused one gives up, soon or later."""
    code = "mkfifo /tmp/p; exec sh -c 'i=0; while [ $i -lt 70 ]; do cat /tmp/p & echo started; i=$((i+1)); done'"
    outcome = await call("shell", code, timeout_secs=60)
    assert outcome.stdout.count("started") == 63
    assert "fork" in outcome.stderr


async def test_calls_beside_one_another_have_64_each(workspace):
    code = "mkfifo /tmp/p; exec sh -c 'i=0; while [ $i -lt 40 ]; do cat /tmp/p & i=$((i+1)); done; echo all'"
    jobs = [Job("shell", "code", code, None, workspace, Limits()) for _ in range(3)]
    outcomes = await asyncio.gather(*(run(job) for job in jobs))
    assert [outcome.stdout for outcome in outcomes] == ["all\n"] * 3


async def test_many_calls_leave_no_descriptor_and_no_control_group(workspace):
    await run(Job("shell", "code", "true", None, workspace, Limits()))
    open_before = len(os.listdir("/proc/self/fd"))
    jobs = [Job("shell", "code", "true | true", None, workspace, Limits()) for _ in range(8)]
    assert {outcome.exit_code for outcome in await asyncio.gather(*(run(job) for job in jobs))} == {0}
    assert len(os.listdir("/proc/self/fd")) == open_before
    assert [entry for home in homes() for entry in home.glob(f"workbench-{os.getpid()}-*")] == []


async def test_the_program_lies_where_nobody_can_change_it(call):
    outcome = await call("shell", "echo $0; chmod 777 $0 || rm -f $0 || echo refused")
    assert outcome.stdout == "/lambda/main.sh\nrefused\n"

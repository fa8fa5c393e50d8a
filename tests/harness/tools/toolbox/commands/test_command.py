"""The life of a command: nothing that it started is left when it is over, however it comes to its end."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal as signals
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.harness.tools.toolbox.commands.processes import DEADLINE_SECS, Heard, Mark
from tests.harness.tools.toolbox.using import use
from tests.people import NOBODY
from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.bash import BASH
from workbench.harness.tools.toolbox.commands import command
from workbench.harness.tools.toolbox.commands.telling import Telling
from workbench.harness.tools.toolbox.host_tool import HostContext, Signal, ToolAnswer

DOUBLE_FORK = (
    "import os, sys\nif os.fork(): sys.exit()\nos.setsid()\nif os.fork(): sys.exit()\n"
    "os.execvp('sleep', ['sleep', sys.argv[1]])"
)

WAYS = {
    "in the background": "sleep {mark} &",
    "by nohup": "nohup sleep {mark} &",
    "disowned": "sleep {mark} & disown",
    "by setsid": "setsid sleep {mark} &",
    "with its output elsewhere": "setsid -f sleep {mark} >/dev/null 2>&1 </dev/null",
    "by a double fork": f'{sys.executable} -c "{DOUBLE_FORK}" {{mark}}',
    "deaf to signals": "(trap '' HUP INT TERM; sleep {mark}) &",
    "stopped": "sleep {mark} & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!",
    "in a deep tree": 'sh -c \'sh -c "sh -c \\"sleep {mark}; true\\" & sleep {mark}; true" & sleep {mark}; true\' &',
}
"""How a command leaves a process running."""


@pytest.fixture
def mark() -> Iterator[Mark]:
    """A mark of which no process is left after the test, nor a descriptor."""
    mark = Mark()
    before = len(os.listdir("/proc/self/fd"))
    yield mark
    assert mark.running() == []
    # What earlier tests left to the collector may go meanwhile.
    assert len(os.listdir("/proc/self/fd")) <= before


@pytest.fixture
async def loop_made() -> None:
    """The loop has what it makes at its first use of a thread."""
    await asyncio.to_thread(int)


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_left_running_is_ended_with_the_command(here: HostContext, mark: Mark, way: str) -> None:
    """It ends when the process is there: an argument of some process is the mark."""
    there = f"cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -qx '[9]{str(mark)[1:]}'"
    code = f"{WAYS[way].format(mark=mark)}\nuntil {there}; do :; done; echo done"
    assert (await use(BASH, {"command": code}, here)).text == "done\n"
    assert mark.running() == []


async def test_a_timeout_ends_all_of_it(here: HostContext, mark: Mark) -> None:
    heard = Heard()
    ways = "\n".join(WAYS[way] for way in WAYS).format(mark=mark)
    running = asyncio.create_task(
        use(BASH, {"command": f"{ways}\necho ready; sleep {mark}", "timeout": 1}, here, updates=heard)
    )
    await heard.until("ready")
    assert len(mark.running()) >= len(WAYS)
    with pytest.raises(HarnessError) as caught:
        await running
    assert caught.value.message == "ready\n\n\nCommand timed out after 1 seconds"
    assert mark.running() == []


async def test_an_abort_ends_all_of_it(here: HostContext, mark: Mark) -> None:
    signal, heard = Signal(), Heard()
    ways = "\n".join(WAYS[way] for way in WAYS).format(mark=mark)
    running = asyncio.create_task(
        use(BASH, {"command": f"{ways}\necho ready; sleep {mark}"}, here, signal=signal, updates=heard)
    )
    await heard.until("ready")
    assert len(mark.running()) >= len(WAYS)
    await asyncio.to_thread(signal.abort)
    with pytest.raises(HarnessError) as caught:
        await running
    assert (caught.value.code, caught.value.message) == ("cancelled", "ready\n\n\nCommand aborted")
    assert mark.running() == []


async def test_what_was_printed_until_an_abort_is_given(here: HostContext, mark: Mark) -> None:
    """Also what had not been read by then."""
    signal = Signal()

    def abort_when_there_is_more(update: ToolAnswer) -> None:
        if update.text == "first\n":
            (here.cwd / "go").touch()
            while not (here.cwd / "printed").exists():
                os.sched_yield()
            signal.abort()

    code = f"echo first; until [ -e go ]; do :; done; echo second; : >printed; sleep {mark}"
    with pytest.raises(HarnessError, match=r"^first\nsecond\n\n\nCommand aborted$"):
        await use(BASH, {"command": code}, here, signal=signal, updates=abort_when_there_is_more)


async def test_a_cancelled_task_ends_all_of_it_before_it_is_raised(
    loop_made: None, here: HostContext, mark: Mark
) -> None:
    heard = Heard()
    running = asyncio.create_task(
        use(BASH, {"command": f"setsid sleep {mark} & echo ready; sleep {mark}"}, here, updates=heard)
    )
    await heard.until("ready")
    for _ in range(3):
        running.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await running
    assert mark.running() == []


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 5, 8, 20, 100, 1_000])
async def test_a_cancel_at_any_moment_of_the_start_leaves_nothing(
    loop_made: None, here: HostContext, mark: Mark, turns: int
) -> None:
    running = asyncio.create_task(use(BASH, {"command": f"sleep {mark}"}, here))
    for _ in range(turns):
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


HOST = """
import asyncio, os
from pathlib import Path
from workbench.harness.tools.toolbox.bash import BASH, Parameters
from workbench.harness.tools.toolbox.host_tool import HostContext, Signal
def tell(update):
    if update.text: print(update.text, end="", flush=True)
params = Parameters(command=os.environ.pop("COMMAND"))
asyncio.run(BASH.execute("call-1", params, Signal(), tell, HostContext(cwd=Path("/"))))
"""


def start_host(code: str) -> subprocess.Popen[str]:
    """Another workbench, that runs a command and prints its updates."""
    root = str(Path(find_spec("workbench").origin).parents[1])
    environment = {**os.environ, "PYTHONPATH": root, "COMMAND": code}
    return subprocess.Popen([sys.executable, "-c", HOST], env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("stopped", [False, True])
def test_nothing_outlives_a_workbench_that_is_killed(mark: Mark, stopped: bool) -> None:
    """Also where the command has stopped what watches over it."""
    ways = "\n".join(WAYS[way] for way in WAYS).format(mark=mark)
    stop = "kill -STOP $PPID" if stopped else ":"
    with start_host(f"{ways}\n{stop}\necho ready; sleep {mark}") as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "ready\n"
        assert len(mark.running()) >= len(WAYS)
        host.kill()
    mark.wait_until_none()


KILLS = {
    "the watcher": "kill -9 $PPID",
    "the group of the watcher": "kill -9 -- -$PPID",
    "the guard": "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)",
    "the guard while the watcher is stopped": "kill -STOP $PPID; kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)",
}
"""How a command kills one of the two processes that watch over it."""


@pytest.mark.parametrize("kill", KILLS)
def test_one_of_the_two_that_watch_is_enough(mark: Mark, tmp_path: Path, kill: str) -> None:
    """Also where the workbench can do nothing about it: here it is stopped."""
    ways = "\n".join(WAYS[way] for way in WAYS).format(mark=mark)
    with start_host(
        f"{ways}\necho ready; until [ -e {tmp_path}/go ]; do :; done; {KILLS[kill]}; sleep {mark}; :"
    ) as host:
        try:
            assert host.stdout is not None
            assert host.stdout.readline() == "ready\n"
            assert len(mark.running()) >= len(WAYS)
            host.send_signal(signals.SIGSTOP)
            (tmp_path / "go").touch()
            mark.wait_until_none()
        finally:
            host.send_signal(signals.SIGCONT)


@pytest.mark.parametrize("kill", KILLS)
async def test_a_command_that_kills_what_watches_over_it_fails_and_leaves_nothing(
    loop_made: None, here: HostContext, mark: Mark, kill: str
) -> None:
    ways = "\n".join(WAYS[way] for way in WAYS).format(mark=mark)
    with pytest.raises(HarnessError) as caught:
        await use(BASH, {"command": f"{ways}\necho before; {KILLS[kill]}; sleep {mark}"}, here)
    assert caught.value.message == (
        "before\n\n\nCommand exited with code 137 (killed by SIGKILL, with the process that watched over it)"
    )
    assert mark.running() == []


async def test_what_the_stopped_guard_cannot_end_ends_with_the_time(
    loop_made: None, here: HostContext, mark: Mark
) -> None:
    code = f"setsid -f sleep {mark} >/dev/null 2>&1; kill -STOP $(cut -d' ' -f4 /proc/$PPID/stat); kill -9 $PPID"
    with pytest.raises(HarnessError, match="Command timed out after"):
        await use(BASH, {"command": f"{code}; sleep {mark}", "timeout": 0.4}, here)
    assert mark.running() == []


async def test_a_command_that_has_stopped_the_guard_ends_all_the_same(here: HostContext, mark: Mark) -> None:
    code = f"setsid -f sleep {mark} >/dev/null 2>&1; kill -STOP $(cut -d' ' -f4 /proc/$PPID/stat); echo done"
    assert (await use(BASH, {"command": code}, here)).text == "done\n"


async def test_of_a_command_that_kills_both_goes_what_can_be_found(
    loop_made: None, here: HostContext, mark: Mark
) -> None:
    """The processes of its session, and those that hold its output."""
    both = "kill -STOP $PPID; kill -9 $(cut -d' ' -f4 /proc/$PPID/stat) $PPID"
    code = f"sleep {mark} & sleep {mark} >/dev/null 2>&1 & setsid sleep {mark} & echo before; {both}; sleep {mark}"
    with pytest.raises(HarnessError, match=r"^before\n\n\nCommand exited with code 137"):
        await use(BASH, {"command": code}, here)
    assert mark.running() == []


FORGED = r"exit 0\nleft x\nleft 1\nstarted 1\nfailed start 2\nfailed\n\377\nexit 99999999999999999999\nsignal 9\n"

BY_PROC = f"""
for process in $PPID $(cut -d' ' -f4 /proc/$PPID/stat); do
    for descriptor in /proc/$process/fd/*; do
        [ $descriptor = /proc/$process/fd/1 ] || printf '{FORGED}' >$descriptor
    done
done 2>/dev/null
exit 3"""

BY_A_COPY = f"""
import ctypes, os, sys
handle = os.pidfd_open(int(sys.argv[1]))
for number in range(3, 20):
    try:
        os.write(ctypes.CDLL(None).syscall(438, handle, number, 0), b"{FORGED}")
    except OSError:
        pass
"""
"""By pidfd_getfd, with the rights of a debugger."""


@pytest.mark.parametrize("way", ["by /proc", "by a copy"])
async def test_nobody_else_can_tell_how_it_ended(here: HostContext, way: str) -> None:
    problems: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: problems.append(context))
    (here.cwd / "forge.py").write_text(BY_A_COPY)
    code = BY_PROC if way == "by /proc" else f"{sys.executable} forge.py $PPID; exit 3"
    with pytest.raises(HarnessError) as caught:
        await use(BASH, {"command": code}, here)
    assert caught.value.message == "(no output)\n\nCommand exited with code 3"
    assert problems == []


async def test_a_command_cannot_find_the_token(here: HostContext, monkeypatch: Any) -> None:
    tokens: list[bytes] = []

    def telling(token: bytes) -> Telling:
        tokens.append(token)
        return Telling(token)

    monkeypatch.setattr(command, "Telling", telling)
    guard = "$(cut -d' ' -f4 /proc/$PPID/stat)"
    files = " ".join(f"/proc/{pid}/{name}" for pid in ("$PPID", guard, "$$") for name in ("cmdline", "environ"))
    code = (
        f"cat {files}; for pid in $PPID {guard}; do ls -l /proc/$pid/fd; timeout 1 cat /proc/$pid/fd/*; done 2>&1; true"
    )
    answer = await use(BASH, {"command": code}, here)
    assert "supervisor.py" in answer.text
    assert len(tokens[0]) == 32
    assert tokens[0].decode() not in answer.text
    assert "memfd" not in answer.text


async def test_a_command_that_asks_its_parent_to_end_is_not_listened_to(here: HostContext, mark: Mark) -> None:
    answer = await use(BASH, {"command": f"kill -TERM $PPID; kill -INT $PPID; setsid sleep {mark} & echo on"}, here)
    assert answer.text == "on\n"


async def test_processes_that_end_as_orphans_are_buried(here: HostContext) -> None:
    """A script that waits for its daemon to be gone gets to its end."""
    code = "pid=$(setsid -f sh -c 'echo $$; exec sleep 0.01'); while kill -0 $pid 2>/dev/null; do :; done; echo gone"
    assert (await use(BASH, {"command": code, "timeout": DEADLINE_SECS}, here)).text == "gone\n"


async def test_of_the_workbench_it_has_no_descriptor_and_no_ignored_signal(here: HostContext) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    try:
        answer = await use(
            BASH,
            {"command": "echo /proc/$$/fd/*; grep -E '^Sig(Blk|Ign)' /proc/self/status; readlink /proc/self/fd/0"},
            here,
        )
    finally:
        os.close(reading)
        os.close(writing)
    descriptors, blocked, ignored, stdin = answer.text.splitlines()
    assert {path.rpartition("/")[2] for path in descriptors.split()} <= {"0", "1", "2", "3"}
    assert (int(blocked.split()[1], 16), int(ignored.split()[1], 16), stdin) == (0, 0, "/dev/null")


async def test_it_is_in_a_session_of_its_own_and_bound_to_no_terminal(here: HostContext) -> None:
    answer = await use(BASH, {"command": "cut -d' ' -f1,5-7 /proc/$$/stat"}, here)
    pid, group, session, terminal = answer.text.split()
    assert pid == group == session
    assert terminal == "0"


def interpreter_of(user: int) -> str | None:
    """A Python that this user may run: ours may lie in a closed folder."""
    for path in (sys.executable, shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable):
        try:
            subprocess.run([path, "-c", ""], user=user, cwd="/", check=True, timeout=DEADLINE_SECS)
        except (OSError, subprocess.CalledProcessError):
            continue
        return path
    return None


async def test_all_of_it_is_ended_with_an_ordinary_users_rights_too(mark: Mark, monkeypatch: Any) -> None:
    """Root may kill everybody; this is for those who may not. An ordinary user who runs it is one already."""
    if os.geteuid() == 0:
        interpreter = interpreter_of(NOBODY)
        if interpreter is None:
            pytest.skip("there is no Python that an ordinary user may run")
        real, source = subprocess.Popen, command._SUPERVISOR.read_text()

        def as_nobody(words: list[str], **options: Any) -> subprocess.Popen[bytes]:
            flags = ["-I", "-S", "-E", "-c", source, words[-1]]
            return real([interpreter, *flags], user=NOBODY, group=NOBODY, extra_groups=[], **options)

        monkeypatch.setattr(subprocess, "Popen", as_nobody)
    signal, heard = Signal(), Heard()
    ways = "\n".join(words for way, words in WAYS.items() if way != "by a double fork").format(mark=mark)
    running = asyncio.create_task(
        use(
            BASH,
            {"command": f"{ways}\nid -u; sleep {mark}"},
            HostContext(cwd=Path("/")),
            signal=signal,
            updates=heard,
        )
    )
    await heard.until("\n")
    assert heard.updates[-1].text.strip() != "0"
    assert mark.running()
    signal.abort()
    with pytest.raises(HarnessError, match="Command aborted"):
        await running
    assert mark.running() == []


async def test_a_writer_in_the_background_is_read_to_its_end(here: HostContext, monkeypatch: Any) -> None:
    """Reported bugs 1 and 2: every piece of it begins the quiet time anew, which is made longer here, so that a busy
    machine makes no difference."""
    monkeypatch.setattr(command, "QUIET_SECS", 0.4)
    code = "(for i in 1 2 3 4; do sleep 0.15; echo $i; done) & echo shell"
    assert (await use(BASH, {"command": code}, here)).text.split() == ["shell", "1", "2", "3", "4"]


async def test_what_holds_the_output_and_is_quiet_is_not_waited_for(here: HostContext, mark: Mark) -> None:
    """Reported bug 1."""
    async with asyncio.timeout(DEADLINE_SECS):
        assert (await use(BASH, {"command": f"sleep {mark} & echo done"}, here)).text == "done\n"


async def test_what_does_not_hold_the_output_is_not_waited_for_at_all(
    here: HostContext, mark: Mark, monkeypatch: Any
) -> None:
    """The output ends with the shell: nobody but what the command started holds it."""
    monkeypatch.setattr(command, "QUIET_SECS", 2.0 * DEADLINE_SECS)
    async with asyncio.timeout(DEADLINE_SECS):
        await use(BASH, {"command": f"setsid -f sleep {mark} >/dev/null 2>&1"}, here)


@pytest.mark.parametrize("end", ["timeout", "abort"])
async def test_a_writer_in_the_background_that_never_ends_can_be_ended(here: HostContext, mark: Mark, end: str) -> None:
    signal = Signal()

    def updates(update: ToolAnswer) -> None:
        if end == "abort" and update.text.count("on") >= 10:
            signal.abort()

    code = f": {mark}; (while :; do echo on; sleep 0.01; done) & exit 0"
    given = {"command": code, **({"timeout": 0.5} if end == "timeout" else {})}
    with pytest.raises(HarnessError) as caught:
        await use(BASH, given, here, signal=signal, updates=updates)
    assert caught.value.code == {"timeout": "timeout", "abort": "cancelled"}[end]
    assert caught.value.message.startswith("on\non\n")


async def test_a_command_that_closes_its_output_is_waited_for(here: HostContext) -> None:
    code = "echo before; exec >&- 2>&-; sleep 0.1; : >made; exit 3"
    with pytest.raises(HarnessError, match="before\n\n\nCommand exited with code 3"):
        await use(BASH, {"command": code}, here)
    assert (here.cwd / "made").exists()


async def test_a_command_that_never_ends_leaves_the_loop_free(here: HostContext, mark: Mark) -> None:
    """Between two pieces of an endless output the loop has its turns."""
    signal, turns = Signal(), 0
    running = asyncio.create_task(use(BASH, {"command": f": {mark}; yes"}, here, signal=signal))
    while turns < 200:
        await asyncio.sleep(0)
        turns += 1
    signal.abort()
    with pytest.raises(HarnessError, match="Command aborted"):
        await running


async def test_a_supervisor_that_does_not_start(here: HostContext, monkeypatch: Any) -> None:
    for interpreter in ("/nowhere/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", interpreter)
        with pytest.raises(HarnessError, match="The command could not be started") as caught:
            await use(BASH, {"command": ": >ran"}, here)
        assert caught.value.code == "unavailable"
        assert interpreter in caught.value.message
    assert not (here.cwd / "ran").exists()


async def test_what_could_not_be_ended_is_told(here: HostContext, monkeypatch: Any, tmp_path: Path) -> None:
    """Processes of another user, as sudo makes them, are beyond an ordinary user's reach: here a kill that does not."""
    helpless = tmp_path / "helpless.py"
    source = command._SUPERVISOR.read_text()
    changed = source.replace("END_SECS = 10.0", "END_SECS = 0.0").replace("left = _kill_below(me)", "left = {7, 5}")
    assert changed != source
    helpless.write_text(changed)
    monkeypatch.setattr(command, "_SUPERVISOR", helpless)
    answer = await use(BASH, {"command": "sleep 9 & echo $!"}, here)
    pid, words = answer.text.split("\n", 1)
    os.kill(int(pid), signals.SIGKILL)
    assert words == "\n\n[Could not be ended: 5, 7. They belong to another user, or hang.]"

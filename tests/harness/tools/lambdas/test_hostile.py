"""Lambdas that do what they must not: each ends as the domain says, and nothing of it is left."""

# ruff: noqa: E501 - a table reads best with one lambda a line

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas.sandbox import Job, Limits, run

pytestmark = pytest.mark.sandbox


@dataclass(frozen=True)
class Hostile:
    """`ends` is the value it returns, or the code it fails with; `says` stands in the message or the value."""

    name: str
    runtime: str
    source: str
    ends: Any
    says: str = ""
    limits: tuple[tuple[str, Any], ...] = ()


def py(name: str, body: str, ends: Any, says: str = "", **limits: Any) -> Hostile:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return Hostile(name, "python", f"def main(input):\n{lines}", ends, says, tuple(limits.items()))


def ts(name: str, body: str, ends: Any, says: str = "", head: str = "", **limits: Any) -> Hostile:
    source = f"{head}\nexport default async function (input: any) {{\n{body}\n}}\n"
    return Hostile(name, "typescript", source, ends, says, tuple(limits.items()))


PYTHON_TRY = """
def attempt(act):
    try:
        act()
    except BaseException as error:
        return type(error).__name__
    return "DONE"
"""

TABLE = [
    # Time and output.
    py("loops for ever", "while True: pass", "timeout", "0.4 seconds", timeout_secs=0.4),
    ts("loops for ever", "while (true);", "timeout", "0.4 seconds", timeout_secs=0.4),
    py("waits for ever", "print('before', flush=True)\nimport time; time.sleep(99)", "timeout", "before", timeout_secs=0.4),
    ts("waits for ever", "console.log('before'); await new Promise(r => setTimeout(r, 99_000))", "timeout", "before", timeout_secs=0.6),
    py("floods its output", "while True: print('x' * 1000)", "timeout", "xxx", timeout_secs=0.4),
    ts("floods its output", "while (true) console.error('x'.repeat(1000))", "timeout", "xxx", timeout_secs=0.4),
    py("prints without line breaks", "import os\nos.write(1, bytes(200_000))\nreturn 1", 1),
    py("closes its output", "import os\nfor fd in (0, 1, 2): os.close(fd)\nreturn 1", 1),
    # Disk.
    py("floods the workspace", "f = open('/workspace/big', 'wb')\nwhile True: f.write(bytes(1 << 20))", "limit", "16 MiB", disk_mib=16),
    py("floods /tmp", "f = open('/tmp/big', 'wb')\nwhile True: f.write(bytes(1 << 20))", "limit", "16 MiB", disk_mib=16),
    py("floods in many files", "n = 0\nwhile True:\n  n += 1\n  open(f'/workspace/{n}', 'wb').write(bytes(1 << 20))", "limit", "16 MiB", disk_mib=16),
    py("floods a file without a name", "import os\nfs = []\nwhile True:\n  fs.append(open('/workspace/x', 'wb')); os.unlink('/workspace/x')\n  for _ in range(8): fs[-1].write(bytes(1 << 20))", "limit", "16 MiB", disk_mib=16),
    py("floods mapped files without a name", "import ctypes, os\nmap = ctypes.CDLL(None).mmap\nmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]\nfor n in range(4):\n  f = open('x', 'wb+'); f.write(bytes(8 << 20)); f.flush(); map(None, 4096, 1, 1, f.fileno(), 0); f.close(); os.unlink('x')\nwhile True: pass", "limit", "16 MiB", disk_mib=16),
    py("puts files without a name into a socket", "import array, socket\na, b = socket.socketpair()\nf = open('x', 'wb')\na.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [f.fileno()]))])", "failed", "Operation not permitted"),
    py("uses files without a name in /tmp", "import tempfile, time\nwith tempfile.TemporaryFile() as f:\n  f.write(bytes(12 << 20)); f.flush(); time.sleep(0.3)\nreturn 1", 1, disk_mib=16),
    py("swallows the error of a full disk", "try:\n  open('/workspace/big', 'wb').write(bytes(64 << 20))\nexcept OSError: pass\nreturn 1", "limit", "16 MiB", disk_mib=16),
    py("makes a sparse giant", "import os\nopen('/workspace/s', 'wb').truncate(1 << 40)", "failed", "File too large"),
    py("floods the file count", "n = 0\nwhile True:\n  n += 1\n  open(f'/workspace/{n}', 'wb')", "limit", "at most 300", files=300),
    py("floods the file count of /tmp", "n = 0\nwhile True:\n  n += 1\n  open(f'/tmp/{n}', 'wb')", "limit", "at most 300", files=300),
    py("makes many folders and ends", "import os\nfor n in range(400): os.mkdir(f'/workspace/{n}')", "limit", "at most 300", files=300),
    py("digs deep", "import os\nfor _ in range(60): os.mkdir('d' * 200); os.chdir('d' * 200)", "limit", "nest them"),
    ts("floods the workspace", "const f = Deno.openSync('/workspace/big', {write: true, create: true}); while (true) f.writeSync(new Uint8Array(1 << 20))", "limit", "16 MiB", disk_mib=16),
    ts("floods /tmp", "const f = Deno.openSync('/tmp/big', {write: true, create: true}); while (true) f.writeSync(new Uint8Array(1 << 20))", "limit", "16 MiB", disk_mib=16),
    ts("floods the file count", "for (let n = 0; ; n++) Deno.writeTextFileSync(`/workspace/${n}`, '')", "limit", "at most 300", files=300),
    # Memory.
    py("floods memory", "x = []\nwhile True: x.append(bytearray(1 << 20))", "limit", "memory", memory_mib=96),
    py("floods shared memory", "import mmap\nm = mmap.mmap(-1, 1 << 30)\nm.write(bytes(1 << 29))", "failed", "Cannot allocate memory", memory_mib=96),
    py("floods memory files", "import os\nos.memfd_create('x')", "failed", "Operation not permitted"),
    py("starts many threads", "import threading\nthreading.stack_size(65536)\nwait = threading.Event().wait\nwhile True:\n  threading.Thread(target=wait, daemon=True).start()", "limit", "threads"),
    ts("floods memory in buffers", "const x = []; while (true) x.push(new Uint8Array(1 << 20).fill(1))", "limit", "memory", memory_mib=96),
    ts("floods memory in objects", "const x = []; while (true) x.push({a: [1, 2, 3]})", "limit", "memory", memory_mib=96),
    ts("floods memory in text", "let x = 'x'; while (true) { x += x + Math.random(); x.charCodeAt(9) }", "limit", "memory", memory_mib=96),
    # Processes.
    py("starts a program", "import subprocess\nsubprocess.run(['/usr/bin/true'])", "failed", "Operation not permitted"),
    py("forks", "import os\nos.fork()", "failed", "Operation not permitted"),
    py("runs a shell", "import os\nreturn [os.system('touch /workspace/x') != 0, os.listdir('/workspace')]", [True, ["door"]]),
    py("spawns", "import os\nos.posix_spawn('/usr/bin/true', ['true'], {})", "failed", "Operation not permitted"),
    py("uses a process pool", "import multiprocessing\nmultiprocessing.get_context('spawn').Process(target=print).start()", "failed"),
    ts("starts a program", "new Deno.Command('/usr/bin/true').outputSync()", "failed", "NotCapable"),
    ts("starts a program by node", "(await import('node:child_process')).execSync('true')", "failed", "Command failed"),
    py("sees other processes", "import os\nreturn sorted(int(p) for p in os.listdir('/proc') if p.isdigit())", [1, 2]),
    py("kills what it can", "import os, signal\nos.kill(1, signal.SIGKILL)\nreturn attempt(lambda: os.kill(-1, signal.SIGKILL))", "ProcessLookupError"),
    py("traces", "import ctypes\nreturn ctypes.CDLL(None).ptrace(0, 0, 0, 0)", -1),
    py("hides from its owner", "import ctypes\nreturn ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)", -1),
    # The host's files and environment.
    py("reads the host's files", "return [attempt(lambda: open(p).read()) for p in ('/etc/passwd', '/etc/hostname', input['secret'], '/etc/shadow')]", ["FileNotFoundError"] * 4),
    py("writes outside", "return [attempt(lambda: open(p, 'w')) for p in ('/x', '/usr/x', '/lambda/x', '/dev/x', '/dev/shm/x', '/proc/sys/kernel/core_pattern', '/proc/self/oom_score_adj')]", ["OSError"] * 7),
    py("reads the environment", "import os\nreturn [sorted(os.environ), open('/proc/self/environ').read().count('WORKBENCH_SECRET')]", [["HOME", "LANG", "MALLOC_ARENA_MAX", "PATH", "PWD", "TMPDIR"], 0]),
    py("looks for the host's name", "import socket\nreturn socket.gethostname()", "sandbox"),
    py("mounts", "import ctypes\nreturn ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None)", -1),
    py("makes a namespace", "import ctypes\nreturn ctypes.CDLL(None).unshare(0x10000000)", -1),
    py("leaves something for the next", "return [attempt(lambda: open('/tmp/left')), open('/tmp/left', 'w').write('x')]", ["FileNotFoundError", 1]),
    ts("reads the host's files", "return Deno.readTextFileSync('/etc/passwd')", "failed", "NotCapable"),
    ts("imports the host's files as text", "return x", "failed", "Module not found", head="import x from '/etc/passwd' with {type: 'text'}"),
    ts("imports the host's files as json", "return x", "failed", "Module not found", head="import x from 'file:///etc/passwd' with {type: 'json'}"),
    ts("imports the host's files as bytes", "return x", "failed", head="import x from '/etc/passwd' with {type: 'bytes'}"),
    ts("plants a link", "Deno.symlinkSync('/etc', '/workspace/etc')", "failed", "NotCapable"),
    ts("reads the environment", "return Object.keys(Deno.env.toObject()).includes('WORKBENCH_SECRET')", False),
    ts("loads a library", "Deno.dlopen('/usr/lib/x86_64-linux-gnu/libc.so.6', {})", "failed", "NotCapable"),
    # Files that would act as somebody else on the host.
    py("sets ids on what is there", "import os\nopen('a', 'w').close(); fd = os.open('.', os.O_RDONLY)\nreturn [attempt(act) for act in (lambda: os.chmod('a', 0o6755), lambda: os.chmod('a', 0o4000, dir_fd=fd), lambda: os.fchmod(fd, 0o2755), lambda: os.chmod('a', 0o2755, follow_symlinks=False))]", ["PermissionError"] * 4),
    py("makes things with ids", "import os, stat\nreturn [attempt(act) for act in (lambda: os.open('a', os.O_CREAT | os.O_WRONLY, 0o4755), lambda: os.open('.', os.O_TMPFILE | os.O_WRONLY, 0o4755), lambda: os.mkdir('b', 0o2755), lambda: os.mknod('c', stat.S_IFREG | 0o6755), lambda: os.mkfifo('d', 0o4755))]", ["PermissionError"] * 5),
    py("makes a device", "import os, stat\nreturn [attempt(lambda: os.mknod('d', kind | 0o666, os.makedev(1, 5))) for kind in (stat.S_IFCHR, stat.S_IFBLK)]", ["PermissionError"] * 2),
    py("sets ids by other calls", "import ctypes, os, platform\nlibc = ctypes.CDLL(None, use_errno=True)\nopen('a', 'w').close(); fd = os.open('.', os.O_RDONLY)\nhow = (ctypes.c_uint64 * 3)(0o101, 0o6755, 0)\ncalls = [(452, fd, b'a', 0o4755, 0), (437, fd, b'b', how, 24)]\nif platform.machine() == 'x86_64': calls += [(90, b'a', 0o4755), (2, b'b', 0o101, 0o4755), (85, b'b', 0o4755)]\nreturn [libc.syscall(*call) for call in calls] == [-1] * len(calls)", True),
    py("uses a sticky bit and plain modes", "import os\nos.mkdir('d', 0o700); os.chmod('d', 0o1755); os.close(os.open('d/a', os.O_CREAT | os.O_RDWR, 0o640)); os.open('d/a', os.O_RDONLY, 0o6755)\nreturn [oct(os.stat(p).st_mode & 0o7777) for p in ('d', 'd/a')]", ["0o1755", "0o640"]),
    ts("sets ids on what is there", "Deno.writeTextFileSync('a', ''); Deno.chmodSync('a', 0o6755)", "failed", "Operation not permitted"),
    ts("sets ids on what is there by node", "const fs = await import('node:fs'); fs.writeFileSync('a', ''); fs.chmodSync('a', 0o4755)", "failed", "not permitted"),
    ts("makes a file with ids", "Deno.writeTextFileSync('a', '', {mode: 0o6755})", "failed", "Operation not permitted"),
    ts("makes things with ids", "const fs = await import('node:fs'); for (const act of [() => Deno.openSync('a', {write: true, create: true, mode: 0o4755}), () => Deno.mkdirSync('b', {mode: 0o2755}), () => fs.writeFileSync('c', '', {mode: 0o6755}), () => fs.mkdirSync('d', {mode: 0o2755})]) try { act() } catch {} return 1", 1),
    ts("uses a sticky bit and plain modes", "Deno.mkdirSync('d', {mode: 0o700}); Deno.chmodSync('d', 0o1755); Deno.writeTextFileSync('d/a', '', {mode: 0o640}); return ['d', 'd/a'].map((p) => (Deno.statSync(p).mode! & 0o7777).toString(8))", ["1755", "640"]),
    # The network.
    py("connects to a server of the host", "import socket\nsocket.create_connection(('127.0.0.1', input['port']), timeout=5)", "failed", "unreachable"),
    py("connects outwards", "import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=5)", "failed", "unreachable"),
    py("asks for a name", "import socket\nsocket.getaddrinfo('example.org', 80)", "failed", "gaierror"),
    py("connects to a unix socket", "import socket\nsocket.socket(socket.AF_UNIX).connect('/workspace/door')", "failed", "not supported"),
    py("connects a pair to a unix socket", "import socket\nsocket.socketpair(type=socket.SOCK_DGRAM)[0].connect('/workspace/door')", "failed", "not supported"),
    py("connects to an abstract socket", "import socket\nsocket.socket(socket.AF_UNIX).connect(chr(0) + input['abstract'])", "failed", "not supported"),
    py("opens vsock and netlink", "import socket\nreturn [attempt(lambda: socket.socket(f, socket.SOCK_RAW if f == 16 else socket.SOCK_STREAM)) for f in (40, 16, 17, 31, 38)]", ["OSError"] * 5),
    ts("connects to a server of the host", "await Deno.connect({hostname: '127.0.0.1', port: input.port})", "failed", "NotCapable"),
    ts("fetches", "await fetch(`http://127.0.0.1:${input.port}/`)", "failed", "NotCapable"),
    ts("connects to a unix socket", "await Deno.connect({transport: 'unix', path: '/workspace/door'})", "failed"),
    # The result.
    py("prints a result and exits", "import os\nprint('HV1\\n1')\nos._exit(0)", "failed", "before it returned a value"),
    py("forges its own result", "import os, sys\nfor fd in range(3, 40):\n  try: os.write(fd, b'V8\\n\"forged\"')\n  except OSError: pass\nos._exit(0)", "forged"),
    py("sends noise on the channel", "import os\nfor fd in range(3, 40):\n  try: os.write(fd, b'noise ' * 9)\n  except OSError: pass\nreturn 1", "failed"),
    py("sends half a result", "import os\nfor fd in range(3, 40):\n  try: os.write(fd, b'V80\\n\"for')\n  except OSError: pass\nos._exit(0)", "failed", "before it returned a value"),
    py("sends a bad result", "import os\nfor fd in range(3, 40):\n  try: os.write(fd, b'V13\\n{\"a\":1,\"a\":2}')\n  except OSError: pass\nos._exit(0)", "failed", "not JSON"),
    py("announces a giant", "import os\nfor fd in range(3, 40):\n  try: os.write(fd, b'V99999999999\\n')\n  except OSError: pass\nreturn 1", "failed"),
    py("breaks the language", "import builtins, sys\nbuiltins.isinstance = builtins.len = None\nsys.stdout = None\nreturn {'a': 1}", "failed"),
    py("becomes another program", "import os\nos.execv('/usr/bin/true', ['true'])", "failed", "exited (code 0)"),
    ts("prints a result and exits", "console.log('HV1\\n1'); Deno.exit(0)", "failed", "before it returned a value"),
    ts("forges its own result", "Deno.writeTextFileSync('/lambda/result', 'V8\\n\"forged\"'); Deno.exit(0)", "forged"),
    ts("holds on in an unload handler", "addEventListener('unload', () => { while (true); }); return 1", 1, timeout_secs=5),
    ts("replaces what we use", "JSON.stringify = () => 'x'; Object.keys = () => []; globalThis.Map = globalThis.Set = null as any; return {a: 1}", "failed"),
]  # fmt: skip


@pytest.fixture
def doors(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """What a lambda must not reach: servers that really listen, a secret file, a secret variable."""
    monkeypatch.setenv("WORKBENCH_SECRET", "s3cret")
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    abstract = f"workbench-{os.getpid()}-{os.urandom(4).hex()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as hidden,
    ):
        here = os.getcwd()
        os.chdir(workspace)  # a socket's path is at most 108 bytes
        unix.bind("door")
        os.chdir(here)
        hidden.bind("\0" + abstract)
        for server in (unix, hidden):
            server.listen()
        for server in (tcp, unix, hidden):
            server.setblocking(False)
        yield {"port": tcp.getsockname()[1], "abstract": abstract, "secret": str(secret)}
        for server in (tcp, unix, hidden):
            with pytest.raises(BlockingIOError):
                server.accept()


def acting_as_somebody_else(workspace: Path) -> list[Path]:
    """What in the workspace, itself included, has a set-user-id or set-group-id bit on the host."""
    inside = [Path(folder, name) for folder, folders, files in os.walk(workspace) for name in (*folders, *files)]
    # What lies deeper has no path that the host takes.
    named = [path for path in (workspace, *inside) if len(os.fsencode(path)) < 4096]
    return [path for path in named if path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID)]


@pytest.mark.parametrize("hostile", TABLE, ids=lambda one: f"{one.runtime}: {one.name}")
async def test_it_ends_as_it_should(hostile: Hostile, workspace: Path, doors: dict[str, Any]):
    source = PYTHON_TRY + hostile.source if hostile.runtime == "python" else hostile.source
    limits = Limits(**{"timeout_secs": 30, **dict(hostile.limits)})
    job = Job(hostile.runtime, "lambda", source, doors, workspace, limits)
    try:
        ended: Any = (await run(job)).value
        message = ""
    except HarnessError as error:
        ended, message = error.code, error.message
    assert ended == hostile.ends, message
    assert hostile.says in message
    assert acting_as_somebody_else(workspace) == []


REACHES = {
    # Where a program could find its way to the result channel: by its name, by a descriptor, by the first process.
    "python": """
import os
for where in ("/proc/self/fd", "/proc/1/fd"):
    for name in os.listdir(where):
        try:
            if int(name) > 2 or where != "/proc/self/fd":
                os.write(os.open(f"{where}/{name}", os.O_WRONLY | os.O_NONBLOCK), b"V2\\n{}")
        except OSError:
            pass
for descriptor in range(3, 40):
    try: os.write(descriptor, b"V2\\n{}")
    except OSError: pass
""",
    "typescript": """
for (const path of ["/lambda/result", "planted"]) {
    try { Deno.writeTextFileSync(path, "V2\\n{}"); } catch (error) { console.log(error.name); }
}
""",
}

ENDLESS = {
    ("python", "timeout"): "while True: pass",
    ("python", "limit"): "n = 0\nwhile True:\n    n += 1\n    open(f'/tmp/{n}', 'w').close()",
    ("typescript", "timeout"): "while (true);",
    ("typescript", "limit"): "for (let n = 0; ; n++) Deno.writeTextFileSync(`/tmp/${n}`, '')",
}


@pytest.mark.parametrize(("runtime", "code"), ENDLESS)
async def test_a_program_cannot_hide_that_it_was_stopped_behind_a_forged_report(failure, workspace, runtime, code):
    (workspace / "planted").symlink_to("/lambda/result")
    limits = {"timeout_secs": 0.6} if code == "timeout" else {"files": 300}
    error = await failure(runtime, REACHES[runtime] + ENDLESS[runtime, code], kind="code", **limits)
    assert error.code == code


async def test_memory_is_a_limit_for_a_program_too_whatever_it_forged(failure, workspace):
    source = REACHES["typescript"] + "const x = []; while (true) x.push(new Uint8Array(1 << 20).fill(1));"
    error = await failure("typescript", source, kind="code", memory_mib=96, timeout_secs=30)
    assert (error.code, "memory" in error.message) == ("limit", True)


async def test_a_program_has_no_result_file(call):
    source = "try { Deno.writeTextFileSync('/lambda/result', 'x') } catch (error) { console.log(error.name) }"
    assert (await call("typescript", source, kind="code")).stdout == "NotCapable\n"


async def test_what_a_program_forged_is_no_value_and_changes_no_exit_code(call):
    for runtime, leave in (("python", "import sys; sys.exit(3)"), ("typescript", "Deno.exit(3)")):
        outcome = await call(runtime, REACHES[runtime] + leave, kind="code")
        assert (outcome.value, outcome.exit_code) == (None, 3)


async def test_links_and_pipes_are_told_and_neither_followed_nor_opened(call, workspace):
    source = "import os\ndef main(input):\n    os.symlink('/etc', 'out')\n    os.mkfifo('pipe')\n    open('plain', 'w').close()"
    outcome = await call("python", source)
    changed = {change.path: change.change for change in outcome.changed_files}
    assert changed == {"out": "created", "pipe": "created", "plain": "created"}
    assert stat.S_ISFIFO((workspace / "pipe").lstat().st_mode)
    assert (await call("python", "def main(input): pass")).changed_files == ()
    assert (await call("typescript", "export default () => null")).changed_files == ()


@pytest.mark.parametrize(
    ("runtime", "source"),
    [
        ("python", "def main(input):\n    return open('note.txt').read() + open('/workspace/sub/b').read()"),
        (
            "typescript",
            "export default () => Deno.readTextFileSync('note.txt') + Deno.readTextFileSync('/workspace/sub/b')",
        ),
    ],
)
async def test_a_harmless_one_reads_the_workspace(call, workspace, runtime, source):
    (workspace / "note.txt").write_text("ä")
    (workspace / "sub").mkdir()
    (workspace / "sub" / "b").write_text("b")
    assert (await call(runtime, source)).value == "äb"

"""What the owner may allow a call: the host's network, and processes of its own; each only when it is allowed."""

from __future__ import annotations

import os
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import network

pytestmark = pytest.mark.sandbox

# The network ------------------------------------------------------------------------------------------------------


class _Door(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.visits.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "7")
        self.end_headers()
        self.wfile.write(b"welcome")

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server of this machine that listens on its loopback only, and keeps who came."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Door)
        self.visits: list[str] = []


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


VISITS = {
    "python": "from urllib.request import urlopen\nprint(urlopen('http://127.0.0.1:{port}/x').read().decode())",
    "typescript": "console.log(await (await fetch('http://127.0.0.1:{port}/x')).text())",
    "shell": "exec 3<>/dev/tcp/127.0.0.1/{port} && printf 'GET /x HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3",
}
MARKED = [pytest.param(runtime, marks=pytest.mark.sandbox("shell") if runtime == "shell" else ()) for runtime in VISITS]


@pytest.mark.parametrize("runtime", MARKED)
async def test_a_server_of_this_machine_is_reached_where_it_is_allowed(call, server, runtime):
    code = VISITS[runtime].format(port=server.server_port)
    outcome = await call(runtime, code, kind="code", network=True)
    assert (outcome.stdout.strip(), server.visits) == ("welcome", ["/x"]), outcome.stderr


@pytest.mark.parametrize("runtime", MARKED)
@pytest.mark.parametrize("processes", [False, True])
async def test_and_by_nobody_where_it_is_not(call, server, runtime, processes):
    code = VISITS[runtime].format(port=server.server_port)
    outcome = await call(runtime, code, kind="code", processes=processes)
    assert outcome.exit_code != 0
    assert (outcome.stdout.strip(), server.visits) == ("", [])
    assert "unreachable" in outcome.stderr or runtime == "typescript"


async def test_a_lambda_reaches_it_too(call, server):
    source = (
        "import urllib.request\ndef main(port):\n    return urllib.request.urlopen(f'http://127.0.0.1:{port}/').status"
    )
    assert (await call("python", source, server.server_port, network=True)).value == 200


async def test_names_are_found_as_on_the_host(call):
    source = "import socket\ndef main(input):\n    return socket.gethostbyname('localhost')"
    assert (await call("python", source, network=True)).value == socket.gethostbyname("localhost")


async def test_tls_trusts_whom_the_host_trusts(call):
    count = "len(ssl.create_default_context().get_ca_certs())"
    outcome = await call("python", f"import ssl\ndef main(input):\n    return {count}", network=True)
    assert outcome.value == len(ssl.create_default_context().get_ca_certs())


async def test_of_the_hosts_etc_no_more_is_seen_than_the_network_needs(call):
    source = """
import os
def main(input):
    return sorted(os.path.join(folder, name) for folder, folders, files in os.walk('/etc')
                  for name in files if not folder.startswith('/etc/ssl/certs'))
"""
    seen = set((await call("python", source, network=True)).value)
    allowed = {inside for _, inside in network.files()} | {"/etc/ld.so.cache"}
    assert {path for path in seen if path not in allowed and not path.startswith("/etc/pki/")} == set()
    assert not any("private" in path or "shadow" in path or "passwd" in path for path in seen)


async def test_what_is_no_internet_address_stays_out_of_reach(call, workspace):
    """A socket in the workspace leads out of the sandbox, and an abstract one belongs to the host's network."""
    abstract = f"workbench-{os.getpid()}-{os.urandom(4).hex()}"
    with socket.socket(socket.AF_UNIX) as inside, socket.socket(socket.AF_UNIX) as hidden:
        here = os.getcwd()
        os.chdir(workspace)  # a socket's path is at most 108 bytes
        inside.bind("door")
        os.chdir(here)
        hidden.bind("\0" + abstract)
        for listening in (inside, hidden):
            listening.listen()
        source = """
import socket
def attempt(act):
    try:
        act()
    except OSError as error:
        return error.errno
def main(abstract):
    ways = [lambda a=a: socket.socket(socket.AF_UNIX).connect(a) for a in ("/workspace/door", chr(0) + abstract)]
    ways += [lambda f=f: socket.socket(f, socket.SOCK_RAW) for f in (2, 10, 16, 17, 40)]
    ways += [lambda: socket.create_server(("127.0.0.1", 1))]
    return [attempt(way) is not None for way in ways]
"""
        assert (await call("python", source, abstract, network=True)).value == [True] * 8


# Processes --------------------------------------------------------------------------------------------------------

COUNTS = {
    "python": """
import os
wait, go = os.pipe()
count = 1
try:
    while count < 70:
        if os.fork() == 0:
            os.close(go)
            os.read(wait, 1)
            os._exit(0)
        count += 1
except OSError:
    pass
print(count)
""",
    "typescript": """
let count = 1;
try {
    for (; count < 70; count++) new Deno.Command("/usr/bin/cat", { stdin: "piped" }).spawn();
} catch {}
console.log(count);
Deno.exit();
""",
}
"""Start processes that sleep on a pipe, at most 69 of them, and print how many there are with the first."""

needs_processes = pytest.mark.sandbox("shell")


@needs_processes
@pytest.mark.parametrize("runtime", COUNTS)
async def test_there_are_64_processes_at_most_where_they_are_allowed(call, runtime):
    outcome = await call(runtime, COUNTS[runtime], kind="code", processes=True)
    assert outcome.stdout == "64\n", outcome.stderr


@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("runtime", COUNTS)
async def test_and_one_where_they_are_not(call, runtime, network):
    outcome = await call(runtime, COUNTS[runtime], kind="code", network=network)
    assert outcome.stdout == "1\n", outcome.stderr


@needs_processes
@pytest.mark.parametrize(
    ("runtime", "source"),
    [
        (
            "python",
            "import subprocess, sys\ndef main(input):\n"
            "    return subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True, text=True).stdout",
        ),
        (
            "python",
            "from concurrent.futures import ProcessPoolExecutor\ndef double(n):\n    return n + n\n"
            "def main(input):\n    with ProcessPoolExecutor(4) as pool:\n"
            "        return f'{sum(pool.map(double, range(7)))}\\n'",
        ),
        (
            "typescript",
            "export default () => new TextDecoder().decode("
            "new Deno.Command('/bin/sh', {args: ['-c', 'echo $((6 * 7))']}).outputSync().stdout)",
        ),
    ],
    ids=["python: a program", "python: a pool", "typescript: a program"],
)
async def test_a_lambda_works_with_processes_of_its_own(call, runtime, source):
    assert (await call(runtime, source, processes=True)).value == "42\n"


HOLDERS = """
import os, time
def main(input):
    mine = bytearray(input["mine"] << 20)
    for _ in range(5):
        if os.fork() == 0:
            theirs = bytearray(input["theirs"] << 20)
            for at in range(0, len(mine) if input["write"] else 0, 4096):
                mine[at] = 1
            time.sleep(99)
    time.sleep(input["pause"])
    return "kept"
"""


@needs_processes
@pytest.mark.parametrize(
    "held",
    [{"mine": 1, "theirs": 30, "write": False}, {"mine": 30, "theirs": 0, "write": True}],
    ids=["each its own", "written copies"],
)
async def test_memory_is_one_limit_for_all_of_them(failure, held):
    error = await failure("python", HOLDERS, held | {"pause": 99}, memory_mib=128, processes=True)
    assert error.code == "limit"
    assert "It and what it started used" in error.message


SOCKETS = """
import os, socket, time
def main(input):
    for _ in range(8):
        if os.fork() == 0:
            pairs = [socket.socketpair() for _ in range(50)]
            time.sleep(99)
    time.sleep(99)
"""


@needs_processes
async def test_the_kernels_memory_behind_sockets_is_bounded_for_all_of_them(failure):
    error = await failure("python", SOCKETS, processes=True)
    assert error.code == "limit"
    assert "sockets" in error.message


@needs_processes
async def test_memory_that_they_share_counts_once(call):
    held = {"mine": 60, "theirs": 0, "write": False, "pause": 0.3}
    assert (await call("python", HOLDERS, held, memory_mib=128, processes=True)).value == "kept"


@needs_processes
@pytest.mark.parametrize("permissions", [{"processes": True}, {"processes": True, "network": True}], ids=str)
async def test_a_process_gets_no_more_than_the_first_one(call, permissions: dict[str, Any]):
    """Its own namespaces, a way to trace another, or a file that acts as somebody else."""
    source = """
import ctypes, os, subprocess
def attempt():
    libc = ctypes.CDLL(None)
    open('a', 'w').close()
    refused = [libc.unshare(0x10000000), libc.ptrace(16, os.getppid(), 0, 0), libc.chmod(b'a', 0o4755), libc.setuid(1)]
    refused += [libc.mount(b'none', b'/tmp', b'tmpfs', 0, None), libc.shmget(0, 4096, 0o600)]
    refused.append(libc.syscall(319 if os.uname().machine == 'x86_64' else 279, b'x', 0))
    return refused == [-1] * len(refused)
def main(input):
    child = os.fork()
    if child == 0:
        os._exit(0 if attempt() else 1)
    return os.waitpid(child, 0)[1]
"""
    assert (await call("python", source, **permissions)).value == 0


async def test_where_their_number_has_no_bound_nothing_starts(call, monkeypatch):
    from workbench.harness.tools.lambdas import control_groups, process_room

    monkeypatch.setattr(process_room, "_is_root", lambda: True)
    monkeypatch.setattr(control_groups, "homes", list)
    for runtime, options in (("shell", {}), ("python", {"processes": True})):
        with pytest.raises(HarnessError) as caught:
            await call(runtime, "print('it runs')", kind="code", **options)
        assert caught.value.code == "unavailable"
        assert "no pids controller" in caught.value.message
        assert "ordinary user" in caught.value.message

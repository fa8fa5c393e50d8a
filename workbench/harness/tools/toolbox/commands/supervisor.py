"""The parent of one command, a program of its own: `python -I -S -E supervisor.py CONTROL STATUS`.

Whatever the command starts, also by setsid or a double fork, becomes a child of this process when its own parent ends,
so that all of it can be found and ended. It reads from stdin what to run, starts it, and tells on the descriptor STATUS
what becomes of it, in lines: `failed PLACE ERRNO`, `started PID`, `exit CODE`, `signal NUMBER`, `left PID...`. When the
other end of CONTROL closes, by the workbench or with it, it kills all there is below it. It ends when nothing is left.

It imports nothing but a little of the standard library, because every command waits for its start.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time

END_SECS = 10.0
"""How long it tries at most to end what is below it."""

_LOOK_MILLISECS = 10

# Numbers of prctl, from <linux/prctl.h>.
_SET_DEATH_SIGNAL = 1
_SET_NAME = 15
_SET_SUBREAPER = 36

# A command that asks its parent to end means its own shell, and must not get rid of what watches over it.
_IGNORED = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)


_libc = ctypes.CDLL(None, use_errno=True)


def main(control: int, status: int) -> None:
    """Run what stdin says: directory, shell, command and variables, with NUL characters between them."""
    for descriptor in (control, status):
        os.set_inheritable(descriptor, False)
    woken, wake = os.pipe()
    for descriptor in (woken, wake):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    _prctl(_SET_NAME, b"workbench-bash")
    # Should the command have stopped this process, the end of the workbench lets it go on, to see that very end.
    _prctl(_SET_DEATH_SIGNAL, signal.SIGCONT)
    if _prctl(_SET_SUBREAPER, 1) != 0:
        _tell(status, f"failed watch {ctypes.get_errno()}")
        return
    request = _request()
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    looks = select.poll()
    looks.register(control, select.POLLIN)
    looks.register(woken, select.POLLIN)
    if looks.poll(0):
        return  # it is not wanted any more
    shell = os.fork()
    if shell == 0:
        _become(request, status)
    # From here on only the command and the workbench hold its output.
    os.dup2(0, 1)
    os.dup2(0, 2)
    _tell(status, f"started {shell}")
    while _reap(shell, status):
        if any(descriptor == control for descriptor, _ in looks.poll()):
            _end_all(shell, status, woken)
            return
        _drain(woken)


def _prctl(what: int, value: int | bytes) -> int:
    return _libc.prctl(what, value, 0, 0, 0)


def _request() -> list[bytes]:
    pieces: list[bytes] = []
    while piece := os.read(0, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces).split(b"\0")


def _become(request: list[bytes], status: int) -> None:
    """Turn into the shell, in a session of its own and with nothing of this process but its output."""
    place = "start"
    try:
        directory, shell, command, *variables = request
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        place = "directory"
        os.chdir(directory)
        place = "shell"
        pairs = (variable.partition(b"=") for variable in variables)
        os.execve(shell, [os.path.basename(shell), b"-c", b"--", command], {name: value for name, _, value in pairs})
    except OSError as error:
        _tell(status, f"failed {place} {error.errno}")
    finally:
        os._exit(127)


def _tell(status: int, line: str) -> None:
    try:
        os.write(status, line.encode() + b"\n")
    except OSError:
        return  # the workbench is gone, which the other descriptor says too


def _drain(woken: int) -> None:
    try:
        while os.read(woken, 4096):
            pass
    except BlockingIOError:
        return


def _reap(shell: int, status: int) -> bool:
    """Bury the children that have ended; answers whether there are others."""
    while True:
        try:
            pid, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True
        if pid == shell:
            code = os.waitstatus_to_exitcode(how)
            _tell(status, f"signal {-code}" if code < 0 else f"exit {code}")


def _end_all(shell: int, status: int, woken: int) -> None:
    """Kill everything below this process, again and again: what is born meanwhile, and what its parent's end brings."""
    me = os.getpid()
    until = time.monotonic() + END_SECS
    looks = select.poll()
    looks.register(woken, select.POLLIN)
    left = _kill_below(me)
    while _reap(shell, status):
        if time.monotonic() > until:
            _tell(status, " ".join(("left", *map(str, sorted(left)))))
            return
        looks.poll(_LOOK_MILLISECS)
        _drain(woken)
        left = _kill_below(me)


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
    main(int(sys.argv[1]), int(sys.argv[2]))
    os._exit(0)

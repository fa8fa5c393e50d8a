"""One way to run ripgrep: its output is taken as it comes, what it complains about is kept in bounds, an abort ends it.

It runs in a thread of its own and not on the event loop: what it prints is parsed there too, and a tree of many files
takes ripgrep so little time that the start of a process through the loop would be a good part of the whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import Signal
from workbench.harness.tools.toolbox.in_thread import beside, done_or_aborted
from workbench.harness.tools.toolbox.limits import MEBIBYTE, SEARCH_MEMORY_BYTES
from workbench.harness.tools.toolbox.paths import shown
from workbench.harness.tools.toolbox.ripgrep.locate import ripgrep
from workbench.harness.tools.toolbox.ripgrep.names import one_row
from workbench.harness.tools.toolbox.system_words import code_of

if TYPE_CHECKING:
    import subprocess

ALWAYS = ("--no-config", "--color=never", "--hidden", "--no-ignore-messages")
"""What every search says: nobody's own configuration, dot files too, no faults in ignore files."""

_CHUNK = 256 * 1024
_STDERR = 64 * 1024
_PIPE = 1024 * 1024
_REAP_SECS = 2.0
_UNREAD = re.compile(
    rb"^(?:rg: )?(?P<path>.+?): (?:IO error for operation on .*?: )?(?P<why>[^:\n]+) \(os error \d+\)$", re.M
)
_NO_MEMORY = re.compile(rb"^memory allocation of \d+ bytes failed", re.M)
_WHY = re.compile(r"^error: (.+)$", re.M)


class Ended(Struct, frozen=True):
    """How a search ended. `unread` counts files and folders that could not be read; `first` is one of them and why."""

    unread: int = 0
    first: str = ""

    def notice(self) -> str | None:
        """What a result says about what could not be read."""
        if self.unread == 0:
            return None
        what = "1 file or folder" if self.unread == 1 else f"{self.unread} files or folders"
        return f"{what} could not be read and may hold more ({self.first})"


Take = Callable[[bytes], bool | None]
"""Is given the output in pieces, in another thread. It answers True when it wants no more."""


async def run(options: Sequence[str], *, cwd: Path, signal: Signal, take: Take, ignore: str = "") -> Ended:
    """Run a search in a folder until it is over, or until `take` has enough.

    `ignore` are rules like those of a `.gitignore` that count less than all others.

    Raises:
        HarnessError: `cancelled` after an abort; `bad_input` with ripgrep's words for a pattern that it refuses;
            `unavailable` where it is missing; `failed` where it cannot start or broke off.
    """
    signal.check()
    child = _Child()
    command = [ripgrep(), *ALWAYS, *(("--ignore-file=/dev/stdin",) if ignore else ()), *options]
    working = beside(lambda: child.run(command, cwd, ignore.encode(), take))
    try:
        await done_or_aborted(working, signal, child.kill)
    finally:
        if not working.done():
            child.kill()
            # A process that hangs in the system, on a disk that is gone, cannot be waited for.
            await asyncio.wait((working,), timeout=_REAP_SECS)
    signal.check()
    return _ended(*working.result())


_Code = tuple[int, bytes, int]
"""The exit code of a process, the beginning of what it complained about, and how many lines of that were dropped."""


class _Child:
    """The process of one search. It may be killed from any thread, before it was started too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._killed = False
        self._process: subprocess.Popen[bytes] | None = None

    def kill(self) -> None:
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def run(self, command: list[str], cwd: Path, ignore: bytes, take: Take) -> _Code:
        """Start it, hand on what it prints, and reap it."""
        process = self._start(command, cwd, bool(ignore))
        if process is None:
            return 0, b"", 0
        try:
            if process.stdin is not None:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(ignore)
                    process.stdin.close()
            return self._drain(process, take)
        finally:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with contextlib.suppress(BrokenPipeError):
                        stream.close()

    def _start(self, command: list[str], cwd: Path, with_input: bool) -> subprocess.Popen[bytes] | None:
        import subprocess

        with self._lock:
            if self._killed:
                return None
            try:
                self._process = subprocess.Popen(
                    command,
                    cwd=cwd,
                    stdin=subprocess.PIPE if with_input else subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                )
            except (OSError, ValueError) as error:
                raise _not_started(error, cwd) from error
            _bound_memory(self._process.pid)
            _widen(self._process.stdout)
            return self._process

    def _drain(self, process: subprocess.Popen[bytes], take: Take) -> _Code:
        import selectors

        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.fileno(), process.stderr.fileno()
        complaints = bytearray()
        dropped = 0
        enough = False
        with selectors.DefaultSelector() as both:
            both.register(out, selectors.EVENT_READ)
            both.register(err, selectors.EVENT_READ)
            while both.get_map():
                # With enough of its output, what it has complained about until then is still read.
                events = both.select(0 if enough else None)
                if enough and not events:
                    return 0, bytes(complaints), dropped
                for ready, _ in events:
                    data = os.read(ready.fd, _CHUNK)
                    if not data:
                        both.unregister(ready.fd)
                    elif ready.fd == out:
                        enough = take(data) is True
                        if enough:
                            both.unregister(out)
                    elif len(complaints) < _STDERR:
                        complaints += data
                    else:
                        dropped += data.count(b"\n")
        return 0 if enough else process.wait(), bytes(complaints), dropped


def _bound_memory(pid: int) -> None:
    """Have a process fail rather than take all there is, where the system can do that."""
    import resource

    limit = getattr(resource, "prlimit", None)
    if limit is not None:
        with contextlib.suppress(OSError, ValueError):
            limit(pid, resource.RLIMIT_DATA, (SEARCH_MEMORY_BYTES, SEARCH_MEMORY_BYTES))


def _widen(pipe: IO[bytes] | None) -> None:
    """Have a pipe hold more, so that whoever writes waits less; a system may refuse that to a user with many pipes."""
    import fcntl

    size: int | None = getattr(fcntl, "F_SETPIPE_SZ", None)
    if pipe is not None and size is not None:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe.fileno(), size, _PIPE)


def _ended(code: int, complaints: bytes, dropped: int) -> Ended:
    if code < 0 and _NO_MEMORY.search(complaints):
        raise HarnessError(
            "limit",
            f"The search took more than {SEARCH_MEMORY_BYTES // MEBIBYTE:,} MiB of memory, so it was ended: there is a "
            "file with a line that is too long. Leave that file out by path or glob, or look into it with bash.",
        )
    if code < 0:
        raise HarnessError("failed", f"ripgrep was ended by signal {-code}. Try again.")
    unread = list(_UNREAD.finditer(complaints))
    if code > 1 and not unread:
        raise _refused(complaints.decode("utf-8", "replace"))
    if not unread:
        return Ended()
    first = one_row(unread[0]["path"].removeprefix(b"./")), unread[0]["why"].decode("utf-8", "replace")
    # What was dropped can only be more of the same: a pattern is refused before anything is read.
    return Ended(len(unread) + dropped, ": ".join(first))


def _refused(words: str) -> HarnessError:
    """The words about a pattern, without the picture of it, which shows it otherwise than it was given."""
    why = _WHY.search(words)
    said = why[1] if why else words.strip().removeprefix("rg: ").partition("\n")[0].strip()
    if not said:
        return HarnessError("failed", "ripgrep failed and did not say why. Try again, or search a smaller folder.")
    if said.startswith('the literal "\\n" is not allowed'):
        return HarnessError(
            "bad_input",
            "The pattern is refused: it has a newline, and a pattern is looked for in one line at a time, also with "
            "literal. Search for one of its lines; context shows those around it.",
        )
    return HarnessError(
        "bad_input",
        f"The pattern is refused: {said.rstrip('.')}. It is a regular expression in Rust syntax, matched line by line; "
        "set literal to true to search for it as it stands.",
    )


def _not_started(error: OSError | ValueError, cwd: Path) -> HarnessError:
    import errno

    if isinstance(error, ValueError):
        return HarnessError("bad_input", "A pattern holds no NUL and no half of a surrogate pair. Leave it out.")
    if error.errno == errno.E2BIG:
        return HarnessError("bad_input", "The pattern is too long for a command line (128 KB). Use a shorter one.")
    if error.filename is not None and os.fspath(error.filename) == os.fspath(cwd):
        return HarnessError(code_of(error), f"Cannot read directory: {shown(cwd)}: {error.strerror}.")
    return HarnessError("unavailable", f"ripgrep (rg) cannot be started: {error.strerror}.")

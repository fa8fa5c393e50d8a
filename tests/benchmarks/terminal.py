"""A program in a pseudo-terminal, timed by what it paints."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

_ESCAPES = re.compile(
    rb"\x1b\[[0-9;:?<>=$!]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_^X].*?\x1b\\|\x1b[@-Z\\-_]|\x1b[()]."
)
_WAIT_SECS = 60.0


class Terminal:
    """Runs a command in a terminal of its own until it is closed. Times are in seconds since it was started."""

    def __init__(
        self, command: Sequence[str], size: tuple[int, int] = (120, 40), environment: Mapping[str, str] | None = None
    ) -> None:
        """`size` is columns and rows."""
        self.began = time.perf_counter()
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.execvpe(command[0], list(command), {**os.environ, "TERM": "xterm-256color", **(environment or {})})
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._seen = b""

    def press(self, keys: bytes) -> float:
        """Type keys; when that was."""
        self._seen = b""
        at = time.perf_counter()
        os.write(self._fd, keys)
        return at - self.began

    def until_text(self, text: str) -> float:
        """Wait until a text was painted since the last key; when that was."""
        wanted = text.encode()
        return self._until(lambda: wanted in _ESCAPES.sub(b"", self._seen), text)

    def until_painted(self, pause: float = 0.08) -> tuple[float, float]:
        """Wait until something was painted since the last key and then nothing for a while: when the first frame was
        whole, and when the last byte came."""
        first = last = self._until(lambda: self._seen, "anything")
        # What belongs to one frame comes at once; whatever follows a pause is another one.
        while self._read(0.004):
            first = last = time.perf_counter() - self.began
        while self._read(pause):
            last = time.perf_counter() - self.began
        return first, last

    def quiet(self, secs: float = 0.25) -> None:
        """Wait until nothing is painted for a while."""
        while self._read(secs):
            pass

    def close(self) -> None:
        """Kill the command and let the terminal go."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._fd)

    def _until(self, condition, what: str) -> float:
        deadline = time.perf_counter() + _WAIT_SECS
        while not condition():
            if not self._read(max(deadline - time.perf_counter(), 0)):
                raise TimeoutError(f"{what!r} was not painted; the end of what was: {self._seen[-400:]!r}")
        return time.perf_counter() - self.began

    def _read(self, secs: float) -> bool:
        if not select.select([self._fd], [], [], secs)[0]:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            return False
        self._seen += data
        return bool(data)

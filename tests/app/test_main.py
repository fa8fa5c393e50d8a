"""Running the app in a terminal of its own: exit codes, signals, and what is left on the screen."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DEADLINE_SECS = 30
PROGRAM = "import sys; from pathlib import Path; from workbench.app.main import run; sys.exit(run(Path(sys.argv[1])))"
BROKEN = PROGRAM.replace("run(Path(sys.argv[1]))", "run(Path(sys.argv[1]), player_factory=lambda harness: 1 / 0)")
PANIC = PROGRAM.replace(
    "run(Path(sys.argv[1]))",
    "run(Path(sys.argv[1]), player_factory=lambda harness: active_app.get().panic('[/] broken'))",
).replace("import sys;", "import sys; from textual._context import active_app;")


class Terminal:
    """A program in a pseudo-terminal of 80 by 24."""

    def __init__(self, program: str, space: Path) -> None:
        master, slave = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, str(space)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            cwd=Path(__file__).parents[2],
        )
        os.close(slave)
        self._master = master
        self._hung_up = False
        self.seen = b""

    def until(self, text: bytes) -> None:
        """Read until this was written to the terminal."""
        deadline = time.monotonic() + DEADLINE_SECS
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen[-2000:]
            if not self._read():
                assert self.process.poll() is None, self.seen[-2000:]

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._master, keys)

    def ended(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + DEADLINE_SECS
        while self.process.poll() is None or self._read():
            assert time.monotonic() < deadline, self.seen[-2000:]
            self._read()
        return self.process.returncode

    def close(self) -> None:
        """Whatever happens, nothing is left running."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if not self._hung_up:
            os.close(self._master)

    def hang_up(self) -> None:
        """Close the terminal's window."""
        self._hung_up = True
        os.close(self._master)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 0.05)
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:
            data = b""
        self.seen += data
        return bool(data)


@pytest.fixture
def terminal(request: pytest.FixtureRequest):
    """Start programs in terminals, and end them."""
    started: list[Terminal] = []

    def start(program: str, space: Path) -> Terminal:
        started.append(Terminal(program, space))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_q_leaves_with_0_and_gives_the_terminal_back(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(b"BUILTINS")
    screen.type(b"q")
    assert screen.ended() == 0
    assert b"\x1b[?1049l" in screen.seen


def test_a_refused_space_ends_with_1(terminal, tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("no folder")
    screen = terminal(PROGRAM, tmp_path)
    screen.until(b"not opened")
    screen.type(b"q")
    assert screen.ended() == 1


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_order_with_the_code_of_the_signal(
    terminal, tmp_path: Path, signum: signal.Signals
) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(b"BUILTINS")
    screen.process.send_signal(signum)
    assert screen.ended() == 128 + signum
    assert b"\x1b[?1049l" in screen.seen
    assert b"Traceback" not in screen.seen


@pytest.mark.parametrize(
    "bytes_", [b"\x1b[M \xe0\x25", b"\x1b[M \xe0\xa5", b"\xff\xfe\x80"], ids=["x10", "x10 far out", "no text"]
)
def test_bytes_that_are_no_utf_8_end_nothing(terminal, tmp_path: Path, bytes_: bytes) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(b"BUILTINS")
    screen.type(bytes_ + b"q")
    assert screen.ended() == 0
    assert b"The workbench failed" not in screen.seen
    assert b"Traceback" not in screen.seen


def test_a_terminal_that_is_gone_ends_it(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(b"BUILTINS")
    screen.hang_up()
    assert screen.process.wait(DEADLINE_SECS) == 128 + signal.SIGHUP


def test_a_panic_ends_with_1_and_a_report(terminal, tmp_path: Path) -> None:
    screen = terminal(PANIC, tmp_path / "space")
    assert screen.ended() == 1
    after = screen.seen.rpartition(b"\x1b[?1049l")[2].decode()
    assert "[/] broken" not in after
    report = Path(after.split("The report is in ")[1].split("\r\n")[0].strip())
    assert "[/] broken" in report.read_text()


def test_a_defect_ends_with_1_one_line_and_a_report(terminal, tmp_path: Path) -> None:
    screen = terminal(BROKEN, tmp_path / "space")
    assert screen.ended() == 1
    after = screen.seen.rpartition(b"\x1b[?1049l")[2].decode()
    assert "The report is in " in after
    assert "Traceback" not in after
    report = Path(after.split("The report is in ")[1].split("\r\n")[0].strip())
    assert "ZeroDivisionError" in report.read_text()

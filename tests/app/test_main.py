"""Running the app in a terminal of its own: exit codes, signals, and what is left on the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

DEADLINE_SECS = 30
READY = b" / 2,048 B"
"""Stands in the status line once the Space is open."""

PROGRAM = "import sys; from pathlib import Path; from workbench.app.main import run; sys.exit(run(Path(sys.argv[1])))"
BROKEN = PROGRAM.replace("run(Path(sys.argv[1]))", "run(Path(sys.argv[1]), player_factory=lambda harness: 1 / 0)")
PANIC = PROGRAM.replace(
    "run(Path(sys.argv[1]))",
    "run(Path(sys.argv[1]), player_factory=lambda harness: active_app.get().panic('[/] broken'))",
).replace("import sys;", "import sys; from textual._context import active_app;")

COLOUR = re.compile(rb"\x1b\[(?:\d*;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d*)*m")
"""What sets a colour in a terminal."""


def signalled(place: str, signum: signal.Signals) -> str:
    """The command, with a signal that comes right when it gets to a place in its start."""
    return f"""
import functools, os, sys
from workbench.cli.entry import main
def signalled(original):
    @functools.wraps(original)
    def call(*args, **options):
        os.kill(os.getpid(), {int(signum)})
        return original(*args, **options)
    return call
class Importing:
    def find_spec(self, name, path=None, target=None):
        if name == "workbench.app.app":
            os.kill(os.getpid(), {int(signum)})
if "{place}" == "import":
    sys.meta_path.insert(0, Importing())
else:
    from workbench.app.app import WorkbenchApp
    from workbench.app.driver import TerminalDriver
    owner = TerminalDriver if "{place}" == "start_application_mode" else WorkbenchApp
    setattr(owner, "{place}", signalled(getattr(owner, "{place}")))
sys.argv = ["workbench", "--space", sys.argv[1]]
sys.exit(main())
"""


class Terminal:
    """A program in a pseudo-terminal of 80 by 24, which is its own: signals and job control work in it."""

    def __init__(self, command: Sequence[str], **environment: str) -> None:
        master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"} | environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            cwd=Path(__file__).parents[2],
        )
        self._slave = slave
        self._master = master
        self._hung_up = False
        self.seen = b""

    @property
    def echoes(self) -> bool:
        """Whether the terminal is as a shell wants it: lines, and what is typed is seen."""
        flags = termios.tcgetattr(self._slave)[3]
        return bool(flags & termios.ECHO and flags & termios.ICANON and flags & termios.ISIG)

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
            os.close(self._slave)

    def hang_up(self) -> None:
        """Close the terminal's window."""
        self._hung_up = True
        os.close(self._slave)
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

    def start(program: str, space: Path, **environment: str) -> Terminal:
        started.append(Terminal([sys.executable, "-c", program, str(space)], **environment))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_q_leaves_with_0_and_gives_the_terminal_back(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    screen.type(b"q")
    assert screen.ended() == 0
    assert b"\x1b[?1049l" in screen.seen


def test_a_refused_space_ends_with_1(terminal, tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("no folder")
    screen = terminal(PROGRAM, tmp_path)
    screen.until(b"not opened")
    screen.type(b"q")
    assert screen.ended() == 1


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_it_in_order_with_the_code_of_the_signal(
    terminal, tmp_path: Path, signum: signal.Signals
) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    assert not screen.echoes
    screen.process.send_signal(signum)
    assert screen.ended() == 128 + signum
    assert b"\x1b[?1049l" in screen.seen
    assert b"Traceback" not in screen.seen
    assert screen.echoes


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("place", ["import", "__init__", "start_application_mode", "compose", "on_mount", "on_ready"])
def test_a_signal_while_it_starts_ends_it_with_its_code_and_leaves_the_terminal_whole(
    terminal, tmp_path: Path, place: str, signum: signal.Signals
) -> None:
    screen = terminal(signalled(place, signum), tmp_path)
    assert screen.ended() == 128 + signum
    assert b"Traceback" not in screen.seen
    assert screen.seen.count(b"\x1b[?1049h") == screen.seen.count(b"\x1b[?1049l")
    assert screen.echoes


def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PS1", "shell$ ")
    screen = Terminal(["bash", "--norc", "--noprofile", "-i"])
    try:
        program = tmp_path / "program.py"
        program.write_text(PROGRAM)
        screen.until(b"shell$ ")
        screen.type(f"'{sys.executable}' '{program}' '{tmp_path / 'space'}'\n".encode())
        screen.until(READY)
        screen.type(b"\x1a")
        screen.until(b"Stopped")
        assert b"\x1b[?1049l" in screen.seen
        screen.seen = b""
        screen.type(b"fg\n")
        screen.until(READY)
        screen.seen = b""
        screen.type(b"q")
        screen.until(b"shell$ ")
        screen.type(b"echo code $?\n")
        screen.until(b"code 0")
        screen.type(b"exit\n")
        assert screen.ended() == 0
    finally:
        screen.close()


def test_without_a_shell_ctrl_z_stops_nothing(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    screen.type(b"\x1a")
    screen.until(b"There is no shell here")
    screen.type(b"q")
    assert screen.ended() == 0


def test_no_color_means_no_colour_at_all(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path, NO_COLOR="1")
    screen.until(READY)
    for keys, seen in ((b"2", "▐Space".encode()), (b"3", "▐Transcript".encode()), (b"?", b"Keys: ")):
        screen.type(keys)
        screen.until(seen)
    screen.type(b"\x03\x03")
    assert screen.ended() == 0
    assert COLOUR.findall(screen.seen) == []


def test_with_colours_there_are_some(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    assert COLOUR.search(screen.seen)


def test_ctrl_c_twice_leaves_also_from_a_dialog(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    screen.type(b"?")
    screen.until(b"Keys: ")
    screen.type(b"\x03\x03")
    assert screen.ended() == 0


@pytest.mark.parametrize(
    "bytes_", [b"\x1b[M \xe0\x25", b"\x1b[M \xe0\xa5", b"\xff\xfe\x80"], ids=["x10", "x10 far out", "no text"]
)
def test_bytes_that_are_no_utf_8_end_nothing(terminal, tmp_path: Path, bytes_: bytes) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    screen.type(bytes_ + b"q")
    assert screen.ended() == 0
    assert b"The workbench failed" not in screen.seen
    assert b"Traceback" not in screen.seen


def test_a_terminal_that_is_gone_ends_it(terminal, tmp_path: Path) -> None:
    screen = terminal(PROGRAM, tmp_path)
    screen.until(READY)
    screen.hang_up()
    assert screen.process.wait(DEADLINE_SECS) == 128 + signal.SIGHUP


def test_much_to_write_to_a_terminal_that_is_gone_keeps_nothing_from_ending(terminal, tmp_path: Path) -> None:
    wordy = """
from workbench.app.app import WorkbenchApp
ended = WorkbenchApp.on_unmount
async def on_unmount(app):
    for _ in range(500):
        app._driver.write("word " * 1000)
        app._driver.flush()
    await ended(app)
WorkbenchApp.on_unmount = on_unmount
"""
    screen = terminal(wordy + PROGRAM, tmp_path)
    screen.until(READY)
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


def test_a_demo_says_at_its_end_where_its_space_is(tmp_path: Path) -> None:
    kept = ["--keep", str(tmp_path / "kept")]
    for options, words in (([], b"The demo's Space is gone"), (kept, b"The Space is kept")):
        screen = Terminal([sys.executable, "-m", "workbench", "demo", *options])
        try:
            screen.until(b"plays step 1")
            screen.type(b"q")
            assert screen.ended() == 0
            assert words in screen.seen.rpartition(b"\x1b[?1049l")[2]
        finally:
            screen.close()

"""Copying through the terminal: alone, in screen, and in a real tmux."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.desk import at_desk
from workbench.app import clipboard

PROJECT = Path(__file__).parents[2]
DEADLINE_SECS = 30


async def test_copying_says_what_was_copied_or_why_not(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("y")
        await desk.until(lambda: any("the contract of read" in n.message for n in desk.app._notifications), "a toast")
        desk.app.copy("x" * (clipboard.MAX_BYTES + 1), "all of it")
        await desk.until(lambda: any("was not copied" in n.message for n in desk.app._notifications), "the reason")


@pytest.mark.parametrize(
    ("environment", "begin", "end"),
    [
        ({}, "\x1b]52;c;", "\x07"),
        ({"TERM": "screen-256color"}, "\x1bP\x1b]52;c;", "\x07\x1b\\"),
    ],
)
def test_copied_text_is_encoded_for_the_terminal(environment: dict[str, str], begin: str, end: str) -> None:
    sequence = clipboard.osc52("grüße [/]", environment)
    assert sequence is not None
    assert sequence.startswith(begin)
    assert sequence.endswith(end)
    assert base64.b64decode(sequence[len(begin) : -len(end)]).decode() == "grüße [/]"


def test_in_tmux_the_text_goes_to_tmux_and_through_it() -> None:
    plain, wrapped = clipboard.osc52("text", {}), clipboard.osc52("text", {"TMUX": "/tmp/x,1,0"})
    assert plain is not None
    assert wrapped is not None
    doubled = plain.replace("\x1b", "\x1b\x1b")
    assert wrapped == f"{plain}\x1bPtmux;{doubled}\x1b\\"


def test_screen_is_given_a_long_text_in_pieces() -> None:
    sequence = clipboard.osc52("long " * 2000, {"TERM": "screen"})
    assert sequence is not None
    pieces = re.findall("\x1bP(.*?)\x1b\\\\", sequence, re.DOTALL)
    assert all(len(piece) <= clipboard.SCREEN_PIECE for piece in pieces)
    assert base64.b64decode("".join(pieces).removeprefix("\x1b]52;c;").removesuffix("\x07")).decode() == "long " * 2000


async def test_what_is_selected_in_a_field_is_copied_the_same_way(tmp_path: Path) -> None:
    async with at_desk(tmp_path) as desk:
        await desk.press("slash")
        await desk.type("grüße")
        await desk.press("shift+home", "ctrl+c")
        await desk.until(lambda: desk.app.clipboard == "grüße", "it is copied")
        assert desk.app.is_running


class Tmux:
    """A tmux of its own, with the app in it."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "tmux"
        environment = os.environ | {"PYTHONPATH": str(PROJECT), "TERM": "xterm-256color"}
        program = f"'{sys.executable}' -m workbench --space '{folder / 'space'}'"
        self._run("-f", os.devnull, "new-session", "-d", "-x", "80", "-y", "24", program, environment=environment)
        self._run("set-option", "-s", "set-clipboard", "on")

    def press(self, *keys: str) -> None:
        """Press keys."""
        self._run("send-keys", *keys)

    def screen(self) -> str:
        """What is to be seen."""
        return self._run("capture-pane", "-p")

    def buffer(self) -> str:
        """What was copied last."""
        return self._run("show-buffer")

    def until(self, text: str) -> None:
        """Wait until it is to be seen."""
        deadline = time.monotonic() + DEADLINE_SECS
        while text not in self.screen():
            assert time.monotonic() < deadline, self.screen()

    def end(self) -> None:
        """End it, whatever runs in it."""
        subprocess.run(["tmux", "-S", str(self._socket), "kill-server"], check=False, capture_output=True)

    def _run(self, *arguments: str, environment: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments], env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    """A tmux with the app, ready."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    tmux = Tmux(tmp_path)
    try:
        tmux.until(" / 2,048 B")
        yield tmux
    finally:
        tmux.end()


def test_tmux_has_what_was_copied_in_its_buffer(tmux: Tmux) -> None:
    tmux.press("y")
    tmux.until("Copied")
    assert "read" in tmux.buffer()
    assert "address" in tmux.buffer()


def test_keys_sent_in_one_go_are_all_there(tmux: Tmux) -> None:
    tmux.press("3", "i", "hello q there")
    tmux.until("hello q there")
    tmux.press("C-c", "C-c")

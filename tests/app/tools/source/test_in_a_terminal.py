"""The real workbench in a terminal of its own: killed in the middle of an edit, and beside a real editor."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.desk import WORD_COUNT, save
from workbench import Harness
from workbench.harness.names import TOOLBOX

DEADLINE_SECS = 30


class Terminal:
    """The workbench on a Space, in a pseudo-terminal of 120 by 40."""

    def __init__(self, space: Path, **environment: str) -> None:
        master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "workbench", "--space", str(space)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"} | environment,
            start_new_session=True,
            cwd=Path(__file__).parents[4],
        )
        os.close(slave)
        self._master = master
        self.seen = b""

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Read what is written until something is so."""
        deadline = time.monotonic() + DEADLINE_SECS
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not come about: {self.seen[-3000:]!r}"
            assert self.process.poll() is None, f"it ended: {self.seen[-3000:]!r}"
            self._read()

    def sees(self, text: str) -> None:
        """Read until this was written, and forget what came before."""
        self.until(lambda: text.encode() in self.seen, text)
        self.seen = self.seen.rpartition(text.encode())[2]

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def kill(self) -> None:
        """End it as a crash of the machine would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """Whatever happens, nothing is left running."""
        if self.process.poll() is None:
            self.kill()
        os.close(self._master)

    def _read(self) -> None:
        ready, _, _ = select.select([self._master], [], [], 0.05)
        if ready:
            try:
                self.seen += os.read(self._master, 65536)
            except OSError:
                return


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start workbenches on one Space with a lambda, and end them."""
    space = tmp_path / "space"

    async def seed() -> None:
        async with Harness.open(space) as harness:
            await save(harness, "word_count")

    asyncio.run(seed())
    started: list[Terminal] = []

    def begin(**environment: str) -> Terminal:
        started.append(Terminal(space, **environment))
        started[-1].until(lambda: b"/ 2,048 B" in started[-1].seen, "the status line")
        return started[-1]

    yield begin
    for each in started:
        each.close()


LAST_LAMBDA = "G" + "k" * len(TOOLBOX)
"""The keys that go to it: behind the lambdas the toolbox is listed."""


def journals() -> list[dict[str, Any]]:
    """The drafts that are on disk."""
    found: list[dict[str, Any]] = []
    for path in Path(os.environ["XDG_STATE_HOME"]).rglob("drafts/*/process-*.json"):
        found += json.loads(path.read_text())["drafts"]
    return found


def test_unsaved_work_survives_kill_9(start: Callable[..., Terminal]) -> None:
    one = start()
    one.type(f"{LAST_LAMBDA}e")
    one.sees("editing ")
    one.type("# precious ")
    one.until(lambda: [each["source"] for each in journals()] == ["# precious " + WORD_COUNT["source"]], "kept")
    one.kill()
    two = start()
    two.sees("Unsaved edits of word_count")
    two.type(f"{LAST_LAMBDA}e")
    two.sees("# precious")
    three = start()
    three.type(LAST_LAMBDA)
    three.type("e")
    three.sees("editing ")
    assert b"precious" not in three.seen, "another workbench, while the second has them"
    assert len(journals()) == 1
    two.type("\x13")
    two.until(lambda: journals() == [], "saved, and so not kept any more")


def test_the_terminal_is_the_editors_while_it_runs_and_ours_again_after_it(
    start: Callable[..., Terminal], tmp_path: Path
) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    program = tmp_path / "editor"
    program.write_text(
        '#!/bin/sh\necho "EDITOR HAS $(basename "$1")"\ntrap "echo INTERRUPTED" INT\n'
        f'while ! read line < {go}; do :; done\necho "# by my editor" >> "$1"\n'
    )
    program.chmod(0o755)
    screen = start(EDITOR=str(program))
    screen.type(f"{LAST_LAMBDA}\x1bOS")
    screen.sees("\x1b[?1049l")
    screen.sees("EDITOR HAS word_count.py")
    # The workbench sees what others do meanwhile, and paints nothing over the editor.
    asyncio.run(_saved_elsewhere(tmp_path / "space"))
    # What ctrl+c does in a terminal: everything in it gets the signal.
    os.killpg(screen.process.pid, signal.SIGINT)
    screen.sees("INTERRUPTED")
    assert screen.process.poll() is None
    assert b"\x1b[?1049h" not in screen.seen
    assert b"from_elsewhere" not in screen.seen
    go.write_text("go\n")
    screen.sees("\x1b[?1049h")
    screen.sees("# by my editor")
    screen.sees("from_elsewhere")
    screen.until(lambda: journals(), "what came back is a draft")
    (draft,) = journals()
    assert draft["source"] == WORD_COUNT["source"] + "# by my editor\n"
    screen.type("\x13")
    screen.until(lambda: journals() == [], "saved")


async def _saved_elsewhere(space: Path) -> None:
    async with Harness.open(space) as harness:
        await save(harness, "from_elsewhere")

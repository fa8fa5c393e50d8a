"""Processes that a test can tell from all others of the machine, and what is heard of a command that runs."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from workbench.harness.tools.toolbox.host_tool import ToolAnswer

DEADLINE_SECS = 30


class Mark:
    """A number of seconds to sleep that nobody else sleeps: `sleep {mark}` can be found in the list of processes."""

    def __init__(self) -> None:
        self.seconds = f"98765.{int.from_bytes(os.urandom(6))}"

    def __str__(self) -> str:
        return self.seconds

    def running(self) -> list[int]:
        """The processes whose arguments have it, but for zombies, which have none any more."""
        found: list[int] = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if self.seconds.encode() in words:
                    found.append(int(entry.name))
        return found

    def wait_until_none(self) -> None:
        """Look until there is none; too long is a failure."""
        until = time.monotonic() + DEADLINE_SECS
        while left := self.running():
            assert time.monotonic() < until, left
            os.sched_yield()


class Heard:
    """The updates of a command, and a way to wait for what it prints."""

    def __init__(self) -> None:
        self.updates: list[ToolAnswer] = []
        self._more = asyncio.Event()

    def __call__(self, update: ToolAnswer) -> None:
        self.updates.append(update)
        self._more.set()

    async def until(self, text: str) -> None:
        """Wait until the output has this text."""
        async with asyncio.timeout(DEADLINE_SECS):
            while not any(text in update.text for update in self.updates):
                self._more.clear()
                await self._more.wait()

"""Telling subscribers what happens: here, in other processes, and in the files of the Space."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench.harness.log.events import Event
from workbench.harness.log.log import Log
from workbench.harness.store.store import Store

POLL_SECS = 0.25
"""How often another process's writes are looked for; a look is one number out of SQLite."""

MAX_WAITING = 10_000
"""Notes that a subscriber may be behind; a slower one loses progress notes first, and then its subscription."""


@dataclass(frozen=True, slots=True)
class Appended:
    """An event entered the log, whichever process appended it."""

    event: Event


@dataclass(frozen=True, slots=True)
class Progressed:
    """A running call of this process said how far it is. `tail` is the end of its output."""

    thread: str
    call: str
    stage: str
    tail: str


@dataclass(frozen=True, slots=True)
class Changed:
    """Something that is no event changed: the settings file, memory, or a tool document."""

    what: Literal["settings", "memory", "tools"]


Note = Appended | Progressed | Changed


class Watch:
    """Subscriptions of one process. Own events and other processes' events reach them the same way: out of the log."""

    def __init__(self, root: Path, store: Store, log: Log, settings_changed: Callable[[], bool]) -> None:
        """`settings_changed` tells whether the settings are other ones than when it was last asked."""
        self._root = root
        self._store = store
        self._log = log
        self._settings_changed = settings_changed
        self._queues: set[asyncio.Queue[Note]] = set()
        self._wake = asyncio.Event()
        self._last_id = store.last_id()
        self._tasks: list[asyncio.Task[None]] = []

    def appended(self) -> None:
        """An event was appended here: look now instead of at the next poll."""
        self._wake.set()

    def progressed(self, thread: str, call: str, stage: str, tail: str) -> None:
        """Pass progress on to whoever listens."""
        self._tell(Progressed(thread, call, stage, tail))

    async def subscribe(self) -> AsyncIterator[Note]:
        """Notes from now on, until the iterator is closed."""
        queue: asyncio.Queue[Note] = asyncio.Queue()
        self._queues.add(queue)
        self._start()
        try:
            while True:
                yield await queue.get()
        finally:
            self._queues.discard(queue)

    async def close(self) -> None:
        """Stop looking."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._tasks.clear()

    def _start(self) -> None:
        if not self._tasks:
            self._last_id = self._store.last_id()
            self._tasks = [
                asyncio.create_task(self._follow_log(), name="follow the log"),
                asyncio.create_task(self._follow_memory(), name="follow memory"),
            ]

    def _tell(self, note: Note) -> None:
        for queue in self._queues:
            if queue.qsize() < MAX_WAITING or not isinstance(note, Progressed):
                queue.put_nowait(note)

    async def _follow_log(self) -> None:
        version = self._store.data_version()
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), POLL_SECS)
            woken = self._wake.is_set()
            self._wake.clear()
            if self._settings_changed():
                self._tell(Changed("settings"))
            now = self._store.data_version()
            if not woken and now == version:
                continue
            version = now
            while events := self._log.since(self._last_id):
                for event in events:
                    self._tell(Appended(event))
                self._last_id = events[-1].number
            self._tell(Changed("tools"))

    async def _follow_memory(self) -> None:
        import watchfiles

        # The library's signature names types of a package that we do not install, so its own type is partly unknown.
        watch: Callable[..., AsyncIterator[set[tuple[watchfiles.Change, str]]]] = watchfiles.awatch  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        folder = self._root / "memory"
        async for _ in watch(folder, watch_filter=None, debounce=200, step=50, ignore_permission_denied=True):
            self._tell(Changed("memory"))

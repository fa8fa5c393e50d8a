"""Telling subscribers what happens: here, in other processes, and in the files of the Space."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event
from workbench.harness.log.reading import Reading
from workbench.harness.store.rows import EventRow
from workbench.harness.store.store import Store

POLL_SECS = 0.25
"""How often another process's writes are looked for; a look is one number out of SQLite."""

SETTLE_SECS = 0.4
"""How long after the first subscription memory begins to be watched; what changed until then is told then."""

SETTLED_MS = 500
"""How long the watch is quiet before it says so."""

LOOK_SECS = 2.0
"""How often memory is looked at where it cannot be watched."""

FOREIGN = "It is none of this workbench's, or was changed. Run workbench fsck."

MAX_WAITING = 10_000
"""Notes that a subscriber may be behind. Then progress is left out, and at twice as many the subscription ends."""


class Appended(Struct, frozen=True):
    """An event entered the log, whichever process appended it."""

    event: Event


class Progressed(Struct, frozen=True):
    """A running call of this process said how far it is. `tail` is the end of its output."""

    thread: str
    call: str
    stage: str
    tail: str


class Changed(Struct, frozen=True):
    """Something that is no event changed: the settings, memory, or what the database holds."""

    what: Literal["settings", "memory", "tools"]


class Unreadable(Struct, frozen=True):
    """Something could not be read or watched: an event that `fsck` will name, the database, a folder."""

    where: str
    why: str


Note = Appended | Progressed | Changed | Unreadable


class Subscription:
    """Notes from the moment it was made: `async for note in subscription`. Close it, or end the loop, to stop."""

    def __init__(self, on_close: Callable[[Subscription], None]) -> None:
        self._queue: asyncio.Queue[Note | None] = asyncio.Queue()
        self._on_close = on_close
        self._behind = False

    def put(self, note: Note) -> None:
        """Hand a note over without waiting."""
        waiting = self._queue.qsize()
        if self._behind or (waiting >= MAX_WAITING and isinstance(note, Progressed)):
            return
        if waiting >= 2 * MAX_WAITING:
            self._behind = True
            self._queue.put_nowait(None)
            return
        self._queue.put_nowait(note)

    def __aiter__(self) -> Subscription:
        """The subscription is its own iterator."""
        return self

    async def __anext__(self) -> Note:
        """The next note.

        Raises:
            HarnessError: `limit` when the subscriber fell so far behind that notes were lost.
        """
        note = await self._queue.get()
        if note is None:
            self.close()
            raise HarnessError("limit", "This subscription fell too far behind and ended. Look anew, then subscribe.")
        return note

    def close(self) -> None:
        """Stop receiving."""
        self._on_close(self)

    async def aclose(self) -> None:
        """Stop receiving, as an asynchronous generator is stopped."""
        self.close()


class Watch:
    """Subscriptions of one process. Own events and other processes' events reach them the same way: out of the log."""

    def __init__(self, root: Path, store: Store, log: Reading, settings_changed: Callable[[], bool]) -> None:
        """`settings_changed` tells whether the settings are other ones than when it was last asked."""
        self._root = root
        self._store = store
        self._log = log
        self._settings_changed = settings_changed
        self._subscriptions: set[Subscription] = set()
        self._wake = asyncio.Event()
        self._last_id = 0
        self._tasks: list[asyncio.Task[None]] = []

    def appended(self) -> None:
        """An event was appended here: look now instead of at the next poll."""
        self._wake.set()

    def progressed(self, thread: str, call: str, stage: str, tail: str) -> None:
        """Pass progress on to whoever listens."""
        self._tell(Progressed(thread, call, stage, tail))

    def tools_changed(self) -> None:
        """What the database holds turned out to be something else than it was taken for."""
        self._tell(Changed("tools"))

    def subscribe(self) -> Subscription:
        """Notes from now on. Call it inside the event loop."""
        if not self._tasks:
            self._last_id = self._store.last_id()
            self._tasks = [
                asyncio.create_task(self._follow_log(), name="follow the log"),
                asyncio.create_task(self._follow_memory(), name="follow memory"),
            ]
        subscription = Subscription(self._subscriptions.discard)
        self._subscriptions.add(subscription)
        return subscription

    async def close(self) -> None:
        """Stop looking."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def _tell(self, note: Note) -> None:
        for subscription in tuple(self._subscriptions):
            subscription.put(note)

    async def _follow_log(self) -> None:
        # No version of the database is known yet: what others wrote since the subscription began is found at once.
        version, failed = -1, ""
        while True:
            woken = self._wake.is_set()
            self._wake.clear()
            try:
                if self._settings_changed():
                    self._tell(Changed("settings"))
                now = self._store.data_version()
                if woken or now != version:
                    version = now
                    await self._pass_on()
                failed = ""
            except HarnessError as error:
                # Told once; the next look may find the disk free or the database readable again.
                if failed != error.message:
                    self._tell(Unreadable("the log", error.message))
                failed = error.message
            # Not wait_for: before Python 3.12 it loses a cancellation that comes together with what it waits for.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECS):
                    await self._wake.wait()

    async def _pass_on(self) -> None:
        while events := self._log.since(self._last_id):
            # Subscribers take what they were told before they are told more.
            await asyncio.sleep(0)
            for event in events:
                if isinstance(event, EventRow):
                    self._last_id = event.id
                    self._tell(Unreadable(f"event {event.thread}/{event.seq}", FOREIGN))
                else:
                    self._last_id = event.number
                    self._tell(Appended(event))
        self._tell(Changed("tools"))

    async def _follow_memory(self) -> None:
        # What watches takes a while to load, and whoever just opened a Space waits for something to look at.
        await asyncio.sleep(SETTLE_SECS)
        import watchfiles

        # The library's signature names types of a package that we do not install, so its own type is partly unknown.
        watch: Callable[..., AsyncIterator[object]] = watchfiles.awatch  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        folder = self._root / "memory"
        for polling in (False, True):
            try:
                watched = False
                async for changes in watch(
                    folder,
                    watch_filter=None,
                    debounce=200,
                    step=50,
                    force_polling=polling,
                    ignore_permission_denied=True,
                    rust_timeout=int(LOOK_SECS * 1000) if polling else SETTLED_MS,
                    yield_on_timeout=True,
                ):
                    # The first answer comes when it is watched: what changed until then is told with it. Looking again
                    # and again does not see two changes within a second apart, so there every look is told.
                    if changes or polling or not watched:
                        watched = True
                        self._tell(Changed("memory"))
            except Exception as error:
                # The system's count of watches may be used up, or a name be no text, which the library cannot stand.
                if polling:
                    self._tell(
                        Unreadable("~/memory/", f"It cannot be watched ({type(error).__name__}) and is looked at.")
                    )
        while True:
            await asyncio.sleep(LOOK_SECS)
            self._tell(Changed("memory"))

"""The acts that this app has under way."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from textual.app import App
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from workbench.app.seams import Then
from workbench.harness.door.doing import Done
from workbench.harness.errors import NOT_BEGUN, HarnessError
from workbench.harness.harness import Harness
from workbench.harness.identity import new_id

GROUP = "acts"
"""The group of their workers."""


class Acts:
    """Does acts through the door, each in a worker of its own, and knows which of them still run."""

    def __init__(
        self, app: App[Any], failed: Callable[[HarnessError], None], ended: Callable[[], None] = lambda: None
    ) -> None:
        """`failed` is told of a failure that nobody else is told of, `ended` of every end before anybody else."""
        self._app = app
        self._failed = failed
        self._ended = ended
        self._running: dict[str, Worker[None]] = {}
        self._messages: dict[str, str] = {}
        self._tickets = itertools.count(1)
        self._waiting: dict[str, Then | None] = {}

    def __len__(self) -> int:
        return len(self._running)

    def start(
        self,
        harness: Harness,
        name: str,
        input: Any,
        actor: str,
        thread: str | None,
        message: str | None,
        then: Then | None,
    ) -> str:
        """Begin one; its ticket."""
        own = message or new_id("message")
        ticket = self._begin(lambda: harness.perform(name, input, actor, thread, own), f"{actor} {name}", then)
        self._messages[ticket] = own
        return ticket

    def hand(self, harness: Harness, tool: str, input: Any, cwd: Path, then: Then | None) -> str:
        """Begin, as the owner, a call of the toolbox in a folder of this machine; its ticket."""
        return self._begin(lambda: harness.hand(tool, input, cwd), f"user {tool}", then)

    def _begin(self, do: Callable[[], Awaitable[Done]], name: str, then: Then | None) -> str:
        ticket = f"act-{next(self._tickets)}"

        async def perform() -> None:
            self._waiting.pop(ticket, None)
            try:
                done = await do()
            except HarnessError as error:
                self._end(then, None, error)
            except asyncio.CancelledError as cut:
                self._end(then, None, HarnessError.of_cancellation(cut))
                raise
            else:
                self._end(then, done, None)
            finally:
                self._running.pop(ticket, None)
                self._messages.pop(ticket, None)

        self._waiting[ticket] = then
        self._running[ticket] = self._app.run_worker(
            perform, name=name, group=GROUP, description=ticket, exit_on_error=False
        )
        return ticket

    @property
    def messages(self) -> Mapping[str, bool]:
        """The messages in which this app acts now, and of each whether it is what `cancel` stops without a ticket."""
        newest = self._newest()
        return {message: ticket == newest for ticket, message in self._messages.items()}

    def _newest(self) -> str | None:
        return next((ticket for ticket, worker in reversed(self._running.items()) if not worker.is_cancelled), None)

    def cancel(self, ticket: str | None) -> bool:
        """Stop one, without a ticket the newest that is not stopping yet; whether there was one."""
        ticket = ticket or self._newest()
        worker = self._running.get(ticket) if ticket else None
        if worker is None or worker.is_cancelled:
            return False
        worker.cancel()
        if ticket in self._waiting:
            # It never gets to where it would say so itself.
            del self._running[ticket]
            self._messages.pop(ticket, None)
            self._end(self._waiting.pop(ticket), None, HarnessError("cancelled", NOT_BEGUN))
        return True

    async def stop(self) -> None:
        """Stop all, and wait until each has its end in the log."""
        for worker in list(self._running.values()):
            # Cancelled once: a second time would break into the stopping of what it started.
            if not worker.is_cancelled:
                worker.cancel()
            with contextlib.suppress(WorkerFailed, WorkerCancelled):
                await worker.wait()

    def _end(self, then: Then | None, done: Done | None, error: HarnessError | None) -> None:
        if not self._app.is_running:
            return
        self._ended()
        if then is not None:
            then(done, error)
        elif error is not None:
            self._failed(error)

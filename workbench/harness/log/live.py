"""What goes on now: which calls and runs have not ended, and whether the process that is at them lives."""

from __future__ import annotations

from typing import Literal

from workbench.harness.log.events import Run, ToolCall
from workbench.harness.log.payloads import readable
from workbench.harness.store.store import Store

CallState = Literal["ended", "running", "interrupted"]
"""What became of a call: it has its result, its process is at it, or its process is gone and left none."""


class Live:
    """The calls and runs of a Space that have not ended, in whatever process.

    Of other processes their lock files tell; of this one, what it is at itself: it may live on after a call or a run
    of it is over whose end could not be written.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._calls: set[str] = set()
        self._runs: set[str] = set()

    # Calls ------------------------------------------------------------------------------------------------------

    def call_begins(self, call: str) -> None:
        """This process is at a call from now on."""
        self._calls.add(call)

    def call_is_over(self, call: str) -> None:
        """This process is at a call no more, whether or not its result gets into the log."""
        self._calls.discard(call)

    def runs(self, call: ToolCall) -> bool:
        """Whether a process is at a call that has no result."""
        if call.process == self._store.process:
            return call.id in self._calls
        return self._store.alive(call.process)

    def state_of(self, call: ToolCall) -> CallState:
        """What became of a call, as of now."""
        if self._store.has_result(call.id):
            return "ended"
        return "running" if self.runs(call) else "interrupted"

    def open_calls(self) -> list[ToolCall]:
        """Calls without a result, of all threads, oldest first: running ones and interrupted ones."""
        return [event for event in readable(self._store.open_calls()) if isinstance(event, ToolCall)]

    # Runs -------------------------------------------------------------------------------------------------------

    def run_begins(self, run: str) -> None:
        """This process is at a run from now on."""
        self._runs.add(run)

    def run_is_over(self, run: str) -> None:
        """A run of this process goes on no more, whether or not its end gets into the log."""
        self._runs.discard(run)

    def run_of(self, thread: str) -> Run | None:
        """The run of a thread that has not ended and whose process is there, if there is one."""
        for event in readable(reversed(self._store.events_of_type(thread, "run"))):
            if isinstance(event, Run):
                return event if event.state == "start" and self._lives(event) else None
        return None

    def _lives(self, run: Run) -> bool:
        if run.process == self._store.process:
            # Also where its end could not be written: whoever ended it knows.
            return run.run in self._runs
        return self._store.alive(run.process)

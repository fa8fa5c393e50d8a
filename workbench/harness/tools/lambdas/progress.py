"""Progress notes of one call, not more often than anybody can read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from workbench.harness.tools.lambdas.values import PROGRESS_SECS, Progress


class Timer(Protocol):
    """Something that will happen, and can be called off."""

    def cancel(self) -> object:
        """Call it off."""
        ...


class Clock(Protocol):
    """What tells the time, in seconds, and calls back later: an event loop is one."""

    def time(self) -> float:
        """The time now, from any beginning."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Timer:
        """Call `callback` when `delay` seconds have passed."""
        ...


class Reporter:
    """Sends a note when something changed, at most every `PROGRESS_SECS` by `clock`, and a last one by `finish`."""

    def __init__(self, send: Callable[[Progress], None] | None, tail: Callable[[], str], clock: Clock) -> None:
        self._send = send
        self._tail = tail
        self._stage = "starting"
        self._sent_at = float("-inf")
        self._timer: Timer | None = None
        self._clock = clock

    def stage(self, stage: str) -> None:
        """The call reached `stage`."""
        self._stage = stage
        self.changed()

    def changed(self) -> None:
        """There is something new to tell; now, or when the pause is over."""
        if self._send is None or self._timer is not None:
            return
        pause = self._sent_at + PROGRESS_SECS - self._clock.time()
        if pause <= 0:
            self._tell()
        else:
            self._timer = self._clock.call_later(pause, self._tell)

    def finish(self) -> None:
        """Send the last note and no other."""
        self.stop()
        self._stage = "finishing"
        self._tell()
        self._send = None

    def stop(self) -> None:
        """Send nothing any more, unless asked to."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self) -> None:
        self._timer = None
        self._sent_at = self._clock.time()
        if self._send is not None:
            self._send(Progress(self._stage, self._tail()))

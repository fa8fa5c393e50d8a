"""The status line on the screen: when it looks, when it ticks, and what stands out for a moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec.structs import replace
from textual.message import Message

from workbench.app.status.facts import Facts, running_calls
from workbench.app.status.parts import fit
from workbench.app.status.words import line_parts
from workbench.app.talk import Talk
from workbench.app.widgets.literal import Literal, literal
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.text import fold
from workbench.harness.views import View

FLASH_SECS = 2.5
"""How long a promotion stands out."""

RUNNING_SECS = 1.0
"""While something runs it is looked this often whether it still does: a process that was killed says nothing."""


class StatusLine(Literal):
    """The line. It ticks only while something runs or flashes, and repaints itself alone."""

    DEFAULT_CSS = """
    StatusLine { height: 1; width: 1fr; padding: 0 1; background: $panel; color: $foreground; text-wrap: nowrap;
        text-overflow: ellipsis; }
    """

    class Asks(Message):
        """So many calls wait for the owner's yes now."""

        def __init__(self, count: int) -> None:
            super().__init__()
            self.count = count

    def __init__(self) -> None:
        super().__init__()
        self.facts: Facts | None = None
        self._flash: tuple[str, float] | None = None
        self._fault: str | None = None
        self._harness: Harness | None = None
        self._talk: Callable[[], Talk] = Talk
        self._looked = float("-inf")
        self._bad_model: str | None = None
        self._away = True
        self._asks = 0

    def on_mount(self) -> None:
        self.set_interval(0.5, self._tick)

    def on_resize(self) -> None:
        self.redraw()

    def look(self, harness: Harness, view: Callable[[], View], talk: Callable[[], Talk], unreadable: int = 0) -> None:
        """Look the facts up again, and flash what was promoted since, if it is the same thread."""
        before = self.facts
        self._harness, self._talk, self._looked = harness, talk, time.monotonic()
        try:
            self.facts = Facts.of(harness, view(), talk(), before, unreadable)
            self._fault = None
        except HarnessError as error:
            self._fault = error.message
        else:
            if before is not None and before.thread == self.facts.thread:
                new = [name for name in self.facts.promoted if name not in before.promoted]
                if new:
                    self._flash = (", ".join(new), time.monotonic() + FLASH_SECS)
        self.redraw()

    def stand(self, *, away: bool) -> None:
        """Say from now on what is to be said where questions are seen, or `away` from there."""
        if away != self._away:
            self._away = away
            self.redraw()

    def redraw(self) -> None:
        """Paint what is known, for the present width."""
        width = max(self.size.width, 1)
        if self._fault is not None:
            self.show(literal(fold(self._fault), "$text-error").truncate(width, ellipsis=True), layout=False)
        elif self.facts is not None:
            self._told(self.facts.asks)
            if self._flash and self._flash[1] <= time.monotonic():
                self._flash = None
            flash = self._flash and self._flash[0]
            parts = line_parts(self.facts, flash, datetime.now(UTC), self._bad_model, away=self._away)
            self.show(fit(parts, width), layout=False)

    def _told(self, asks: int) -> None:
        if asks != self._asks:
            self._asks = asks
            self.post_message(self.Asks(asks))

    def _tick(self) -> None:
        facts = self.facts
        running = facts is not None and bool(facts.running)
        talking = facts is not None and bool(facts.talk.doing)
        if running and time.monotonic() - self._looked >= RUNNING_SECS:
            self._look_at_running()
        if talking:
            self.look_at_turn()
        if self._flash or running:
            self.redraw()

    def mark_model(self, bad: str | None) -> None:
        """Mark a model as one that cannot answer, wherever it is the one to; with None, none is."""
        if bad != self._bad_model:
            self._bad_model = bad
            self.redraw()

    def look_at_turn(self) -> None:
        """Look up what the turn does, and say it."""
        if self.facts is None or self._harness is None:
            return
        try:
            talk = self._talk()
        except HarnessError as error:
            self._fault = error.message
        else:
            self.facts = replace(self.facts, talk=talk, model=talk.model)
        self.redraw()

    def _look_at_running(self) -> None:
        self._looked = time.monotonic()
        if self.facts is None or self._harness is None:
            return
        try:
            asks = len(self._harness.asked())
            self.facts = replace(self.facts, running=running_calls(self._harness), asks=asks)
            self._fault = None
        except HarnessError as error:
            self._fault = error.message

"""The agent's turn, as the Transcript tab shows and steers it: what streams, what waits, abort and going on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.app.seams import workbench
from workbench.app.transcript.standing import Standing, standing
from workbench.app.transcript.voices import message_words
from workbench.app.widgets.literal import Literal
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.app.live import Live
    from workbench.app.transcript.tab import TranscriptTab


class TurnSide:
    """What the tab has to do with turns of the thread that it shows."""

    def __init__(self, tab: TranscriptTab) -> None:
        self._tab = tab
        self._stands = Standing()
        self._here = False
        self._given: str | None = None
        self._last: Live | None = None
        self._drawing = False
        self.elsewhere = False
        """Whether another process runs a turn of the thread."""

    @property
    def lives(self) -> bool:
        """Whether a turn of the thread runs, here or in another process."""
        return self._here or self.elsewhere

    @property
    def thread(self) -> str:
        """The thread that is shown."""
        return self._tab.reading.rows.thread

    @property
    def live(self) -> Live | None:
        """The turn that this app runs in the thread."""
        return workbench(self._tab).turns.of(self.thread)

    @property
    def can_abort(self) -> bool:
        """Whether esc aborts a turn now: nothing else is there to leave first."""
        return self.live is not None and not self._tab.leaves_first

    @property
    def can_go_on(self) -> bool:
        """Whether the model could answer what waits."""
        return self._stands.can_go_on

    def abort(self) -> None:
        """Abort the turn."""
        workbench(self._tab).turns.abort(self.thread)

    def go_on(self) -> None:
        """Have the model answer."""
        self._tab.to_now()
        workbench(self._tab).turns.go_on(self.thread)

    async def say(self, text: str, line: str, *, as_agent: bool = False) -> None:
        """Say something to the agent, or as it; where that cannot be said, put the line back into the composer."""
        bench = workbench(self._tab)
        try:
            if as_agent:
                # Whoever plays the agent answers; no model is asked for it.
                await bench.harness.say(text, "agent", self.thread)
            else:
                await bench.turns.say(text, self.thread)
        except HarnessError as error:
            self._tab.composer.failed(line, error.message)

    def told(self, thread: str) -> None:
        """Something of a turn is different: called by the frame while one streams."""
        if thread != self.thread or not self._tab.is_mounted:
            return
        if not self._tab.is_on_screen:
            # Drawn when somebody looks: all of it is kept.
            self._tab.beside.stale = True
            return
        self.stream()
        here = self.live is not None
        if here != self._here or workbench(self._tab).turns.given != self._given:
            # Events of its beginning or its end may still be on their way; what they change comes with them.
            self._tab.guarded(self.show)
        elif here:
            self._tab.clock.resume()

    def stream(self) -> None:
        """Show what streams, until the log itself shows the answer."""
        turns, rows, log = workbench(self._tab).turns, self._tab.reading.rows, self._tab.log_view
        fault = turns.fault(self.thread)
        self._last = self.live or self._last
        live = self._last
        if live is not None:
            recorded = live.request is not None and rows.answered(live.request)
            over = self.live is None and (recorded or live.request is None or fault is not None)
            if over or live.thread != self.thread:
                self._last = live = None
            elif recorded and live.doing in ("running", "stopping"):
                live = None
        log.stream(live, fault)
        if log.live.behind and not self._drawing:
            # More came than a frame takes in, and perhaps it was the last that comes for a while.
            self._drawing = True
            self._tab.set_timer(FRAME_SECS, self._draw_on)

    def _draw_on(self) -> None:
        self._drawing = False
        self.told(self.thread)

    def show(self) -> None:
        """Everything about turns that is derived of the thread. Raises HarnessError where it cannot be read."""
        tab, turns = self._tab, workbench(self._tab).turns
        here = self.live is not None
        elsewhere = self.elsewhere = turns.elsewhere(self.thread)
        rows = tab.reading.rows
        tab.log_view.queue(rows.last_request if here or elsewhere else None)
        model, waits = turns.model, turns.waits
        scene = workbench(tab).scene_goes_on
        self._stands = Standing() if here or elsewhere else standing(rows, model, waits, scene=scene)
        tab.set_class(bool(self._stands.words), "-noted")
        tab.query_one("#note", Literal).show(self._stands.words)
        composer = tab.composer
        composer.can_abort = here
        answers = model is not None and not workbench(tab).shows_scene
        composer.tell(message_words(model, waits, here=here, elsewhere=elsewhere), answers=answers)
        self._here, self._given = here, turns.given
        tab.beside.show_plan()
        if not rows.last:
            # What stands in place of a log says who would answer.
            tab.log_view.refresh()
        self.stream()
        tab.refresh_bindings()


FRAME_SECS = 1 / 30
"""After so long the rest of what streamed is shown."""

"""What the keys of the Transcript tab do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.timer import Timer
from textual.widget import Widget

from workbench.app.seams import Workbench
from workbench.app.transcript.composer import Composer
from workbench.app.transcript.detail import detail_of
from workbench.app.transcript.finder import Finder
from workbench.app.transcript.log_view import LogView
from workbench.app.transcript.provider_panel import ProviderPanel
from workbench.app.transcript.threads_panel import ThreadsPanel
from workbench.app.widgets.literal import Literal
from workbench.harness.names import TOOLBOX_BINDING

if TYPE_CHECKING:
    from workbench.app.transcript.asking import Asking
    from workbench.app.transcript.beside import Beside
    from workbench.app.transcript.opened import Opened
    from workbench.app.transcript.reading import Reading
    from workbench.app.transcript.turn_side import TurnSide

THREADS_FROM = 120
"""From this width on the threads are shown without asking."""

PROVIDER_FROM = 100
"""From this width on the provider's tools have a panel of their own without asking; below, one line."""

ONCE_MORE_SECS = 5.0
"""For so long after esc closed an opened event the next one stops no turn yet."""


class TranscriptKeys(Widget):
    """A base of the tab, which has what the keys work with."""

    at: int | None = None
    """The event as of which everything beside the log is shown; None is now."""
    reading: Reading
    beside: Beside
    opened: Opened
    turn: TurnSide
    asking: Asking
    clock: Timer

    def __init__(self) -> None:
        super().__init__()
        self._wanted: dict[str, bool | None] = {"threads": None, "provider": None}
        self._before_naming: bool | None = None
        self._left: float | None = None

    @property
    def bench(self) -> Workbench:
        """The app, as a tab may use it."""
        raise NotImplementedError

    @property
    def log_view(self) -> LogView:
        """The log."""
        return self.query_one(LogView)

    @property
    def composer(self) -> Composer:
        """The line at the bottom."""
        return self.query_one(Composer)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """esc aborts a turn where there is nothing to leave first; going on is offered where something waits."""
        if action in ("abort", "back_out"):
            return self.turn.can_abort == (action == "abort")
        if action == "go_on":
            return self.turn.can_go_on
        if action == "answer_asked":
            return self.asking.can_answer
        if action == "show_asked":
            return self.asking.question is not None
        return super().check_action(action, parameters)

    # The moment that is looked at -------------------------------------------------------------------------------

    def action_step(self, step: int) -> None:
        """Go back or forward through the log."""
        log, last = self.log_view, self.reading.rows.last
        if self.at is None:
            if step > 0:
                return
            # From now, the cursor says where to begin; without one, right before the newest event.
            start = min(log.cursor + 1, last) if log.cursor is not None else log.near(last, -1)
        else:
            start = self.at - 1
        to = log.near(start, step) if start is not None else None
        if to is not None and to < last:
            self.look_at(to + 1)
        elif step > 0:
            self.look_at(None)

    def look_at(self, at: int | None) -> None:
        """Show everything beside the log as of an event, or of now."""
        self.at = at
        log = self.log_view
        log.as_of(at)
        self.set_class(at is not None, "-past")
        if at is not None:
            log.move_to(at - 1)
            self.query_one("#moment", Literal).show(
                f"as of event {at} of {self.reading.rows.last} · [ back · ] forward · esc now"
            )
        else:
            log.follow()
        self.beside.show_given()
        self.refresh_bindings()

    def to_now(self) -> None:
        """Look at the present, and follow it."""
        if self.at is not None:
            self.look_at(None)
        self.log_view.follow()

    @property
    def leaves_first(self) -> bool:
        """Whether there is something that esc leaves: a name that is typed, an opened event, the past."""
        return self.query_one(ThreadsPanel).naming or self.opened.pane.is_open or self.at is not None

    def action_back_out(self) -> None:
        """Undo one thing: the name being typed, the opened event, the past."""
        if self.query_one(ThreadsPanel).stop_asking():
            self.want_threads(self._before_naming)
            self.log_view.focus()
        elif self.opened.pane.is_open:
            self.opened.close()
            self.log_view.focus()
            self._left = self.asking.clock()
        elif self.at is not None:
            self.look_at(None)
            self._left = None
        self.refresh_bindings()

    # The turn ---------------------------------------------------------------------------------------------------

    def action_abort(self) -> None:
        """Abort the agent's turn; not by the key that has just closed an opened event, if it came twice."""
        left, self._left = self._left, None
        if left is not None and self.asking.clock() - left < ONCE_MORE_SECS:
            self.bench.say("The event is closed already. esc again stops the turn.")
        else:
            self.turn.abort()

    def action_go_on(self) -> None:
        """Have the model answer what waits."""
        self.turn.go_on()

    def action_answer_asked(self, yes: bool) -> None:
        """Answer the call that asks."""
        self.asking.answer(yes)

    def action_show_asked(self) -> None:
        """Show the call that asks."""
        self.asking.go_there()

    def action_wire(self) -> None:
        """Show the request that goes out at the event at the cursor, or at the moment that is looked at; else next."""
        from workbench.app.transcript.wire.screen import WireScreen

        log, last = self.log_view, self.reading.rows.last
        at = self.at if self.at is not None else log.cursor + 1 if log.cursor is not None else None
        self.app.push_screen(WireScreen(self.reading.rows.thread, at if at is not None and at <= last else None))

    # Parts ------------------------------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Find words in the log."""
        self.query_one(Finder).open()

    def action_compose_line(self) -> None:
        """Write."""
        self.composer.line.focus()

    def action_new_thread(self) -> None:
        """Begin a thread."""
        self._before_naming = self._wanted["threads"]
        self.want_threads(True)
        self.query_one(ThreadsPanel).ask_name()
        self.refresh_bindings()

    def action_toggle_panel(self, panel: str) -> None:
        """Show or hide a panel."""
        self._wanted[panel] = not self.has_class(f"-{panel}")
        if self._wanted[panel] and self.size.width < PROVIDER_FROM:
            # Both beside the log would leave nothing of it.
            self._wanted["provider" if panel == "threads" else "threads"] = False
        self.arrange_panels(self.size.width)

    def arrange_panels(self, width: int) -> None:
        """Show the panels that are wanted, or that there is room for."""
        for panel, least in (("threads", THREADS_FROM), ("provider", PROVIDER_FROM)):
            wanted = self._wanted[panel]
            self.set_class(width >= least if wanted is None else wanted, f"-{panel}")

    def want_threads(self, wanted: bool | None) -> None:
        """Show the threads, or not, or where there is room."""
        self._wanted["threads"] = wanted
        self.arrange_panels(self.size.width)

    def named(self) -> None:
        """The name of a new thread was given: the threads are shown as they were before."""
        self.want_threads(self._before_naming)

    def action_show_tool(self) -> None:
        """Show the tool at the cursor in the Tools tab."""
        panel, log = self.query_one(ProviderPanel), self.log_view
        if panel.has_focus_within:
            name = panel.named
        else:
            row = self.reading.rows.row(log.cursor + 1) if log.cursor is not None else None
            name = None if row is None else f"{TOOLBOX_BINDING}{row.host}" if row.host else row.touches
        if name is None:
            self.bench.say("No tool is named here.")
        else:
            self.guarded(lambda: self._go_to_tool(name))

    def guarded(self, look: Callable[[], object]) -> None:
        """Look something up; where that fails now, say so in place."""
        self.beside.guarded(look)

    def _go_to_tool(self, name: str) -> None:
        if not name.startswith(TOOLBOX_BINDING) and name not in self.bench.view.tools:
            self.bench.say(f"There is no tool called {name}.")
        else:
            self.bench.show_tool(name)

    def action_copy_event(self) -> None:
        """Copy what is opened, else what is at the cursor; of an answer that streams, what there is of it."""
        pane, log = self.opened.pane, self.log_view
        if pane.is_open and pane.detail is not None:
            self.bench.copy(pane.detail.copy, pane.detail.title)
            return
        live = self.turn.live
        if live is not None and log.cursor == self.reading.rows.last:
            self.bench.copy("".join(live.text), "the answer so far")
            return
        index = log.cursor if log.cursor is not None else log.near(self.reading.rows.last, -1)
        events = self.reading.whole(index + 1) if index is not None else []
        if events:
            detail = detail_of(events)
            self.bench.copy(detail.copy, detail.title)

    # The log ----------------------------------------------------------------------------------------------------

    def action_move(self, step: int) -> None:
        """The next event, or the one before."""
        self.log_view.action_move(step)

    def action_page(self, pages: int) -> None:
        """A screenful on or back."""
        self.log_view.action_page(pages)

    def action_first(self) -> None:
        """The first event."""
        self.log_view.action_first()

    def action_follow(self) -> None:
        """The newest event."""
        self.log_view.follow()

    def action_open(self) -> None:
        """The event whole."""
        self.log_view.action_open()

    # The composer -----------------------------------------------------------------------------------------------

    def action_next_voice(self) -> None:
        """Speak in the next voice."""
        self.composer.next_voice()
        self.composer.line.focus()

    def action_recall(self, step: int) -> None:
        """Another line of what was written."""
        self.composer.recall(step)
        self.composer.line.focus()

    def action_leave(self) -> None:
        """From the composer to the log."""
        self.log_view.focus()

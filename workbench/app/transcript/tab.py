"""The Transcript tab: threads, the log of one of them, the provider's tools because of it, and the composer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from workbench.app.actions import bindings
from workbench.app.seams import Change, Workbench
from workbench.app.transcript.actions import TAB
from workbench.app.transcript.composer import Composer
from workbench.app.transcript.detail import detail_of
from workbench.app.transcript.detail_pane import DetailPane
from workbench.app.transcript.finder import Finder
from workbench.app.transcript.log_view import LogView, OpenCall
from workbench.app.transcript.marks import given_tools, marks_of, summary
from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.provider_panel import ProviderPanel
from workbench.app.transcript.threads_panel import ThreadsPanel
from workbench.app.transcript.voices import NO_MODEL
from workbench.app.widgets.line_view import LineView
from workbench.app.widgets.literal import Literal, title
from workbench.harness.door import Done
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event
from workbench.harness.watch import Progressed

FIRST_EVENTS = 400
"""Events that are read before the first paint: more than the tallest screen shows."""

SLICE_EVENTS = 250
"""Events that are read in one go behind that; a few ms, so that keys are answered in between."""

SHOW_SECS = 0.2
"""How often what was read of a long thread is shown; each time costs a painting."""

THREADS_FROM = 120
"""From this width on the threads are shown without asking."""

PROVIDER_FROM = 100
"""From this width on the provider's tools have a panel of their own without asking; below, one line."""

LOW_BELOW = 30
"""Below this height an opened event gets more of the room than the log."""


class TranscriptTab(Widget):
    """What happened, who did it, and what it made of the provider's tools."""

    BINDINGS = bindings(*TAB)
    DEFAULT_CSS = """
    TranscriptTab { height: 1fr; width: 1fr; layout: vertical; }
    TranscriptTab > #transcript-panes { height: 1fr; }
    TranscriptTab #middle { width: 1fr; height: 1fr; border-top: solid $primary; border-title-color: $text-primary; }
    TranscriptTab #middle:focus-within { border-top: heavy $accent; }
    TranscriptTab #moment { height: auto; display: none; padding: 0 1; text-style: bold reverse; color: $text-warning; }
    TranscriptTab.-past #moment { display: block; }
    TranscriptTab.-low DetailPane { height: 65%; }
    TranscriptTab #note { height: auto; display: none; padding: 0 1; color: $text-warning; }
    TranscriptTab.-unanswered #note { display: block; }
    TranscriptTab > #given-line { height: 1; padding: 0 1; color: $text-primary; text-wrap: nowrap;
        text-overflow: ellipsis; }
    TranscriptTab.-provider > #given-line { display: none; }
    TranscriptTab.-faulty > #given-line { display: block; height: auto; color: $text-error; text-wrap: wrap; }
    TranscriptTab OptionList > .option-list--option-highlighted { background: $surface-lighten-1; color: $foreground; }
    TranscriptTab OptionList:focus > .option-list--option-highlighted { background: $block-cursor-background;
        color: $foreground; }
    TranscriptTab OptionList:focus:nocolor > .option-list--option-highlighted { background: $foreground 40%; }
    TranscriptTab ThreadsPanel, TranscriptTab ProviderPanel { display: none; }
    TranscriptTab.-threads ThreadsPanel { display: block; }
    TranscriptTab.-provider ProviderPanel { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.at: int | None = None
        """The event as of which everything beside the log is shown; None is now."""
        self._rows = ThreadRows("")
        self._progress: dict[str, Progressed] = {}
        self._wanted: dict[str, bool | None] = {"threads": None, "provider": None}
        self._before_naming: bool | None = None
        self._opened: int | None = None
        self._stale = True

    # Parts ------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Threads, log, provider; the composer beneath."""
        with Horizontal(id="transcript-panes"):
            with Vertical(id="middle"):
                yield Literal(id="moment")
                yield LogView(id="log")
                yield Finder(id="finder")
                yield Literal(NO_MODEL, id="note")
                yield DetailPane(id="detail")
            yield ProviderPanel(id="provider")
            # Last, so that the log is what has the keys at first; docked at the left all the same.
            yield ThreadsPanel(id="threads")
        yield Literal(id="given-line")
        yield Composer(id="composer")

    @property
    def bench(self) -> Workbench:
        """The app, as a tab may use it."""
        return cast(Workbench, self.app)

    @property
    def log_view(self) -> LogView:
        """The log."""
        return self.query_one(LogView)

    @property
    def pane(self) -> DetailPane:
        """The opened event."""
        return self.query_one(DetailPane)

    @property
    def composer(self) -> Composer:
        """The line at the bottom."""
        return self.query_one(Composer)

    # What the app tells -----------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self._clock = self.set_interval(1, self._tick, pause=True)
        self.watch(self.log_view, "following", self._show_place, init=False)
        self._open_thread()

    def thread_changed(self) -> None:
        """Another thread is looked at."""
        if self.bench.thread != self._rows.thread:
            self._open_thread()

    def space_changed(self, change: Change) -> None:
        """Take in what happened."""
        for note in change.progress:
            self._progress[note.call] = note
        if change.lost or change.faults or any(event.thread == self._rows.thread for event in change.events):
            self._guarded(self._read_new)
        if self.is_on_screen:
            self._guarded(self._show_beside)
        else:
            self._stale = True

    def on_show(self) -> None:
        """Bring up to date what was not while nobody saw it."""
        if self._stale:
            self._guarded(self._show_beside)

    def on_resize(self, event: events.Resize) -> None:
        """Collapse the panels where there is no room for them."""
        self._arrange_panels(event.size.width)
        self.set_class(event.size.height < LOW_BELOW, "-low")

    # What cannot be read --------------------------------------------------------------------------------------------

    def _guarded(self, look: Callable[[], None]) -> None:
        """Look something up; where that fails now, say so in place, and try again by the second."""
        try:
            look()
        except HarnessError as error:
            self._say_fault(error.message)

    def _say_fault(self, why: str) -> None:
        self._stale = True
        self.add_class("-faulty")
        self.query_one("#given-line", Literal).show(f"✗ {why}")
        self._clock.resume()

    def _tick(self) -> None:
        if not self.has_class("-faulty"):
            self._guarded(self._show_running)
        elif self.is_on_screen:
            self._guarded(self._catch_up)

    def _catch_up(self) -> None:
        self._read_new()
        self._show_beside()

    # Reading the thread -----------------------------------------------------------------------------------------

    def _open_thread(self) -> None:
        thread = self.bench.thread
        try:
            total = self._events_of(thread)
        except HarnessError:
            # What is shown beside the log says it, and the rows come once it can be read.
            total = 0
        rows = self._rows = ThreadRows(thread, total)
        self._progress.clear()
        self.at = self._opened = None
        self.remove_class("-past")
        self.pane.close()
        log = self.log_view
        log.show(rows)
        first = max(total - FIRST_EVENTS, 0)
        log.grew(self._read(rows, first, total))
        if first:
            self._begin_earlier(rows, first)
        self._guarded(self._show_beside)

    def _events_of(self, thread: str) -> int:
        return next((listed.events for listed in self.bench.harness.threads() if listed.id == thread), 0)

    def _begin_earlier(self, rows: ThreadRows, unread: int, read: int = 0) -> None:
        # Not exclusive: what fell behind is filled in beside the beginning, and either ends when its rows are shown
        # no more.
        self.run_worker(
            self._read_earlier(rows, unread, read),
            name="earlier events",
            group="transcript-reading",
            exit_on_error=False,
        )

    async def _read_earlier(self, rows: ThreadRows, unread: int, read: int) -> None:
        """Fill in a long thread from event `unread` back to the one behind `read`, a slice at a time."""
        changed: list[int] = []
        shown = time.monotonic()
        while unread > read and rows is self._rows:
            after = max(unread - SLICE_EVENTS, read)
            changed = self._read(rows, after, unread) + changed
            unread = after
            if unread <= read or time.monotonic() - shown > SHOW_SECS:
                self.log_view.grew(changed)
                changed, shown = [], time.monotonic()
            # A real pause, however short, lets keys and paint come first.
            await asyncio.sleep(0.001)
        if rows is self._rows:
            self._show_given()

    def _read_new(self) -> None:
        rows = self._rows
        read, total = rows.last, self._events_of(rows.thread)
        first = max(total - FIRST_EVENTS, read)
        changed = self._read(rows, first, total)
        self.log_view.grew(changed)
        if first > read:
            self._begin_earlier(rows, first, read)
        if self._opened is not None and self.pane.is_open and self._opened - 1 in changed:
            self._open_event(self._opened)

    def _read(self, rows: ThreadRows, after: int, upto: int) -> list[int]:
        """Read events into their rows; one that cannot be read says so in its own place and hides no other."""
        harness = self.bench.harness
        try:
            return rows.read(harness.events(rows.thread, after, upto))
        except HarnessError:
            changed: list[int] = []
            for seq in range(after + 1, upto + 1):
                try:
                    changed += rows.read(harness.events(rows.thread, seq - 1, seq))
                except HarnessError as error:
                    changed.append(rows.unreadable(seq, error.message))
            return sorted(set(changed))

    def _events(self, after: int, upto: int) -> list[Event]:
        try:
            return self.bench.harness.events(self._rows.thread, after, upto)
        except HarnessError as error:
            self.bench.say_error(error.message)
            return []

    # Showing ----------------------------------------------------------------------------------------------------

    def _show_beside(self) -> None:
        """Everything that is derived of the thread: threads, provider's tools, marks, running calls."""
        self.query_one(ThreadsPanel).show(self.bench.harness.threads(), self._rows.thread)
        self._stale = False
        self._show_given()
        self._show_running()
        self._show_place()
        newest = next((row for row in reversed(self._rows.rows) if row is not None and row.kind != "result"), None)
        self.set_class(newest is not None and newest.kind == "message" and newest.who == "you", "-unanswered")

    def _show_place(self) -> None:
        """Which thread the log is of, and whether it goes on by itself."""
        rows = self._rows
        count = f"{rows.last:,} event" + ("" if rows.last == 1 else "s")
        place = f"{rows.thread} · {count}" if rows.last else f"{rows.thread} · new"
        held = "" if self.log_view.following or not rows.last else " · stands still, G follows"
        title(self.query_one("#middle"), f"{place}{held}")

    def _show_given(self) -> None:
        harness, rows = self.bench.harness, self._rows
        try:
            view = self.bench.view
            if view.thread_fault is not None:
                self._say_fault(view.thread_fault)
                return
            now, states = view.promotion, view.tools
            then = now if self.at is None else harness.promoted(rows.thread, at=self.at)
        except HarnessError as error:
            self._say_fault(error.message)
            return
        self.remove_class("-faulty")
        self.log_view.mark(marks_of(now))
        self.query_one(ProviderPanel).show(given_tools(then, rows, states, self.at), self.at)
        moment = "" if self.at is None else f"as of event {self.at}, "
        self.query_one("#given-line", Literal).show(f"{moment}{summary(then)}", layout=False)

    def _show_running(self) -> None:
        """What the calls without a result are doing; by the second while one of them runs."""
        open_calls = set(self._rows.open_calls())
        running: dict[str, OpenCall] = {}
        self._progress = {call: note for call, note in self._progress.items() if call in open_calls}
        if open_calls:
            for each in self.bench.harness.running():
                if each.call.id in open_calls:
                    running[each.call.id] = OpenCall(each.interrupted, self._progress.get(each.call.id))
        self.log_view.run(running)
        if self.has_class("-faulty") or any(not call.interrupted for call in running.values()):
            self._clock.resume()
        else:
            self._clock.pause()

    def _look_at(self, at: int | None) -> None:
        """Show everything beside the log as of an event, or of now."""
        self.at = at
        log = self.log_view
        log.as_of(at)
        self.set_class(at is not None, "-past")
        if at is not None:
            log.move_to(at - 1)
            self.query_one("#moment", Literal).show(
                f"as of event {at} of {self._rows.last} · [ back · ] forward · esc now"
            )
        else:
            log.follow()
        self._show_given()

    def _arrange_panels(self, width: int) -> None:
        for panel, least in (("threads", THREADS_FROM), ("provider", PROVIDER_FROM)):
            wanted = self._wanted[panel]
            self.set_class(width >= least if wanted is None else wanted, f"-{panel}")

    def _want_threads(self, wanted: bool | None) -> None:
        self._wanted["threads"] = wanted
        self._arrange_panels(self.size.width)

    # Keys -------------------------------------------------------------------------------------------------------

    def action_step(self, step: int) -> None:
        """Go back or forward through the log."""
        log = self.log_view
        if self.at is None:
            if step > 0:
                return
            # From now, the cursor says where to begin; without one, right before the newest event.
            start = log.cursor + 1 if log.cursor is not None else log.near(log.items, -1)
        else:
            start = self.at - 1
        to = log.near(start, step) if start is not None else None
        if to is not None:
            self._look_at(to + 1)
        elif step > 0:
            self._look_at(None)

    def action_back_out(self) -> None:
        """Undo one thing: the name being typed, the opened event, the past."""
        if self.query_one(ThreadsPanel).stop_asking():
            self._want_threads(self._before_naming)
            self.log_view.focus()
        elif self.pane.is_open:
            self.pane.close()
            self._opened = None
            self.log_view.focus()
        elif self.at is not None:
            self._look_at(None)

    def action_find(self) -> None:
        """Find words in the log."""
        self.query_one(Finder).open()

    def action_compose_line(self) -> None:
        """Write."""
        self.composer.line.focus()

    def action_new_thread(self) -> None:
        """Begin a thread."""
        self._before_naming = self._wanted["threads"]
        self._want_threads(True)
        self.query_one(ThreadsPanel).ask_name()

    def action_toggle_panel(self, panel: str) -> None:
        """Show or hide a panel."""
        self._wanted[panel] = not self.has_class(f"-{panel}")
        if self._wanted[panel] and self.size.width < PROVIDER_FROM:
            # Both beside the log would leave nothing of it.
            self._wanted["provider" if panel == "threads" else "threads"] = False
        self._arrange_panels(self.size.width)

    def action_show_tool(self) -> None:
        """Show the tool at the cursor in the Tools tab."""
        panel, log = self.query_one(ProviderPanel), self.log_view
        if panel.has_focus_within:
            name = panel.chosen.name if panel.chosen is not None else None
        else:
            row = self._rows.row(log.cursor + 1) if log.cursor is not None else None
            name = row.touches if row is not None else None
        if name is None:
            self.bench.say("No tool is named here.")
        else:
            self._guarded(lambda: self._go_to_tool(name))

    def _go_to_tool(self, name: str) -> None:
        if name not in self.bench.view.tools:
            self.bench.say(f"There is no tool called {name}.")
        else:
            self.bench.show_tool(name)

    def action_copy_event(self) -> None:
        """Copy what is opened, else what is at the cursor."""
        if self.pane.is_open and self.pane.detail is not None:
            self.bench.copy(self.pane.detail.copy, self.pane.detail.title)
            return
        log = self.log_view
        index = log.cursor if log.cursor is not None else log.near(log.items, -1)
        events = self._whole(index + 1) if index is not None else []
        if events:
            detail = detail_of(events)
            self.bench.copy(detail.copy, detail.title)

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

    # Messages of the parts --------------------------------------------------------------------------------------

    @on(LineView.Opened)
    def _opened_event(self, message: LineView.Opened) -> None:
        message.stop()
        if not isinstance(message.view, LogView):
            return
        if self.pane.is_open and self._opened == message.index + 1:
            self.pane.view.focus()
        else:
            self._open_event(message.index + 1)

    @on(LineView.Moved)
    def _moved(self, message: LineView.Moved) -> None:
        message.stop()
        if message.index is None or not isinstance(message.view, LogView) or not self.pane.is_open:
            return
        if self._opened != message.index + 1:
            self._open_event(message.index + 1)

    @on(ThreadsPanel.Chosen)
    def _chose_thread(self, message: ThreadsPanel.Chosen) -> None:
        message.stop()
        if message.begins:
            self._want_threads(self._before_naming)
        self.bench.set_thread(message.thread)
        (self.composer.line if message.begins else self.log_view).focus()

    @on(ProviderPanel.Chosen)
    def _chose_tool(self, message: ProviderPanel.Chosen) -> None:
        message.stop()
        self.log_view.move_to(message.seq - 1)
        self.log_view.focus()

    @on(Finder.Seek)
    def _seek(self, message: Finder.Seek) -> None:
        message.stop()
        log, finder = self.log_view, self.query_one(Finder)
        start = log.cursor if log.cursor is not None else log.items
        found = self._rows.find(message.words, start, message.step)
        if found is not None:
            log.move_to(found)
            finder.say(f"event {found + 1}")
        elif message.words.strip():
            finder.say(f"none {'newer' if message.step > 0 else 'older'}")

    @on(Finder.Left)
    def _left_finder(self, message: Finder.Left) -> None:
        message.stop()
        self.query_one(Finder).close()
        self.log_view.focus()

    @on(Composer.Left)
    def _left_composer(self, message: Composer.Left) -> None:
        message.stop()
        self.log_view.focus()

    @on(Composer.Act)
    def _act(self, message: Composer.Act) -> None:
        message.stop()
        line = message.line

        def then(done: Done | None, error: HarnessError | None) -> None:
            if error is not None and self.is_mounted:
                self.composer.failed(line, error.message)

        self._to_now()
        command = message.command
        self.bench.act(command.name, command.input, actor=message.voice, thread=self._rows.thread, then=then)

    @on(Composer.Say)
    def _say(self, message: Composer.Say) -> None:
        message.stop()
        self._to_now()
        self.run_worker(self._say_it(message.text), name="say", group="transcript-saying", exit_on_error=False)

    async def _say_it(self, text: str) -> None:
        try:
            await self.bench.harness.say(text, actor="user", thread=self._rows.thread)
        except HarnessError as error:
            self.composer.failed(text, error.message)

    # Inside -----------------------------------------------------------------------------------------------------

    def _to_now(self) -> None:
        if self.at is not None:
            self._look_at(None)
        self.log_view.follow()

    def _whole(self, seq: int) -> list[Event]:
        """An event, and the result behind it if it is a call that has one."""
        events = self._events(seq - 1, seq)
        row = self._rows.row(seq)
        if row is not None and row.outcome is not None:
            events += self._events(row.outcome.seq - 1, row.outcome.seq)
        return events

    def _open_event(self, seq: int) -> None:
        events = self._whole(seq)
        if not events:
            return
        self._opened = seq
        self.pane.wait(f"event {seq}")
        self.run_worker(
            self._make_detail(seq, events),
            name="event detail",
            group="transcript-detail",
            exclusive=True,
            exit_on_error=False,
        )

    async def _make_detail(self, seq: int, events: list[Event]) -> None:
        # Writing out a result of megabytes takes a second or two: not on the thread that answers keys.
        detail = await asyncio.to_thread(detail_of, events)
        if self._opened == seq and self.pane.is_open:
            self.pane.show(detail)

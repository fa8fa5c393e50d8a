"""The Transcript tab: threads, the log of one of them, the provider's tools because of it, and the composer."""

from __future__ import annotations

from typing import cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from workbench.app.actions import bindings
from workbench.app.seams import Change, Workbench
from workbench.app.transcript.actions import TAB
from workbench.app.transcript.ask_strip import AskStrip
from workbench.app.transcript.asking import Asking
from workbench.app.transcript.beside import Beside
from workbench.app.transcript.composer import Composer
from workbench.app.transcript.detail_pane import DetailPane
from workbench.app.transcript.finder import Finder
from workbench.app.transcript.host_calls import fault_words
from workbench.app.transcript.keys import TranscriptKeys
from workbench.app.transcript.log_view import LogView
from workbench.app.transcript.opened import Opened
from workbench.app.transcript.plan_panel import PlanPanel
from workbench.app.transcript.provider_panel import ProviderPanel
from workbench.app.transcript.reading import Reading
from workbench.app.transcript.threads_panel import ThreadsPanel
from workbench.app.transcript.turn_side import TurnSide
from workbench.app.widgets.drawn_view import DrawnView
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal, OneLine
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError

LOW_BELOW = 30
"""Below this height an opened event gets more of the room than the log."""


class TranscriptTab(TranscriptKeys):
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
    TranscriptTab.-opened.-asked DetailPane { height: 75%; }
    TranscriptTab.-low.-opened.-asked DetailPane { height: 1fr; }
    TranscriptTab.-low.-opened.-asked #middle { border-top: none; }
    TranscriptTab.-low.-opened.-asked LogView { height: 1; }
    TranscriptTab.-low.-opened.-asked > #given-line { display: none; }
    TranscriptTab.-low.-opened.-asked Composer { border-top: none; }
    TranscriptTab.-low.-opened.-asked Composer #about { display: none; }
    TranscriptTab.-low.-opened.-asked Composer #about.-fault { display: block; }
    TranscriptTab #note { height: auto; display: none; padding: 0 1; color: $text-warning; }
    TranscriptTab.-noted #note { display: block; }
    TranscriptTab #beside { width: 40; display: none; }
    TranscriptTab.-provider #beside { display: block; }
    TranscriptTab #beside > ProviderPanel { width: 1fr; height: 1fr; }
    TranscriptTab.-planned PlanPanel { display: block; }
    TranscriptTab > #plan-line { display: none; color: $foreground; }
    TranscriptTab.-planned > #plan-line { display: block; }
    TranscriptTab.-provider > #plan-line { display: none; }
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
        self.beside = Beside(self)
        self.reading = Reading(self, lambda: self.log_view, self.beside.show_given)
        self.opened = Opened(self, self.reading)
        self.turn = TurnSide(self)
        self.asking = Asking(self)

    # Parts ------------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Threads, log, provider and plan; the composer beneath."""
        with Horizontal(id="transcript-panes"):
            with Vertical(id="middle"):
                yield Literal(id="moment")
                yield LogView(id="log")
                yield Finder(id="finder")
                yield Literal(id="note")
                yield DetailPane(id="detail")
            with Vertical(id="beside"):
                yield ProviderPanel(id="provider")
                yield PlanPanel(id="plan")
            # Last, so that the log is what has the keys at first; docked at the left all the same.
            yield ThreadsPanel(id="threads")
        yield OneLine(id="plan-line")
        yield Literal(id="given-line")
        yield AskStrip(id="asked")
        yield Composer(id="composer")

    @property
    def bench(self) -> Workbench:
        """The app, as a tab may use it."""
        return cast(Workbench, self.app)

    @property
    def pane(self) -> DetailPane:
        """The opened event."""
        return self.opened.pane

    # What the app tells -----------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.clock = self.set_interval(1, self._tick, pause=True)
        self.watch(self.log_view, "following", self.beside.show_place, init=False)
        self.bench.turns.listen(self.turn.told)
        self._open_thread()

    def thread_changed(self) -> None:
        """Another thread is looked at."""
        if self.bench.thread != self.reading.rows.thread:
            self._open_thread()

    def space_changed(self, change: Change) -> None:
        """Take in what happened."""
        self.beside.progressed(change.progress)
        self.opened.progressed(change.progress)
        self.asking.told(change.events)
        thread = self.reading.rows.thread
        if change.lost or change.faults or any(event.thread == thread for event in change.events):
            self.guarded(self._read_new)
        if self.is_on_screen:
            self.guarded(self.beside.show)
        else:
            self.beside.stale = True

    def on_show(self) -> None:
        """Bring up to date what was not while nobody saw it."""
        self.asking.seen()
        if self.beside.stale:
            self.guarded(self.beside.show)

    def on_descendant_focus(self) -> None:
        """What stands in place of a log names another key where the composer has the keys."""
        if not self.reading.rows.last:
            self.log_view.refresh()

    on_descendant_blur = on_descendant_focus

    def on_resize(self, event: events.Resize) -> None:
        """Collapse the panels where there is no room for them."""
        self.arrange_panels(event.size.width)
        self.set_class(event.size.height < LOW_BELOW, "-low")
        self.query_one(AskStrip).fit()

    def _open_thread(self) -> None:
        self.beside.open()
        self.opened.close()
        self.at = None
        self.remove_class("-past")
        self.reading.open(self.bench.thread)
        self.guarded(self.beside.show)

    def _read_new(self) -> None:
        changed = self.reading.read_new()
        # The answer stands in the log now; what streamed of it goes with the same painting.
        self.log_view.grew(changed)
        self.turn.stream()
        self.opened.grew(changed)

    def _tick(self) -> None:
        if not self.has_class("-faulty"):
            self.guarded(self.beside.tick)
        elif self.is_on_screen:
            self.guarded(self._catch_up)

    def _catch_up(self) -> None:
        self._read_new()
        self.beside.show()

    # Messages of the parts --------------------------------------------------------------------------------------

    @on(LineView.Opened)
    def _opened_event(self, message: LineView.Opened) -> None:
        message.stop()
        if not isinstance(message.view, LogView):
            return
        if message.index >= self.reading.rows.last:
            self.log_view.toggle_thinking()
        elif self.pane.is_open and self.opened.seq == message.index + 1:
            self.pane.view.focus()
        else:
            self.opened.open(message.index + 1)
            self.refresh_bindings()

    @on(DrawnView.Chosen)
    def _chose_place(self, message: DrawnView.Chosen) -> None:
        from workbench.app.transcript.file_screen import FileScreen

        message.stop()
        self.app.push_screen(FileScreen(message.place))

    @on(LineView.Moved)
    def _moved(self, message: LineView.Moved) -> None:
        message.stop()
        index = message.index
        if index is None or not isinstance(message.view, LogView) or not self.pane.is_open:
            return
        if self.opened.seq != index + 1 and index < self.reading.rows.last:
            self.opened.open(index + 1)

    @on(ThreadsPanel.Chosen)
    def _chose_thread(self, message: ThreadsPanel.Chosen) -> None:
        message.stop()
        if message.begins:
            self.named()
        self.bench.set_thread(message.thread)
        (self.composer.line if message.begins else self.log_view).focus()

    @on(ProviderPanel.Chosen)
    def _chose_tool(self, message: ProviderPanel.Chosen) -> None:
        message.stop()
        self.log_view.move_to(message.seq - 1)
        self.log_view.focus()

    @on(ProviderPanel.Named)
    def _named_tool(self, message: ProviderPanel.Named) -> None:
        message.stop()
        self.bench.show_tool(message.tool)

    @on(Finder.Seek)
    def _seek(self, message: Finder.Seek) -> None:
        message.stop()
        log, finder, rows = self.log_view, self.query_one(Finder), self.reading.rows
        start = min(log.cursor, rows.last) if log.cursor is not None else rows.last
        found = rows.find(message.words, start, message.step)
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

    @on(AskStrip.Answered)
    def _answered(self, message: AskStrip.Answered) -> None:
        message.stop()
        self.asking.answer(message.yes)

    @on(AskStrip.Look)
    def _look_at_asked(self, message: AskStrip.Look) -> None:
        message.stop()
        self.asking.go_there()

    @on(Composer.Abort)
    def _abort(self, message: Composer.Abort) -> None:
        message.stop()
        self.turn.abort()

    @on(Composer.Act)
    def _act(self, message: Composer.Act) -> None:
        message.stop()
        line = message.line

        def then(done: Done | None, error: HarnessError | None) -> None:
            if error is not None and self.is_mounted:
                on_machine = surface == "toolbox"
                self.composer.failed(line, fault_words(command.name, error.message) if on_machine else error.message)

        self.to_now()
        command, thread, surface = message.command, self.reading.rows.thread, self.composer.surface
        self.bench.act(command.name, command.input, actor=message.voice, thread=thread, then=then)

    @on(Composer.Say)
    def _say(self, message: Composer.Say) -> None:
        message.stop()
        self.to_now()
        saying = self.turn.say(message.text, message.line, as_agent=message.voice == "agent")
        self.run_worker(saying, name="say", group="transcript-saying", exit_on_error=False)

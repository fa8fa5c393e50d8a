"""Calling a tool as the owner: what is given to it, the call while it runs, what came of it, and the calls before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.timer import Timer

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.call.actions import PANE
from workbench.app.tools.call.bar import RunBar
from workbench.app.tools.call.given_side import Given, GivenSide
from workbench.app.tools.call.history import HistoryView
from workbench.app.tools.call.machine_bar import MachineBar
from workbench.app.tools.call.outcome import refused_here
from workbench.app.tools.call.recorded import outcome_of, read_whole
from workbench.app.tools.call.results import ResultArea
from workbench.app.tools.call.runs import Runs
from workbench.app.tools.call.which_version import which_version
from workbench.app.tools.shown import Shown
from workbench.harness.errors import HarnessError
from workbench.harness.log.calls import PastCall, Recorded

SIDE_BY_SIDE_FROM = 100
"""From how many columns on what is given and what came of it stand beside each other."""

TICK_SECS = 0.25
"""How often the clock of a running call is drawn."""


class CallPane(Vertical):
    """What is given above or at the left, what came of it below or at the right.

    Inputs, running calls and outcomes are kept for each tool as long as the app runs, so that going to another tool and
    back loses nothing.
    """

    BINDINGS = bindings(*PANE)
    DEFAULT_CSS = """
    CallPane > #call-both { height: 1fr; layout: vertical; }
    CallPane.-wide > #call-both { layout: horizontal; }
    CallPane #call-given { height: 2fr; width: 1fr; min-height: 4; }
    CallPane #call-came { height: 1fr; width: 1fr; min-height: 4; }
    CallPane.-came #call-given { height: 1fr; }
    CallPane.-came #call-came { height: 2fr; }
    CallPane.-wide #call-given, CallPane.-wide #call-came { height: 1fr; }
    CallPane.-wide #call-came { border-left: vkey $border-blurred; }
    """

    class SaveFirst(Message):
        """The draft of a tool is to be saved, and then, if that went well, `then` is to be done."""

        def __init__(self, name: str, then: Callable[[], None]) -> None:
            super().__init__()
            self.name = name
            self.then = then

    def __init__(self, goes_first: Callable[[], bool] = lambda: False, *, id: str) -> None:
        """`goes_first` says whether `esc` does something outside of this pane now, before it comes here."""
        super().__init__(id=id)
        self._goes_first = goes_first
        self.runs = Runs(self, self._has_ended)
        """The calls under way, and what came of the others."""
        self._shown: Shown | None = None
        self._unsaved = False
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        """What is given; what came of it."""
        with Container(id="call-both"):
            yield GivenSide(id="call-given")
            yield ResultArea(id="call-came")

    def on_mount(self) -> None:
        self._clock = self.set_interval(TICK_SECS, self._ticked, name="clock of a call", pause=True)
        self.watch(self.screen, "focused", self._say_stop, init=False)

    def on_resize(self) -> None:
        """Beside each other where there is room."""
        self.set_class(self.size.width >= SIDE_BY_SIDE_FROM, "-wide")

    # The parts --------------------------------------------------------------------------------------------------

    @property
    def given(self) -> GivenSide:
        """Where the input is written, with its limit or its folder."""
        return self.query_one(GivenSide)

    @property
    def came(self) -> ResultArea:
        """Where the outcome is seen."""
        return self.query_one(ResultArea)

    @property
    def text(self) -> str:
        """The result that is shown, whole, as it is copied."""
        return self.came.outcome.text

    @property
    def running(self) -> bool:
        """Whether a call of the tool that is shown runs."""
        return self._shown is not None and self._shown.key in self.runs

    # What a pane is asked ---------------------------------------------------------------------------------------

    def show(self, shown: Shown) -> None:
        """Be about another tool, or another version of it: the input that was given for it comes back."""
        before, self._shown = self._shown, shown
        if before is not None and (before.key, before.cid) == (shown.key, shown.cid):
            return
        other_tool = before is None or before.key != shown.key
        self.given.about(shown)
        self.came.about(shown, other_tool)
        if other_tool:
            self._show_state()

    def note_unsaved(self, unsaved: bool) -> None:
        """Say which version will run while there are unsaved edits."""
        self._unsaved = unsaved
        self.given.note_unsaved(unsaved)

    def focus_content(self) -> None:
        """Go to the input."""
        self.remove_class("-came")
        self.given.focus_content()

    def back(self) -> bool:
        """Leave the line that is typed into, the text, the history; else stop the running call."""
        if self.given.machine.has_focus_within:
            self.given.machine.undo()
            self.focus_content()
            return True
        return self.given.input.back() or self.came.back() or self.cancel()

    @property
    def _esc_stops(self) -> bool:
        """Whether `esc` stops the running call, and does not leave something first."""
        given = self.given
        return not (given.machine.has_focus_within or given.input.leaves or self.came.opened or self._goes_first())

    @property
    def leaves(self) -> bool:
        """Whether a text or the history is opened, or a call runs that can be stopped."""
        return self.came.opened or (self._shown is not None and self.runs.busy(self._shown.key))

    def copied(self) -> tuple[str, str] | None:
        """The whole result, or the text that is opened from it."""
        copied = self.came.copied()
        return (copied, f"the result of {self._shown.name}") if copied and self._shown else None

    def space_changed(self, change: Change) -> None:
        """Follow the running calls, and the log."""
        for running in self.runs.follow(change):
            if self._is_shown(running.tool):
                self.came.live(running.tail)
        self.came.space_changed(change)
        if change.settings:
            self.given.settings_changed()

    # Saying what is so ------------------------------------------------------------------------------------------

    def _is_shown(self, key: str) -> bool:
        return self._shown is not None and self._shown.key == key

    def _show_state(self) -> None:
        """Show what the present tool's call is at, or what came of its last one."""
        assert self._shown is not None
        assert self._clock is not None
        running = self.runs.running(self._shown.key)
        self.given.bar.show_running(running is not None)
        if running is not None:
            self._clock.resume()
            self.came.run(running.tail)
            self._ticked()
        else:
            self._clock.pause()
            self.came.show(self.runs.outcome(self._shown.key))

    def _ticked(self) -> None:
        running = self.runs.running(self._shown.key) if self._shown else None
        if running is not None:
            self.came.say(running.words(time.monotonic()))
            self._say_stop()

    def _say_stop(self) -> None:
        """What the button says is what the key does."""
        if self.running:
            self.given.bar.say_stop(self._esc_stops)

    def _has_ended(self, name: str) -> None:
        """There is another outcome of a tool's call."""
        outcome = self.runs.outcome(name)
        assert outcome is not None
        if not self._is_shown(name):
            workbench(self).say(f"{name}: {''.join(text for text, _ in outcome.status)}")
        elif name not in self.runs:
            self._show_state()
            if outcome.problems:
                self.given.input.mark(outcome.problems)
                if self.came.has_focus_within:
                    self.focus_content()

    # Keys -------------------------------------------------------------------------------------------------------

    def action_call_face(self) -> None:
        """Between the form and the JSON."""
        self.given.input.switch()

    def action_call_preview(self) -> None:
        """Show or hide what the form will send."""
        self.given.input.toggle_preview()

    def action_call_history(self) -> None:
        """To the calls before, or back to the result."""
        self.came.toggle_history()
        self.add_class("-came")

    def action_call_limit(self) -> None:
        """To the seconds, or of the toolbox to the folder."""
        self.given.focus_limit()

    @on(MachineBar.Done)
    def _folder_typed(self, event: MachineBar.Done) -> None:
        event.stop()
        self.focus_content()

    @on(RunBar.Run)
    def _asked_to_run(self, event: RunBar.Run) -> None:
        event.stop()
        self.run()

    @on(RunBar.Stop)
    def _asked_to_stop(self, event: RunBar.Stop) -> None:
        event.stop()
        self.cancel()

    # Running ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Call the tool with what is given; with unsaved edits, ask first which version is meant."""
        shown = self._shown
        if shown is None or self._busy(shown.key):
            return
        if self._unsaved:
            self._ask_which(shown)
        elif shown.tool is None:
            self.runs.put(shown.key, refused_here(shown.absent))
        else:
            self._run(shown)

    def cancel(self) -> bool:
        """Stop the call of the tool that is shown, running or about to; whether there was one."""
        stopped = self._shown is not None and self.runs.cancel(self._shown.key)
        self._ticked()
        return stopped

    def _busy(self, name: str) -> bool:
        if name in self.runs:
            workbench(self).say(f"{name} still runs; {'esc' if self._esc_stops else '■ Cancel'} stops it.")
        return self.runs.busy(name)

    def _ask_which(self, shown: Shown) -> None:
        def answered(answer: str | None) -> None:
            if answer == "save":
                self.post_message(self.SaveFirst(shown.name, lambda: self._run_saved(shown.name)))
            elif answer == "stored":
                self._run(shown)

        self.app.push_screen(which_version(shown), answered)

    def _run_saved(self, name: str) -> None:
        """Run what was saved a moment ago, whether or not the news of it came here."""
        if self._shown is None or not self._is_shown(name):
            return
        try:
            tool = workbench(self).harness.tool(name)
        except HarnessError as error:
            self.runs.put(name, refused_here(error.message))
            return
        self.show(replace(self._shown, tool=tool, fault=None))
        self.note_unsaved(False)
        self._run(self._shown)

    def _run(self, shown: Shown) -> None:
        if not self._is_shown(shown.key) or self._busy(shown.key):
            return
        self.runs.prepare(shown.key, lambda: self.given.read(shown), lambda given: self._start(shown, given))

    def _start(self, shown: Shown, given: Given) -> None:
        """Begin a call. Nothing more is typed then: the next keys are for what comes."""
        if given.folder is not None:
            self.runs.start_on_machine(shown, given.value, given.folder)
        else:
            self.runs.start(shown, given.value, given.seconds, self.given.setting)
        if not self._is_shown(shown.key):
            return
        self.given.begun()
        self._show_state()
        if self.given.has_focus_within:
            # Only keys make the outcome larger: what is clicked must not move away under the pointer.
            self.add_class("-came")
            self.came.focus_content()

    # The past ---------------------------------------------------------------------------------------------------

    @on(HistoryView.Picked)
    def _picked(self, event: HistoryView.Picked) -> None:
        event.stop()
        shown = self._shown
        if shown is None or (event.what == "again" and self._busy(shown.key)):
            return
        try:
            rows = workbench(self).harness.recorded(event.call.number)
        except HarnessError as error:
            workbench(self).say_error(error.message)
            return
        self.run_worker(
            self._reach_back(shown, event.what, event.call, rows),
            name="read a past call",
            group="past",
            exclusive=True,
            exit_on_error=False,
        )

    async def _reach_back(self, shown: Shown, what: str, past: PastCall, rows: Recorded) -> None:
        """Show, run again or use a past call, once it is read."""
        try:
            whole = await asyncio.to_thread(read_whole, shown.name, past, rows)
        except HarnessError as error:
            workbench(self).say_error(error.message)
            return
        if not self._is_shown(shown.key):
            return
        if whole.cwd is not None and what != "show":
            # Where it acted belongs to what was done.
            self.given.put_folder(whole.cwd)
        if what == "use":
            self.given.put(whole.given)
            self.focus_content()
        elif what == "again":
            await self._again(shown, whole.given, whole.seconds)
        elif (outcome := await asyncio.to_thread(outcome_of, shown, whole)) is not None:
            self.came.show_past(outcome)
        else:
            workbench(self).say(whole.without_result)

    async def _again(self, shown: Shown, given: object, seconds: int | None) -> None:
        """Run what was run before, where it acted then."""
        try:
            folder = await self.given.read_folder(shown)
        except HarnessError as error:
            self.runs.put(shown.key, refused_here(error.message))
        else:
            if self._is_shown(shown.key) and not self._busy(shown.key):
                self._start(shown, Given(given, seconds, folder))

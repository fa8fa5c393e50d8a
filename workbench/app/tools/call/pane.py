"""Calling a tool as the owner: what is given to it, the call while it runs, what came of it, and the calls before."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.worker import Worker, get_current_worker

from workbench.app.actions import bindings
from workbench.app.seams import Change, workbench
from workbench.app.tools.call.actions import PANE
from workbench.app.tools.call.bar import RunBar
from workbench.app.tools.call.given import InputArea, Refused
from workbench.app.tools.call.history import HistoryView, given_to
from workbench.app.tools.call.kept import Kept
from workbench.app.tools.call.limit import takes_limit
from workbench.app.tools.call.machine_bar import MachineBar
from workbench.app.tools.call.machine_outcome import machine_outcome_of_past
from workbench.app.tools.call.outcome import not_begun, outcome_of_past, refused_here
from workbench.app.tools.call.results import ResultArea
from workbench.app.tools.call.runs import Runs
from workbench.app.tools.directory import at_home, check_folder, started_in
from workbench.app.tools.shown import Shown
from workbench.app.widgets.literal import Literal, literal
from workbench.app.widgets.question import Answer, Question
from workbench.harness.errors import HarnessError
from workbench.harness.log.calls import PastCall, Recorded
from workbench.harness.space.settings import DEFAULTS

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
    CallPane #note { height: auto; max-height: 3; padding: 0 1; display: none; }
    CallPane.-note #note { display: block; }
    """

    class SaveFirst(Message):
        """The draft of a tool is to be saved, and then, if that went well, `then` is to be done."""

        def __init__(self, name: str, then: Callable[[], None]) -> None:
            super().__init__()
            self.name = name
            self.then = then

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.runs = Runs(self, self._has_ended)
        """The calls under way, and what came of the others."""
        self._shown: Shown | None = None
        self._unsaved = False
        self._kept = Kept()
        self._preparing: dict[str, Worker[None]] = {}
        self._started_in = started_in()
        self._clock: Timer | None = None
        self._said = ""

    def compose(self) -> ComposeResult:
        """Input with its bar; outcome."""
        with Container(id="call-both"):
            with Vertical(id="call-given"):
                yield Literal(id="note")
                yield MachineBar(id="machine")
                yield InputArea(id="call-input")
                yield RunBar(id="bar")
            yield ResultArea(id="call-came")

    def on_mount(self) -> None:
        self._clock = self.set_interval(TICK_SECS, self._ticked, name="clock of a call", pause=True)

    def on_resize(self) -> None:
        """Beside each other where there is room."""
        self.set_class(self.size.width >= SIDE_BY_SIDE_FROM, "-wide")

    # The parts --------------------------------------------------------------------------------------------------

    @property
    def given(self) -> InputArea:
        """Where the input is written."""
        return self.query_one(InputArea)

    @property
    def bar(self) -> RunBar:
        """The line with the buttons."""
        return self.query_one(RunBar)

    @property
    def machine(self) -> MachineBar:
        """The line that says where a tool of the toolbox acts."""
        return self.query_one(MachineBar)

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
        if before is not None:
            self._kept.keep(before.key, before.cid, self.given.typed(), self.bar.asked)
        other_tool = before is None or before.key != shown.key
        self._open_input(shown)
        self.bar.about(self._kept.limit(shown.key), self._setting, takes_limit(shown))
        self.machine.about(shown.on_machine, self._folder)
        self._note()
        self.came.about(shown, other_tool)
        if other_tool:
            self._show_state()

    def note_unsaved(self, unsaved: bool) -> None:
        """Say which version will run while there are unsaved edits."""
        if unsaved != self._unsaved:
            self._unsaved = unsaved
            self._note()

    def focus_content(self) -> None:
        """Go to the input."""
        self.remove_class("-came")
        self.given.focus_content()

    def back(self) -> bool:
        """Leave the line that is typed into, the text, the history; else stop the running call."""
        if self.machine.has_focus_within:
            self.focus_content()
            return True
        return self.given.back() or self.came.back() or self.cancel()

    @property
    def leaves(self) -> bool:
        """Whether a text or the history is opened, or a call runs that can be stopped."""
        return self.came.opened or self.running or (self._shown is not None and self._shown.key in self._preparing)

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
        if change.settings and self._shown is not None:
            self.bar.setting_is(self._setting)
            self.machine.about(self._shown.on_machine, self._folder)

    # Saying what is so ------------------------------------------------------------------------------------------

    @property
    def _setting(self) -> int:
        try:
            return workbench(self).view.settings.settings.timeout_secs
        except HarnessError:
            # That the Space cannot be read now is said where it is listed; a call gets what acts when it runs.
            return DEFAULTS.timeout_secs

    @property
    def _folder(self) -> str:
        """Where the toolbox acts unless another folder is typed: its workdir, else where this app was started."""
        workdir = None
        with contextlib.suppress(HarnessError):
            workdir = workbench(self).view.toolbox.workdir
        return at_home(workdir or self._started_in)

    def _is_shown(self, key: str) -> bool:
        return self._shown is not None and self._shown.key == key

    def _open_input(self, shown: Shown) -> None:
        """The input that was given for this version, or the one for the version before, or a new one."""
        schema = shown.tool.document.input if shown.tool else {}
        typed, carried = self._kept.of(shown.key, shown.cid)
        self._said = ""
        if typed is not None and carried:
            typed = typed.rebased(schema) if typed.touched else None
        self.given.open(schema, typed)
        if typed is not None and carried and shown.tool is not None:
            self.run_worker(
                self._hold_against(shown), name="check the input", group="check", exclusive=True, exit_on_error=False
            )

    async def _hold_against(self, shown: Shown) -> None:
        """Say whether the present contract accepts the input that stands there from the version before."""
        problems = await self.given.problems()
        if self._shown is None or (self._shown.key, self._shown.cid) != (shown.key, shown.cid):
            return
        self._said = "The contract changed; your input was kept, and it is accepted."
        if problems:
            first = f"{problems[0].path}: {problems[0].message}"
            more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
            self._said = f"The contract changed and no longer accepts your input. {first}{more}"
        self._note()

    def _note(self) -> None:
        """Say which version runs where that is not plain, and what the contract makes of an input it did not see."""
        lines: list[str] = []
        shown = self._shown
        if shown is not None and shown.tool is None:
            lines.append(shown.fault or "It is not saved yet, so it cannot be called; ctrl+r offers to save it first.")
        elif self._unsaved and shown is not None:
            lines.append(f"Runs the saved version, not your unsaved edits: {shown.cid}. ctrl+r asks.")
        if self._said:
            lines.append(self._said)
        self.query_one("#note", Literal).show(literal("\n".join(lines), "$text-warning"))
        self.set_class(bool(lines), "-note")

    def _show_state(self) -> None:
        """Show what the present tool's call is at, or what came of its last one."""
        assert self._shown is not None
        assert self._clock is not None
        running = self.runs.running(self._shown.key)
        self.bar.show_running(running is not None)
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

    def _has_ended(self, name: str) -> None:
        """There is another outcome of a tool's call."""
        outcome = self.runs.outcome(name)
        assert outcome is not None
        if not self._is_shown(name):
            workbench(self).say(f"{name}: {''.join(text for text, _ in outcome.status)}")
        elif name not in self.runs:
            self._show_state()
            if outcome.problems:
                self.given.mark(outcome.problems)
                if self.came.has_focus_within:
                    self.focus_content()

    # Keys -------------------------------------------------------------------------------------------------------

    def action_call_face(self) -> None:
        """Between the form and the JSON."""
        self.given.switch()

    def action_call_preview(self) -> None:
        """Show or hide what the form will send."""
        self.given.toggle_preview()

    def action_call_history(self) -> None:
        """To the calls before, or back to the result."""
        self.came.toggle_history()
        self.add_class("-came")

    @on(MachineBar.Done)
    def _directory_typed(self, event: MachineBar.Done) -> None:
        event.stop()
        self.focus_content()

    def action_call_limit(self) -> None:
        """To the seconds, or of the toolbox to the folder."""
        if self._shown is not None and self._shown.on_machine:
            self.machine.focus_directory()
        else:
            self.bar.focus_limit()

    @on(InputArea.Faced)
    def _faced(self, event: InputArea.Faced) -> None:
        event.stop()
        self.bar.say(self.given.faces)

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
        name = self._shown.key if self._shown is not None else ""
        preparing = self._preparing.pop(name, None)
        if preparing is not None:
            preparing.cancel()
            self.runs.put(name, not_begun())
            return True
        stopped = self.runs.cancel(name)
        self._ticked()
        return stopped

    def _busy(self, name: str) -> bool:
        if name in self.runs:
            workbench(self).say(f"{name} still runs; esc stops it.")
        return name in self.runs or name in self._preparing

    def _ask_which(self, shown: Shown) -> None:
        stored = (Answer("r", "run the stored version", "stored"),) if shown.tool is not None else ()
        words = f"The edits of {shown.name} are not saved."
        if shown.tool is not None:
            words += f" Run now, it would be the stored version {shown.cid}."

        def answered(answer: str | None) -> None:
            if answer == "save":
                self.post_message(self.SaveFirst(shown.name, lambda: self._run_saved(shown.name)))
            elif answer == "stored":
                self._run(shown)

        answers = (Answer("s", "save and run", "save"), *stored)
        self.app.push_screen(Question("Which version?", words, answers), answered)

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
        self._preparing[shown.key] = self.run_worker(
            self._prepare(shown), name="read the input", group="prepare", exit_on_error=False
        )

    async def _prepare(self, shown: Shown) -> None:
        """Read what is given; run it, or say in place why not."""
        try:
            seconds = self.bar.seconds()
            value = await self.given.read()
            folder = await self._folder_to_act_in(shown)
        except HarnessError as error:
            self.runs.put(shown.key, refused_here(error.message))
        except Refused as refused:
            self.runs.put(shown.key, refused_here(refused.what, refused.problems))
        else:
            self._start(shown, value, seconds, folder)
        finally:
            if self._preparing.get(shown.key) is get_current_worker():
                del self._preparing[shown.key]

    async def _folder_to_act_in(self, shown: Shown) -> Path | None:
        """The folder of the machine that stands there, if the tool acts on it. Raises HarnessError in place of one."""
        if not shown.on_machine:
            return None
        folder = Path(self.machine.directory())
        try:
            await asyncio.to_thread(check_folder, folder)
        except HarnessError:
            self.machine.focus_directory()
            raise
        return folder

    def _start(self, shown: Shown, value: object, seconds: int | None, folder: Path | None = None) -> None:
        """Begin a call. Nothing more is typed then: the next keys are for what comes."""
        if folder is not None:
            self.runs.start_on_machine(shown, value, folder)
        else:
            self.runs.start(shown, value, seconds, self._setting)
        if not self._is_shown(shown.key):
            return
        self._said = ""
        self._note()
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
            call, result = await asyncio.to_thread(rows.read)
        except HarnessError as error:
            workbench(self).say_error(error.message)
            return
        given, seconds = given_to(call, shown.name)
        if not self._is_shown(shown.key):
            return
        if call.cwd is not None and what != "show":
            # Where it acted belongs to what was done.
            self.machine.put(at_home(call.cwd))
        if what == "use":
            self.given.put(given)
            self.focus_content()
        elif what == "again":
            await self._again(shown, given, seconds)
        elif result is None:
            workbench(self).say(
                "That call has no result yet." if past.outcome == "running" else "It never had a result."
            )
        else:
            make = partial(machine_outcome_of_past, shown.name) if shown.on_machine else outcome_of_past
            self.came.show_past(await asyncio.to_thread(make, past, given, result))

    async def _again(self, shown: Shown, given: object, seconds: int | None) -> None:
        """Run what was run before, where it acted then."""
        try:
            folder = await self._folder_to_act_in(shown)
        except HarnessError as error:
            self.runs.put(shown.key, refused_here(error.message))
        else:
            if self._is_shown(shown.key) and not self._busy(shown.key):
                self._start(shown, given, seconds, folder)

"""What stands beside the log and is derived of its thread: threads, provider's tools, plan, marks, running calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from workbench.app.seams import workbench
from workbench.app.transcript.host_given import host_given, host_summary, missing_words
from workbench.app.transcript.marks import given_tools, marks_of, summary
from workbench.app.transcript.plan_panel import PlanPanel, plan_line
from workbench.app.transcript.provider_panel import ProviderPanel
from workbench.app.transcript.row_lines import OpenCall
from workbench.app.transcript.threads_panel import ThreadsPanel
from workbench.app.widgets.literal import Literal, OneLine, title
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Surface, ToolCall
from workbench.harness.log.plan import Plan, plan_of
from workbench.harness.watch import Progressed

if TYPE_CHECKING:
    from workbench.app.transcript.tab import TranscriptTab


class Beside:
    """Looks it up and shows it. What cannot be read now is said in place, and tried again by the second."""

    def __init__(self, tab: TranscriptTab) -> None:
        self._tab = tab
        self._progress: dict[str, Progressed] = {}
        self._plan: tuple[tuple[object, ...], Plan | None] | None = None
        self.stale = True
        """Whether something happened that is not shown yet."""

    def open(self) -> None:
        """Another thread is looked at."""
        self._progress.clear()
        self._plan = None

    def progressed(self, notes: tuple[Progressed, ...]) -> None:
        """Calls that run said how far they are."""
        for note in notes:
            self._progress[note.call] = note

    def guarded(self, look: Callable[[], object]) -> None:
        """Look something up; where that fails now, say so in place."""
        try:
            look()
        except HarnessError as error:
            self.say_fault(error.message)

    def say_fault(self, why: str) -> None:
        """Say what cannot be read."""
        tab = self._tab
        self.stale = True
        tab.add_class("-faulty")
        tab.query_one("#given-line", Literal).show(f"✗ {why}")
        tab.clock.resume()

    def show(self) -> None:
        """Everything. Raises HarnessError where it cannot be read."""
        tab = self._tab
        tab.asking.look()
        threads = workbench(tab).harness.threads()
        tab.query_one(ThreadsPanel).show(threads, tab.reading.rows.thread, self._surface, tab.asking.threads)
        self.stale = False
        self.show_given()
        tab.turn.show()
        self.show_running()
        self.show_place()

    def _surface(self, thread: str) -> Surface:
        """The surface of a thread; of one that cannot be read, which is said where it is looked at, the usual one."""
        try:
            return workbench(self._tab).harness.surface(thread)
        except HarnessError:
            return "verbs"

    def show_place(self) -> None:
        """Which thread the log is of, and whether it goes on by itself."""
        rows = self._tab.reading.rows
        count = f"{rows.last:,} event" + ("" if rows.last == 1 else "s")
        place = f"{rows.thread} · {count}" if rows.last else f"{rows.thread} · new"
        held = "" if self._tab.log_view.following or not rows.last else " · stands still, G follows"
        title(self._tab.query_one("#middle"), f"{place}{held}")

    def show_given(self) -> None:
        """The provider's tools and the plan, as of the event that is looked at."""
        tab = self._tab
        rows, at, bench = tab.reading.rows, tab.at, workbench(tab)
        try:
            view = bench.view
            if view.thread_fault is not None:
                self.say_fault(view.thread_fault)
                return
            now, states = view.promotion, view.tools
            then = now if at is None else bench.harness.promoted(rows.thread, at=at)
            host = host_given(view.toolbox, view.settings.settings.approvals) if view.surface == "toolbox" else None
            plan = self._planned()
        except HarnessError as error:
            self.say_fault(error.message)
            return
        tab.remove_class("-faulty")
        tab.log_view.mark(marks_of(now))
        missing = view.toolbox.missing if view.surface == "toolbox" else None
        tab.composer.acts_on(view.surface, missing_words(missing) if missing is not None else "")
        moment = "" if at is None else f"as of event {at}, "
        if host is None:
            tab.query_one(ProviderPanel).show(given_tools(then, rows, states, at), at)
        else:
            tab.query_one(ProviderPanel).show_host(host, at)
        said = summary(then) if host is None else host_summary(host)
        tab.query_one("#given-line", Literal).show(f"{moment}{said}", layout=False)
        tab.set_class(plan is not None, "-planned")
        self.show_plan()

    def show_plan(self) -> None:
        """The plan that was looked up last. A step that was running when its turn ended is no more so."""
        tab = self._tab
        plan = self._plan[1] if self._plan is not None else None
        if plan is not None:
            stopped = tab.at is None and not tab.turn.lives and self._turn_is_over()
            tab.query_one(PlanPanel).show(plan, stopped=stopped)
            tab.query_one("#plan-line", OneLine).show(plan_line(plan, stopped=stopped))

    def _turn_is_over(self) -> bool:
        """Whether the turn that stated the plan is over; whoever plays the agent behind its end goes on with it."""
        rows = self._tab.reading.rows
        stated = next(iter(rows.plan_calls(None)), None)
        return rows.run is not None and (rows.run.what == "began" or stated is None or stated[0] < rows.run.seq)

    def _planned(self) -> Plan | None:
        """The plan at the moment that is looked at, out of the one act that stated it."""
        tab = self._tab
        rows, at, harness = tab.reading.rows, tab.at, workbench(tab).harness
        stated = next(iter(rows.plan_calls(at)), None)
        key = (rows.thread, stated, rows.unread == 0)
        if self._plan is None or self._plan[0] != key:
            first = rows.row(1)
            if stated is not None:
                call, result = stated
                events = harness.events(rows.thread, call - 1, call) + harness.events(rows.thread, result - 1, result)
                plan = plan_of(events)
            elif first is not None and first.what == FORKED:
                # It may have been made in the thread that this one went on from.
                plan = harness.plan(rows.thread, 1)
            else:
                plan = None
            self._plan = (key, plan)
        return self._plan[1]

    def tick(self) -> None:
        """A second passed. Raises HarnessError where something cannot be read."""
        if self._tab.turn.elsewhere:
            # A process that was killed says nothing.
            self._tab.turn.show()
        if self._tab.asking.waits:
            # Nor does one whose call asks.
            self._tab.asking.look()
        self.show_running()

    def show_running(self) -> None:
        """What the calls without a result are doing; by the second while one of them runs, or a turn does."""
        tab = self._tab
        open_calls = set(tab.reading.rows.open_calls())
        running: dict[str, OpenCall] = {}
        self._progress = {call: note for call, note in self._progress.items() if call in open_calls}
        if open_calls:
            for each in workbench(tab).harness.running():
                if each.call.id in open_calls:
                    running[each.call.id] = OpenCall(
                        each.interrupted,
                        self._progress.get(each.call.id),
                        each.does,
                        each.since,
                        self._stops(each.call),
                    )
        tab.log_view.run(running)
        tab.log_view.tick()
        runs = any(not call.interrupted for call in running.values())
        if tab.has_class("-faulty") or runs or tab.turn.lives or tab.asking.waits:
            tab.clock.resume()
        else:
            tab.clock.pause()

    def _stops(self, call: ToolCall) -> str:
        """The key that stops a call, and how that is said; nothing for what this app cannot stop, or not with a key."""
        bench = workbench(self._tab)
        mine = bench.act_messages
        if call.message in mine:
            return "ctrl+x stops it" if mine[call.message] else ""
        turn = self._tab.turn.live is not None and call.actor == "agent" and call.process == bench.harness.process
        return "esc aborts its turn" if turn else ""


FORKED = "went on from"
"""What the row of a fork says."""

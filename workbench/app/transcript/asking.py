"""Calls that wait for the owner's yes: which of them is asked about now, and the owner's answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.timer import Timer

from workbench.app.seams import workbench
from workbench.app.transcript.ask_strip import AskStrip
from workbench.app.transcript.ask_words import Question, behind_words, question_of
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Approval, Event, ToolCall
from workbench.harness.machine import AskedCall

if TYPE_CHECKING:
    from workbench.app.transcript.tab import TranscriptTab

FIRST_MOMENT_SECS = 0.8
"""So long a question is on the screen before a key answers it: one that was meant for something else does not."""

TOO_SOON = "too soon: press it again"
"""Said of such a key, where there is room for a few words."""

SAID_SECS = 4.0
"""How long that stands."""


class Asking:
    """What the tab has to do with questions. They are answered one after another, those of the shown thread first."""

    def __init__(self, tab: TranscriptTab) -> None:
        self._tab = tab
        self._asked: tuple[AskedCall, ...] = ()
        self._calls: Mapping[str, ToolCall] = {}
        self._waiting: tuple[ToolCall, ...] = ()
        self._rules: Mapping[str, Any] = {}
        self._answered: set[str] = set()
        self._shown: tuple[str, str] | None = None
        self._since = 0.0
        self._unseen = False
        self._said: Timer | None = None
        self._made: tuple[object, Question] | None = None
        self.clock: Callable[[], float] = time.monotonic
        """Tells how long a question is on the screen."""

    @property
    def question(self) -> Question | None:
        """What is asked now; nothing where nothing waits."""
        thread = self._tab.reading.rows.thread
        waiting = [call for call in self._asked if call.id not in self._answered]
        own = [call for call in waiting if call.thread == thread]
        if not waiting:
            return None
        first, others = (own or waiting)[0], _others(waiting, thread)
        behind = self._behind(first.id)
        key = (first, bool(own), len(own), others, behind)
        if self._made is None or self._made[0] != key:
            sent = self._calls.get(first.id)
            question = question_of(first, sent, here=bool(own), own=len(own), others=others, behind=behind)
            self._made = (key, question)
        return self._made[1]

    @property
    def waits(self) -> bool:
        """Whether something waits, in whatever thread."""
        return bool(self._asked)

    @property
    def can_answer(self) -> bool:
        """Whether a key answers something now: a call of the shown thread waits."""
        question = self.question
        return question is not None and question.here

    @property
    def threads(self) -> frozenset[str]:
        """The threads in which something waits."""
        return frozenset(call.thread for call in self._asked)

    def look(self) -> None:
        """Look up what waits, and show it. Raises HarnessError where that cannot be read."""
        harness = workbench(self._tab).harness
        on_machine = [each for each in harness.running() if each.call.cwd is not None]
        self._asked = tuple(harness.asked()) if on_machine else ()
        self._calls = {each.call.id: each.call for each in on_machine}
        self._waiting = tuple(each.call for each in on_machine if each.does == "waits" and not each.interrupted)
        self._rules = workbench(self._tab).view.settings.settings.approvals if self._waiting else {}
        self._answered &= {call.id for call in self._asked}
        self.show()

    def _behind(self, id: str) -> str:
        """What is said of the calls that wait behind one that asks."""
        asks = self._calls.get(id)
        waiting = [call for call in self._waiting if asks is not None and call.message == asks.message]
        return behind_words([call.name for call in waiting], self._rules)

    def show(self) -> None:
        """Show what is asked now."""
        question = self.question
        shown = (question.id, self._tab.reading.rows.thread) if question is not None else None
        if shown != self._shown:
            self._shown = shown
            self.seen()
            # It came behind a dialog.
            self._unseen = not self._is_seen
            self._tab.refresh_bindings()
        strip = self._tab.query_one(AskStrip)
        strip.show(question)
        # What asks is to be read: on a low screen other things give way to it while it is opened.
        self._tab.set_class(strip.is_opened, "-asked")

    def seen(self) -> None:
        """Somebody sees the question from now on."""
        self._since, self._unseen = self.clock(), False
        self._tab.query_one(AskStrip).say("")

    @property
    def _is_seen(self) -> bool:
        return self._tab.is_on_screen and self._tab.app.screen is self._tab.screen

    def told(self, events: Sequence[Event]) -> None:
        """Something happened: a question that nobody sees is told in passing."""
        for event in events:
            if not (isinstance(event, Approval) and event.approved is None and isinstance(event.value, dict)):
                continue
            here = event.thread == self._tab.reading.rows.thread
            if not (here and self._is_seen):
                where = "" if self._is_seen else "esc, then " if self._tab.is_on_screen else "3, then "
                how = f"{where}f6 or f7 answers it" if here else f"{where}f9 goes there"
                workbench(self._tab).say(f"thread {event.thread}: {event.value.get('tool')} asks for your yes. {how}.")

    def answer(self, yes: bool) -> None:
        """Say yes or no to what is asked, unless it has only just appeared."""
        question = self.question
        if question is None or not question.here:
            return
        if self._unseen:
            self.seen()
        if self.clock() - self._since < FIRST_MOMENT_SECS:
            strip = self._tab.query_one(AskStrip)
            strip.say(TOO_SOON)
            if self._said is not None:
                self._said.stop()
            self._said = self._tab.set_timer(SAID_SECS, lambda: strip.say(""), name="a word on a key goes")
            return
        self._answered.add(question.id)
        self.show()
        self._tab.run_worker(
            self._answer(question.id, yes), name="answer a question", group="transcript-asked", exit_on_error=False
        )

    async def _answer(self, id: str, yes: bool) -> None:
        try:
            await workbench(self._tab).harness.approve(id, yes)
        except HarnessError as error:
            self._answered.discard(id)
            workbench(self._tab).say_error(error.message)
            self._tab.guarded(self.look)

    def go_there(self) -> None:
        """Show the call that asks, whole, in its thread."""
        question = self.question
        if question is None:
            return
        tab = self._tab
        if not question.here:
            workbench(tab).set_thread(question.thread)
        tab.to_now()
        tab.log_view.move_to(question.seq - 1)
        tab.opened.open(question.seq)
        # It is there to be read to its end.
        tab.opened.pane.view.focus()
        tab.refresh_bindings()


def _others(waiting: Sequence[AskedCall], thread: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(call.thread for call in waiting if call.thread != thread))

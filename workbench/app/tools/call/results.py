"""What came of a call: its state in a line, and below it the live output, the result, a text of it, or the past."""

from __future__ import annotations

import asyncio

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher

from workbench.app.seams import Change
from workbench.app.tools.call.history import HistoryView
from workbench.app.tools.call.outcome import Outcome
from workbench.app.tools.call.outcome_view import OutcomeView
from workbench.app.tools.shown import Shown
from workbench.app.widgets.json_outline import JsonTwig
from workbench.app.widgets.literal import OneLine, parts
from workbench.app.widgets.outline.view import Outline
from workbench.app.widgets.text_view import TextView, lines_of_text
from workbench.harness.text import printable

TAIL_LINES = 200
"""How much of a running call's output is shown."""

NOTHING = Outcome((("not run yet", "$text-muted"),))
"""What is shown of a tool that was not called."""


class LiveView(TextView):
    """The output of a running call; its end stays in view."""

    def nothing(self) -> tuple[str, ...]:
        """What is shown until something is printed."""
        return ("It runs. What it prints appears here.",)


class ResultArea(Vertical):
    """One of four at a time: `result`, `live`, `text`, `history`."""

    DEFAULT_CSS = """
    ResultArea > #status { background: $panel; }
    ResultArea > ContentSwitcher { height: 1fr; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.outcome = NOTHING
        """What is shown of the last call, or of one out of the history."""
        self._live = False
        self._tail = ""
        self._status = Content("")
        self._opened: tuple[str, str] | None = None
        self._shown: Shown | None = None

    def compose(self) -> ComposeResult:
        """The line, and what stands below it."""
        yield OneLine(id="status")
        with ContentSwitcher(initial="output"):
            yield OutcomeView(
                id="output",
                empty=(
                    "Nothing ran yet. ctrl+r runs it as you; the output, logs and changed files stand here then.",
                    "f5 shows the calls before, those of agents too.",
                ),
            )
            yield LiveView(id="live")
            yield TextView(id="whole-text")
            yield HistoryView(id="history")

    @property
    def _switcher(self) -> ContentSwitcher:
        return self.query_one(ContentSwitcher)

    @property
    def face(self) -> str:
        """Which of the four is seen."""
        return self._switcher.current or ""

    # From the pane ----------------------------------------------------------------------------------------------

    def about(self, shown: Shown, other_tool: bool) -> None:
        """Be about a tool."""
        self._shown = shown
        if other_tool:
            self._go("output")
        self.query_one(HistoryView).about(shown, self.face == "history")

    def run(self, tail: str) -> None:
        """A call runs: show its output from now on."""
        self._live = True
        self._go("live")
        self.query_one(LiveView).show(())
        self.live(tail)

    def live(self, tail: str) -> None:
        """Show the end of a running call's output."""
        self._tail = tail
        view = self.query_one(LiveView)
        view.show(tuple(lines_of_text("\n".join(tail.splitlines()[-TAIL_LINES:]))))
        view.follow()

    def say(self, status: Content) -> None:
        """Say how far it is."""
        self._status = status
        self._say()

    def show(self, outcome: Outcome | None) -> None:
        """Show what came of the last call, or that there was none."""
        self._live = False
        self._put(outcome or NOTHING)
        if self.face != "history" or outcome is not None:
            self._go("output")

    def show_past(self, outcome: Outcome) -> None:
        """Show what came of a call out of the history."""
        self._put(outcome)
        self._go("output")
        self.query_one("#output").focus()

    def focus_content(self) -> None:
        """Take the keys."""
        self.query_one(f"#{self.face}").focus()

    def copied(self) -> str:
        """The opened text, the output so far, else the whole result."""
        if self.face == "live":
            return self._tail
        return self._opened[1] if self.face == "whole-text" and self._opened else self.outcome.text

    @property
    def opened(self) -> bool:
        """Whether a text or the history is seen in place of the result."""
        return self.face in ("whole-text", "history")

    def back(self) -> bool:
        """From a text to the result, from the history to what was seen before it."""
        if not self.opened:
            return False
        had_focus = self.query_one(f"#{self.face}").has_focus
        self._go("live" if self._live and self.face == "history" else "output")
        if had_focus:
            self.query_one(f"#{self.face}").focus()
        return True

    def toggle_history(self) -> None:
        """To the history, or back."""
        if self.face == "history":
            self.back()
            return
        self._go("history")
        history = self.query_one(HistoryView)
        history.focus()
        if self._shown is not None:
            history.about(self._shown, True)

    def space_changed(self, change: Change) -> None:
        """The log may have other calls of this tool now."""
        self.query_one(HistoryView).space_changed(change)

    # Inside -----------------------------------------------------------------------------------------------------

    def _put(self, outcome: Outcome) -> None:
        if outcome is self.outcome:
            self._status = parts(*outcome.status)
            return
        self.outcome = outcome
        self._status = parts(*outcome.status)
        self.query_one("#output", Outline).show(outcome.twigs, open=outcome.unfolded, anew=True)

    def _go(self, face: str) -> None:
        before = self.face
        focused = bool(before) and self.query_one(f"#{before}").has_focus
        self._switcher.current = face
        if focused and before != face:
            self.query_one(f"#{face}").focus()
        if self._shown is not None and before == "history" != face:
            self.query_one(HistoryView).about(self._shown, False)
        self._say()

    def _say(self) -> None:
        line = self.query_one("#status", OneLine)
        if self.face == "history":
            line.show(self.query_one(HistoryView).words())
        elif self.face == "whole-text" and self._opened is not None:
            place, text = self._opened
            line.show(
                parts((printable(place), "bold"), (f" · {len(text):,} characters · y copies · esc back", "$text-muted"))
            )
        else:
            line.show(self._status)

    @on(HistoryView.Counted)
    def _counted(self, event: HistoryView.Counted) -> None:
        event.stop()
        self._say()

    @on(Outline.Chosen, "#output")
    def _chosen(self, event: Outline.Chosen) -> None:
        """See a text whole."""
        event.stop()
        twig = event.twig
        if isinstance(twig, JsonTwig):
            if not isinstance(twig.value, str):
                return
            place, text = twig.key.split("\n", 1)[0], twig.value
        else:
            place, text = "all of it", self.outcome.text
        self._opened = (place, text)
        self.query_one("#whole-text", TextView).show(())
        self._go("whole-text")
        self.query_one("#whole-text").focus()
        self.run_worker(self._read(text), name="lay a text out", group="text", exclusive=True, exit_on_error=False)

    async def _read(self, text: str) -> None:
        lines = await asyncio.to_thread(lines_of_text, text)
        self.query_one("#whole-text", TextView).show(tuple(lines))

"""Calling a tool as the owner: an input, a run that can be watched and stopped, the result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Button

from workbench.app.seams import Change, workbench
from workbench.app.tools.call.skeleton import skeleton
from workbench.app.tools.shown import Shown
from workbench.app.widgets.code import CodeArea
from workbench.app.widgets.literal import Literal, OneLine, literal, parts
from workbench.app.widgets.text_view import TextLine, TextView, lines_of_text
from workbench.harness.door import Done
from workbench.harness.errors import HarnessError
from workbench.harness.identity import new_id
from workbench.harness.log.events import ToolCall
from workbench.harness.strict_json import parse, pretty

TAIL_LINES = 200
"""How much of a running call's output is shown."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: how it ended, what it changed, and its text, whole and as lines to look at."""

    status: Content
    about: str = ""
    text: str = ""
    lines: tuple[TextLine, ...] = ()


class CallPane(Vertical):
    """The input above, what came of it below. Inputs are kept for each tool as long as the app runs."""

    DEFAULT_CSS = """
    CallPane > #input { height: 2fr; min-height: 3; }
    CallPane > #bar { height: 1; background: $panel; }
    CallPane #bar Button { min-width: 6; margin: 0 1 0 0; }
    CallPane #cancel { display: none; }
    CallPane.-running #cancel { display: block; }
    CallPane.-running #run { display: none; }
    CallPane > #about { height: auto; max-height: 6; padding: 0 1; display: none; }
    CallPane.-about > #about { display: block; }
    CallPane > #output { height: 3fr; min-height: 3; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.ticket: str | None = None
        self.text = ""
        self._shown: Shown | None = None
        self._inputs: dict[str, str] = {}
        self._results: dict[str, Outcome] = {}
        self._running_tool = ""
        self._message = ""
        self._call: str | None = None
        self._started = 0.0
        self._clock: Timer | None = None
        self._tail = ""

    def compose(self) -> ComposeResult:
        """Input, the bar with its buttons, the outcome."""
        yield OneLine(classes="pane-head")
        yield CodeArea(id="input", code="json")
        with Horizontal(id="bar"):
            yield Button(literal("▶ Run ctrl+r"), id="run", compact=True, variant="primary")
            yield Button(literal("■ Cancel esc"), id="cancel", compact=True, variant="error")
            yield OneLine(id="status")
        yield Literal(id="about")
        yield TextView(id="output")

    def show(self, shown: Shown) -> None:
        """Be about another tool; the input that was typed for it before comes back."""
        before = self._shown
        self._shown = shown
        if before is not None and before.name == shown.name and before.cid == shown.cid:
            return
        if before is not None:
            self._inputs[before.name] = self.query_one("#input", CodeArea).text
        schema = shown.tool.document.input if shown.tool else {}
        text = self._inputs.get(shown.name) or pretty(skeleton(schema))
        if before is None or before.name != shown.name:
            self.query_one("#input", CodeArea).put(text, "json")
        self._head()
        if self._running_tool != shown.name:
            self._outcome(self._results.get(shown.name, Outcome(literal(""))))

    def focus_content(self) -> None:
        """Go to the input."""
        self.query_one("#input").focus()

    def note_unsaved(self, unsaved: bool) -> None:
        """Say which version will run while there are unsaved edits."""
        self._head(unsaved)

    def _head(self, unsaved: bool = False) -> None:
        shown = self._shown
        if shown is None:
            return
        if shown.tool is None:
            words = literal("Not saved, so it cannot be called: save it first (ctrl+s in its editor).", "$text-warning")
        elif unsaved:
            words = parts(("runs the saved version, not your unsaved edits", "$text-warning"), f" · {shown.cid}")
        else:
            words = parts(("input", "bold"), " as JSON · runs as you, logged in the thread workshop")
        self.query_one(".pane-head", OneLine).show(words)

    @on(Button.Pressed, "#run")
    def _pressed_run(self, event: Button.Pressed) -> None:
        event.stop()
        self.run()

    @on(Button.Pressed, "#cancel")
    def _pressed_cancel(self, event: Button.Pressed) -> None:
        event.stop()
        self.cancel()

    @property
    def running(self) -> bool:
        """Whether a call of this pane runs."""
        return self.ticket is not None

    def run(self) -> None:
        """Call the tool with the input that stands above."""
        shown = self._shown
        if self.running:
            workbench(self).say(f"{self._running_tool} still runs; esc stops it.")
            return
        if shown is None:
            return
        try:
            value = parse(self.query_one("#input", CodeArea).text.strip() or "{}", what="the input")
        except HarnessError as error:
            self._failed(error, shown.name)
            return
        verb = shown.row.group == "verbs"
        act: tuple[str, Any] = (shown.name, value) if verb else ("call", {"tool": shown.name, "input": value})
        self._running_tool, self._message, self._call, self._tail = shown.name, new_id("message"), None, ""
        self._started = time.monotonic()
        self.set_class(True, "-running")
        self.remove_class("-about")
        self.text = ""
        self._output(())
        self._clock = self.set_interval(0.25, self._ticked, name="clock of a call")
        name = shown.name
        self.ticket = workbench(self).act(
            *act, message=self._message, then=lambda done, error: self._ended(name, done, error)
        )
        self._ticked()

    def back(self) -> bool:
        """Stop a running call."""
        return self.cancel()

    def copied(self) -> tuple[str, str] | None:
        """The result."""
        return (self.text, f"the result of {self._shown.name}") if self._shown and self.text else None

    def cancel(self) -> bool:
        """Stop the call of this pane; whether there was one."""
        if self.ticket is None:
            return False
        self.query_one("#status", OneLine).show(literal("stopping …", "$text-warning"), layout=False)
        return workbench(self).cancel_act(self.ticket)

    def space_changed(self, change: Change) -> None:
        """Follow the progress of this pane's call."""
        if not self.running:
            return
        for event in change.events:
            if isinstance(event, ToolCall) and event.message == self._message:
                self._call = event.id
        for note in change.progress:
            if note.call == self._call:
                self._tail = note.tail
                self._ticked(note.stage)
                self._output(tuple(lines_of_text("\n".join(note.tail.splitlines()[-TAIL_LINES:]))))
                self.query_one("#output", TextView).follow()

    def _ticked(self, stage: str = "") -> None:
        elapsed = time.monotonic() - self._started
        words = parts(
            (f"▶ {self._running_tool}", "bold $text-success"), f" {elapsed:.0f} s", (f"  {stage}", "$text-muted")
        )
        self.query_one("#status", OneLine).show(words, layout=False)

    def _ended(self, name: str, done: Done | None, error: HarnessError | None) -> None:
        self.ticket = None
        self._running_tool = ""
        if self._clock is not None:
            self._clock.stop()
        self.remove_class("-running")
        if error is not None:
            self._failed(error, name)
        elif done is not None:
            self._succeeded(done, name)

    def _failed(self, error: HarnessError, name: str) -> None:
        where = f" · event {error.seq} of {error.thread}" if error.seq else " · nothing was logged"
        status = parts((f"✗ {error.code}", "bold $text-error"), (where, "$text-muted"))
        text = error.message + (
            f"\n\nIts last output:\n{self._tail}" if self._tail and error.code == "cancelled" else ""
        )
        self._keep(name, status, "", lambda: text)

    def _succeeded(self, done: Done, name: str) -> None:
        result = done.result
        about: list[str] = []
        shown: Any = result
        took = ""
        if isinstance(result, dict) and result.get("status") == "ok" and "output" in result:
            shown = result["output"]
            took = f" · {result['duration_ms']} ms" if "duration_ms" in result else ""
            about += [f"{file.get('change')} {file.get('path')}" for file in result.get("changed_files", [])]
            if result.get("unknown_keys"):
                paths = ", ".join(str(key.get("path")) for key in result["unknown_keys"])
                about.append(f"keys that the schema does not name: {paths}")
        status = parts(("✓ ok", "bold $text-success"), (f"{took} · event {done.seq} of {done.thread}", "$text-muted"))
        logs = f"\n\n── logs ──\n{result['logs']}" if isinstance(result, dict) and result.get("logs") else ""
        self._keep(name, status, "\n".join(about), lambda: pretty(shown) + logs)

    def _keep(self, name: str, status: Content, about: str, make: Callable[[], str]) -> None:
        if self._shown is not None and self._shown.name == name:
            self.query_one("#status", OneLine).show(status, layout=False)
        self.run_worker(
            self._lay_out(name, status, about, make),
            name="lay a result out",
            group=f"result of {name}",
            exclusive=True,
            exit_on_error=False,
        )

    async def _lay_out(self, name: str, status: Content, about: str, make: Callable[[], str]) -> None:
        # A result may be a megabyte, and laying that out takes longer than a key may wait.
        text, lines = await asyncio.to_thread(_laid_out, make)
        outcome = self._results[name] = Outcome(status, about, text, lines)
        if self._shown is not None and self._shown.name == name and self._running_tool != name:
            self._outcome(outcome)

    def _outcome(self, outcome: Outcome) -> None:
        self.text = outcome.text
        self.query_one("#status", OneLine).show(outcome.status, layout=False)
        self.query_one("#about", Literal).show(literal(outcome.about, "$text-muted"))
        self.set_class(bool(outcome.about), "-about")
        self._output(outcome.lines)

    def _output(self, lines: tuple[TextLine, ...]) -> None:
        view = self.query_one("#output", TextView)
        view.following = False
        view.show(lines)


def _laid_out(make: Callable[[], str]) -> tuple[str, tuple[TextLine, ...]]:
    text = make()
    return text, tuple(lines_of_text(text))

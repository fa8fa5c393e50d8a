"""The line above the input of a tool of the toolbox: that it acts on the real machine, as whom, and in which folder."""

from __future__ import annotations

import asyncio

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input

from workbench.app.tools.directory import check_folder, folder_typed
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.harness.errors import HarnessError

ONE_LINE_FROM = 70
"""From how many columns on the words and the folder stand on one line."""

MACHINE = ("! REAL MACHINE", "bold $text-warning")


class MachineBar(Container):
    """What is typed in it stays for all tools of the toolbox as long as the app runs.

    Emptied, it is the default again. `fault` is what is wrong with the folder, in a few words; empty where nothing is.
    """

    DEFAULT_CSS = """
    MachineBar { height: 2; layout: vertical; background: $panel; display: none; }
    MachineBar.-machine { display: block; }
    MachineBar.-machine.-one-line { height: 1; layout: horizontal; }
    MachineBar > Literal { width: auto; height: 1; padding: 0 0 0 1; }
    MachineBar > Field { width: 1fr; background: $surface; }
    """

    class Done(Message):
        """The folder was typed."""

    class Judged(Message):
        """There is another `fault`, or none any more."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.fault = ""
        self._default = ""
        self._before = ""

    def compose(self) -> ComposeResult:
        """The words, and the folder."""
        yield Literal()
        # Nothing is selected there: whoever comes with tab and types does not replace the folder.
        yield Field(id="directory", select_on_focus=False)

    def on_mount(self) -> None:
        self._say()

    def on_resize(self) -> None:
        """On one line where there is room."""
        self.set_class(self.size.width >= ONE_LINE_FROM, "-one-line")

    @property
    def _field(self) -> Field:
        return self.query_one("#directory", Field)

    @property
    def text(self) -> str:
        """The folder as it stands there."""
        return self._field.value

    def about(self, on_machine: bool, default: str) -> None:
        """Be about a tool; `default` is the folder that stands there until somebody types another."""
        self.set_class(on_machine, "-machine")
        if self.text in ("", self._default):
            self._field.value = default
        self._default = default
        self._field.placeholder = default
        if on_machine:
            self._judge()

    def put(self, folder: str) -> None:
        """Take this folder."""
        self._field.value = folder

    def focus_directory(self) -> None:
        """Go to the folder."""
        self._field.focus()

    def directory(self) -> str:
        """The folder, as it may be looked for.

        Raises:
            HarnessError: `bad_input` with the rule; the field has the keys then.
        """
        try:
            return str(folder_typed(self.text.strip() or self._default))
        except HarnessError:
            self.focus_directory()
            raise

    def undo(self) -> None:
        """The folder as it was before somebody went there; the default where that one was wrong too."""
        self._field.value = self._before

    # Inside -----------------------------------------------------------------------------------------------------

    def _say(self) -> None:
        """The words before the folder: what is so, or what is wrong and how to mend it."""
        label = self.query_one(Literal)
        if self.fault:
            way = "esc takes it back " if self._field.has_focus else "ctrl+t mends it "
            label.show(parts(MACHINE, (f" ✗ {self.fault}", "bold $text-error"), (f" · {way}", "$text-muted")))
        else:
            label.show(parts(MACHINE, ": runs as you, now · folder ", literal("ctrl+t ", "$text-disabled")))

    def _judge(self) -> None:
        """See whether there is such a folder, without waiting for the disk."""
        self.run_worker(self._look, name="look for the folder", group="folder", exclusive=True, exit_on_error=False)

    async def _look(self) -> None:
        fault = ""
        try:
            folder = folder_typed(self.text.strip() or self._default)
            await asyncio.to_thread(check_folder, folder)
        except HarnessError as error:
            fault = "no such folder" if error.code == "not_found" else "not a whole path: /… or ~/…"
        if fault != self.fault:
            self.fault = fault
            self._say()
            self.post_message(self.Judged())

    @on(events.DescendantFocus)
    def _entered(self) -> None:
        self._before = self._default if self.fault else self.text
        self._say()

    @on(events.DescendantBlur)
    def _left(self) -> None:
        if not self.text.strip():
            self._field.value = self._default
        self._say()

    @on(Input.Submitted, "#directory")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Done())

    @on(Input.Changed, "#directory")
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._judge()

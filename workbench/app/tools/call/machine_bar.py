"""The line above the input of a tool of the toolbox: that it acts on the real machine, as whom, and in which folder."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input

from workbench.app.tools.directory import folder_typed
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.harness.errors import HarnessError

ONE_LINE_FROM = 70
"""From how many columns on the words and the folder stand on one line."""


class MachineBar(Container):
    """What is typed in it stays for all tools of the toolbox as long as the app runs."""

    DEFAULT_CSS = """
    MachineBar { height: 2; layout: vertical; background: $panel; display: none; }
    MachineBar.-machine { display: block; }
    MachineBar.-machine.-one-line { height: 1; layout: horizontal; }
    MachineBar > Literal { width: auto; height: 1; padding: 0 0 0 1; }
    MachineBar > Field { width: 1fr; background: $surface; }
    """

    class Done(Message):
        """The folder was typed."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._default = ""

    def compose(self) -> ComposeResult:
        """The words, and the folder."""
        warning = ("! REAL MACHINE", "bold $text-warning")
        yield Literal(parts(warning, ": runs as you, now · folder ", literal("ctrl+t ", "$text-disabled")))
        yield Field(id="directory")

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
            return str(folder_typed(self.text))
        except HarnessError:
            self.focus_directory()
            raise

    @on(Input.Submitted, "#directory")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Done())

    @on(Input.Changed, "#directory")
    def _changed(self, event: Input.Changed) -> None:
        event.stop()

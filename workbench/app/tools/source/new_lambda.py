"""Asking for the name and the runtime of a new lambda."""

from __future__ import annotations

from collections.abc import Collection

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.modal import Modal
from workbench.harness.names import lambda_name_fault

RUNTIMES = ("python", "typescript")


class NewLambda(Modal[tuple[str, str] | None]):
    """Answers name and runtime, or None for escape. The rule for names is said while one types."""

    DEFAULT_CSS = """
    NewLambda { align: center middle; background: $background 60%; }
    NewLambda > Vertical { width: 68; max-width: 94%; height: auto; padding: 1 2; background: $panel;
        border: round $primary; }
    NewLambda Literal { width: 1fr; height: auto; margin-bottom: 1; }
    NewLambda Field { margin-bottom: 1; background: $surface; }
    NewLambda #rule { height: 3; margin-bottom: 0; }
    """

    def __init__(self, taken: Collection[str]) -> None:
        super().__init__()
        self._taken = taken
        self._runtime = RUNTIMES[0]

    def compose(self) -> ComposeResult:
        """The name, what is wrong with it, the runtime."""
        with Vertical() as box:
            title(box, "A new lambda")
            yield Literal("A name: lower case letters, digits, _ and -, for example word_count.")
            yield Field(id="name", placeholder="word_count")
            yield Literal(id="runtime")
            yield Literal(id="rule")

    def on_mount(self) -> None:
        self._say()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        name = self.query_one(Field).value
        if self._fault(name) is None:
            self.leave((name, self._runtime))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.leave(None)
        elif event.key in ("tab", "shift+tab", "up", "down"):
            event.stop()
            event.prevent_default()
            self._runtime = RUNTIMES[1 - RUNTIMES.index(self._runtime)]
            self._say()

    def _fault(self, name: str) -> str | None:
        if name in self._taken:
            return f"There is a tool {name} already: select it and press e to edit it."
        return lambda_name_fault(name)

    def _say(self) -> None:
        name = self.query_one(Field).value
        marks = [
            (f"({'•' if each == self._runtime else ' '}) {each}  ", "bold" if each == self._runtime else "$text-muted")
            for each in RUNTIMES
        ]
        self.query_one("#runtime", Literal).show(parts(*marks, ("  tab changes", "$text-muted")))
        fault = self._fault(name) if name else None
        words = (
            literal(fault, "$text-warning")
            if fault
            else literal("enter opens it in the editor; nothing is saved before ctrl+s. esc goes back.", "$text-muted")
        )
        self.query_one("#rule", Literal).show(words)

"""Asking for the name of a new lambda and what it begins as."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from workbench.app.tools.source.drafts import Draft
from workbench.app.tools.source.templates import TEMPLATES
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.modal import Modal
from workbench.harness.names import lambda_name_fault


class NewLambda(Modal[Draft | None]):
    """Answers a draft, or None for escape. The rule for names is said while one types."""

    DEFAULT_CSS = """
    NewLambda { align: center middle; background: $background 60%; }
    NewLambda > Vertical { width: 84; max-width: 94%; height: auto; max-height: 96%; padding: 1 2; background: $panel;
        border: round $primary; }
    NewLambda Literal { width: 1fr; height: auto; margin-bottom: 1; }
    NewLambda Field { margin-bottom: 1; background: $surface; }
    NewLambda OptionList { height: auto; max-height: 8; border: none; padding: 0; background: $panel;
        margin-bottom: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    NewLambda #rule { height: 3; margin-bottom: 0; }
    """

    def __init__(self, taken: Collection[str], original: Draft | None = None) -> None:
        """With an `original` it is a copy of that one; otherwise it is made from a template."""
        super().__init__()
        self._taken = taken
        self._original = original

    def compose(self) -> ComposeResult:
        """The name, what to begin with, and what is wrong with the name."""
        with Vertical() as box:
            title(box, f"A copy of {self._original.name}" if self._original else "A new lambda")
            yield Literal("A name: lower case letters, digits, _ and -, for example word_count.")
            yield Field(id="name", placeholder="its name")
            if self._original is None:
                yield OptionList(
                    *(
                        Option(parts(f" {template.title:<26}", (template.shows, "$text-muted")), id=template.id)
                        for template in TEMPLATES
                    ),
                    id="templates",
                    markup=False,
                )
            yield Literal(id="rule")

    def on_mount(self) -> None:
        for templates in self.query("#templates").results(OptionList):
            # The keys stay with the name: up and down reach the list from there.
            templates.can_focus = False
            templates.highlighted = 0
        self.query_one(Field).focus()
        self._say()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._answer()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.leave(None)
        elif event.key in ("tab", "shift+tab", "up", "down"):
            event.stop()
            event.prevent_default()
            for templates in self.query("#templates").results(OptionList):
                if event.key in ("tab", "down"):
                    templates.action_cursor_down()
                else:
                    templates.action_cursor_up()

    def _answer(self) -> None:
        name = self.query_one(Field).value
        if not name:
            self.query_one("#rule", Literal).show(literal("It needs a name. Type one; esc goes back.", "$text-warning"))
        if not name or self._fault(name) is not None:
            return
        if self._original is not None:
            texts = self._original.texts
            self.leave(replace(self._original, name=name, base_cid=None, saved=texts))
            return
        at = self.query_one("#templates", OptionList).highlighted or 0
        self.leave(TEMPLATES[at].draft(name))

    def _fault(self, name: str) -> str | None:
        if name in self._taken:
            return f"There is a tool {name} already: select it and press e to edit it."
        return lambda_name_fault(name)

    def _say(self) -> None:
        name = self.query_one(Field).value
        fault = self._fault(name) if name else None
        choose = "" if self._original else "up and down choose what it begins as; "
        words = (
            literal(fault, "$text-warning")
            if fault
            else literal(
                f"{choose}enter opens it in the editor. Nothing is saved before ctrl+s; esc goes back.", "$text-muted"
            )
        )
        self.query_one("#rule", Literal).show(words)

"""The line that finds words in the log."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from workbench.app.actions import bindings
from workbench.app.transcript.actions import FINDER
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal


class FinderLine(Field):
    """Where the words are typed."""

    BINDINGS = bindings(*FINDER)

    def action_seek(self, step: int) -> None:
        """Go to another event that has the words."""
        self.post_message(Finder.Seek(self.value, step))

    def action_leave(self) -> None:
        """Done."""
        self.post_message(Finder.Left())


class Finder(Horizontal):
    """Hidden until somebody looks for something."""

    DEFAULT_CSS = """
    Finder { height: 1; display: none; }
    Finder.-open { display: block; }
    Finder > .label { width: auto; padding: 0 1; text-style: bold; }
    Finder > FinderLine { width: 1fr; }
    Finder > #found { width: auto; padding: 0 1; color: $text-muted; }
    """

    class Seek(Message):
        """Go to the next event with these words, newer (1) or older (-1)."""

        def __init__(self, words: str, step: int) -> None:
            super().__init__()
            self.words = words
            self.step = step

    class Left(Message):
        """Nothing is looked for any more."""

    def compose(self) -> ComposeResult:
        """A label, the words, and what was found."""
        yield Literal("find", classes="label")
        yield FinderLine(placeholder="words, all of them · enter: older · down: newer · esc: done")
        yield Literal(id="found")

    def open(self) -> None:
        """Begin to look."""
        self.add_class("-open")
        self.say("")
        self.query_one(FinderLine).focus()

    def close(self) -> None:
        """Stop looking."""
        self.remove_class("-open")

    def say(self, text: str) -> None:
        """Say what was found."""
        self.query_one("#found", Literal).show(text)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Seek(event.value, -1))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.say("")

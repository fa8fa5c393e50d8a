"""A question with a few answers, each with its key; nothing is decided by accident."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button

from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.modal import Modal


@dataclass(frozen=True, slots=True)
class Answer:
    """One way to answer: its key, its words, and the value it stands for."""

    key: str
    words: str
    value: str


class Question(Modal[str | None]):
    """Asks, and answers the value of the chosen answer, or None for escape."""

    DEFAULT_CSS = """
    Question { align: center middle; background: $background 60%; }
    Question > Vertical { width: 64; max-width: 92%; height: auto; max-height: 90%; padding: 1 2; background: $panel;
        border: round $accent; }
    Question .words { width: 1fr; height: auto; margin-bottom: 1; }
    Question Horizontal { height: auto; width: 1fr; }
    Question Button { margin-right: 1; min-width: 8; }
    """
    LEAVES = "esc goes back"
    """What escape does here."""

    def __init__(self, heading: str, words: str | Content, answers: tuple[Answer, ...]) -> None:
        super().__init__()
        self._heading = heading
        self._words = words
        self._answers = answers

    def compose(self) -> ComposeResult:
        """The words, what is shown with them, and a button for each answer."""
        with Vertical() as box:
            title(box, self._heading)
            yield Literal(self._words, classes="words")
            yield from self.exhibits()
            with Horizontal():
                for index, answer in enumerate(self._answers):
                    yield Button(
                        parts((answer.key, "bold underline"), " ", answer.words), id=f"answer-{index}", compact=True
                    )
            yield Literal(literal(self.LEAVES, "$text-muted"), id="question-says")

    def exhibits(self) -> ComposeResult:
        """What is to be looked at before one answers, below the words; nothing in a plain question."""
        yield from ()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.leave(None)
            return
        for answer in self._answers:
            if event.key == answer.key:
                event.stop()
                self.leave(answer.value)
                return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.leave(self._answers[int((event.button.id or "answer-0").removeprefix("answer-"))].value)

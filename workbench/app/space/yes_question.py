"""The question for the owner's yes: no key that was meant for something else gives it."""

from __future__ import annotations

import time

from textual import events
from textual.widgets import Button

from workbench.app.widgets.literal import Literal
from workbench.app.widgets.question import Question
from workbench.harness.text import printable

FIRST_MOMENT_SECS = 0.8
"""So long it is on the screen before it takes an answer."""


class YesQuestion(Question):
    """Takes no answer in its first moment, and says of a key that is no answer that it is none.

    No button has the keys at first: enter, which opened it, would be a yes.
    """

    AUTO_FOCUS = ""

    def on_mount(self) -> None:
        self._since = self.clock()

    def clock(self) -> float:
        """Tells how long it is on the screen."""
        return time.monotonic()

    @property
    def _too_soon(self) -> bool:
        return self.clock() - self._since < FIRST_MOMENT_SECS

    def on_key(self, event: events.Key) -> None:
        """Answer, or say why not."""
        keys = [answer.key for answer in self._answers]
        if event.key == "escape":
            return
        if self._too_soon:
            self._say(f"That key came as the question did, so it was not taken. Read it first; then {_or(keys)}.")
        elif event.key not in keys:
            shown = printable(event.character) if event.is_printable and event.character else event.key
            self._say(f"{shown} is none of its answers: {_or(keys)}, or esc to go back.")
        else:
            return
        event.stop()
        event.prevent_default()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer, unless it has only just appeared."""
        if self._too_soon:
            event.stop()
            event.prevent_default()
            self._say("It has only just appeared: read it first, then answer.")

    def _say(self, text: str) -> None:
        self.query_one("#question-says", Literal).show(text)


def _or(keys: list[str]) -> str:
    return " or ".join(keys)

"""Leaving: at once, after a question, or because a signal says so."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp

TWICE_SECS = 2.0
"""Two presses of ctrl+c within this time leave at once."""


class Leaving:
    """How an app is left, and with which exit code."""

    def __init__(self, app: WorkbenchApp) -> None:
        self._app = app
        self._interrupted = float("-inf")
        self.ending: int | None = None
        """The exit code of a signal that came, perhaps before the app was there."""
        self.refused = False
        """Whether the Space was refused: then there is nothing to lose, and the exit code is 1."""

    def signalled(self, code: int) -> None:
        """Leave without asking, with this exit code; now, or as soon as the app is there."""
        self.ending = code
        if self._app.is_running:
            self._app.exit(return_code=code)

    def quit(self) -> None:
        """Leave; ask first when that would lose or stop something."""
        app = self._app
        if self.refused:
            app.exit(return_code=1)
            return
        from workbench.app.widgets.question import Answer, Question

        lost = self._would_lose()
        if lost and not isinstance(app.screen, Question):
            answers = (Answer("q", "Quit", "quit"),)
            app.push_screen(Question("Quit?", lost, answers), lambda value: app.exit() if value == "quit" else None)
        else:
            app.exit()

    def interrupt(self) -> None:
        """Leave at the second press."""
        now = time.monotonic()
        if now - self._interrupted < TWICE_SECS:
            self._app.exit(return_code=1 if self.refused else 0)
        self._interrupted = now
        self._app.say("Press ctrl+c again to leave.")

    def _would_lose(self) -> str:
        reasons: list[str] = []
        unsaved = [name for tab in self._app.telling.tabs() for name in getattr(tab, "unsaved", ())]
        if unsaved:
            reasons.append(f"Not saved: {', '.join(unsaved[:5])}{' …' if len(unsaved) > 5 else ''}.")
        if len(self._app.turns):
            turns = "A turn of the agent runs" if len(self._app.turns) == 1 else f"{len(self._app.turns)} turns run"
            reasons.append(f"{turns}, and would be aborted.")
        if self._app.acts_running:
            reasons.append(f"Still running, and would be cancelled: {self._app.acts_running}.")
        return "\n".join(reasons)


def selected(screen: Screen[Any]) -> bool:
    """Whether some text is selected on a screen, which ctrl+c then copies."""
    # By then both are loaded; at the start the editor would only hold the first frame up.
    from textual.widgets import Input, TextArea

    focused = screen.focused
    if isinstance(focused, Input | TextArea) and focused.selected_text:
        return True
    return bool(screen.get_selected_text())

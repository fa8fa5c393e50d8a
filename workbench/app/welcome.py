"""What a Space in which nothing has happened yet says: in place, and only until something does."""

from __future__ import annotations

from textual.content import Content

from workbench.app.widgets.literal import Literal, parts
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness

LOOK_SECS = 0.5
"""How often it is looked whether something has happened."""

THINGS = (
    ("n", "writes a lambda"),
    ("r", "calls a tool"),
    ("3 i", "plays the agent"),
)
"""What one does first, and with which keys from the Tools tab."""


class Welcome(Literal):
    """Stands above the status line of a Space without a single event, and goes with the first."""

    DEFAULT_CSS = """
    Welcome { height: auto; max-height: 3; width: 1fr; padding: 0 1; background: $accent 12%; color: $foreground; }
    """

    def __init__(self, harness: Harness) -> None:
        super().__init__(_words())
        self._harness = harness

    def on_mount(self) -> None:
        self.set_interval(LOOK_SECS, self._look, name="whether something has happened")

    def _look(self) -> None:
        if not untouched(self._harness):
            # Not awaited: it ends with this widget's own task, which is the one that runs here.
            self.remove()


def untouched(harness: Harness) -> bool:
    """Whether nothing has ever happened in a Space."""
    try:
        return not harness.threads()
    except HarnessError:
        return False  # that it cannot be read is said elsewhere, and it is no first start


def _words() -> Content:
    pieces = [parts((key, "bold $text-accent"), f" {words}") for key, words in (*THINGS, ("?", "all keys"))]
    return parts(("Nothing has happened in this Space yet. What to do first:\n", "bold"), Content(" · ").join(pieces))

"""What every key does here: an overlay made from the registry."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from workbench.app.registry import ACTIONS, TITLES
from workbench.app.widgets.columns import Columns, Row
from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.modal import Modal


def help_text(place: str) -> Columns:
    """The actions of one tab, then those that work everywhere."""
    rows: list[Row] = []
    for where in (place, "app"):
        rows.append((None, literal(TITLES[where], "bold $text-primary")))
        for action in ACTIONS:
            if action.where == where:
                keys = " ".join(action.shown_keys) or "palette"
                body = parts(action.name, (f"  {action.help}", "$text-muted"))
                rows.append((literal(f"  {keys}", "bold $text-accent"), body))
        rows.append((None, literal("")))
    rows.append((literal("  tab", "bold $text-accent"), literal("the next part; arrows, home, end, enter in lists")))
    return Columns(rows)


class Help(Modal[None]):
    """The overlay. Any of the keys that opened it closes it."""

    DEFAULT_CSS = """
    Help { align: center middle; background: $background 60%; }
    Help > VerticalScroll { width: 96; max-width: 96%; height: auto; max-height: 94%; padding: 1 2; background: $panel;
        border: round $primary; }
    Help Literal { width: 1fr; height: auto; }
    """

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """All of it as one text."""
        with VerticalScroll() as box:
            title(box, f"Keys: {TITLES[self._place]}")
            yield Literal(help_text(self._place))

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "question_mark", "f1", "q", "enter"):
            event.stop()
            self.leave(None)

"""What every key does here: an overlay made from the registry."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from workbench.app.registry import ACTIONS, TITLES
from workbench.app.widgets.literal import Literal, literal, parts, title

_KEYS_WIDTH = 16


def help_text(place: str) -> Content:
    """The actions of one tab, then those that work everywhere, a line each."""
    lines: list[Content] = []
    for where in (place, "app"):
        lines.append(literal(TITLES[where], "bold $text-primary"))
        for action in ACTIONS:
            if action.where == where:
                keys = " ".join(action.shown_keys) or "palette"
                lines.append(
                    parts(
                        ("  " + keys.ljust(_KEYS_WIDTH), "bold $text-accent"),
                        action.name,
                        (f"  {action.help}", "$text-muted"),
                    )
                )
        lines.append(literal(""))
    lines.append(
        literal(
            "Lists: arrows, home, end, enter. tab goes to the next part. The mouse works everywhere.", "$text-muted"
        )
    )
    return literal("\n").join(lines)


class Help(ModalScreen[None]):
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
            self.dismiss(None)

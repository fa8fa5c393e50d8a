"""The keys at the bottom: the most important first, as many as fit whole, and how many more there are."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from workbench.app.actions import written
from workbench.app.widgets.literal import Literal, literal, parts

FIRST = ("app.demo_step", "app.help", "app.quit")
"""The actions that stand first; the rest keeps its order, nearest to the focus first."""

GAP = 2
"""Cells between two keys."""


_TYPED = ("slash", "question_mark", "space", "full_stop", "comma", "left_square_bracket", "right_square_bracket")
"""Keys with a name of their own that are characters."""


class KeyWord(Struct, frozen=True):
    """A key as it is pressed and as it is written, and what it does."""

    key: str
    shown: str
    name: str

    @property
    def cells(self) -> int:
        """How much room it takes."""
        return cell_len(f"{self.shown} {self.name}")


def key_words(screen: Screen[Any]) -> list[KeyWord]:
    """What stands at the bottom of a screen when there is room for all of it."""
    found: dict[str, tuple[int, KeyWord]] = {}
    typing = isinstance(screen.focused, Input)
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if typing and (len(key) == 1 or key in _TYPED):
            continue  # a line to type in takes it for itself
        if binding.show and active.enabled and binding.id and binding.id not in found:
            place = FIRST.index(binding.id) if binding.id in FIRST else len(FIRST)
            found[binding.id] = (place, KeyWord(key, written(key), binding.description))
    return [word for _, word in sorted(found.values(), key=lambda each: each[0])]


def fitting(words: list[KeyWord], width: int) -> tuple[list[KeyWord], int]:
    """The words that fit whole, and how many do not; room is kept to say how many those are."""
    for count in range(len(words), 0, -1):
        left = len(words) - count
        said = [*(word.cells for word in words[:count]), *([len(more(left))] if left else [])]
        if sum(said) + GAP * (len(said) - 1) <= width:
            return words[:count], left
    return [], len(words)


def more(count: int) -> str:
    """How it is said that there are more."""
    return f"+{count} more"


class KeyFooter(Literal):
    """The line. A click on a key presses it; a click on what is left over opens the help."""

    DEFAULT_CSS = """
    KeyFooter { dock: bottom; height: 1; width: 1fr; padding: 0 1; background: $footer-background;
        color: $footer-description-foreground; text-wrap: nowrap; }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self.words: list[KeyWord] = []
        """What is shown."""
        self._spans: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def on_resize(self) -> None:
        self.redraw()

    def _changed(self, screen: Screen[Any]) -> None:
        if screen is self.screen:
            self.redraw()

    def redraw(self) -> None:
        """Show what the keys do now, for the present width."""
        self.words, left = fitting(key_words(self.screen), max(self.content_size.width, 1))
        pieces: list[Content] = []
        self._spans, at = [], 0
        for word in self.words:
            pieces.append(parts((word.shown, "bold $footer-key-foreground"), f" {word.name}"))
            self._spans.append((at, at + word.cells, word.key))
            at += word.cells + GAP
        if left:
            pieces.append(literal(more(left), "$text-muted"))
            self._spans.append((at, at + len(more(left)), "f1"))
        self.show(literal(" " * GAP).join(pieces), layout=False)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        x = event.x - self.styles.padding.left
        for begin, end, key in self._spans:
            if begin <= x < end:
                self.app.simulate_key(key)

"""What can be done here: an overlay made from the registry, for what has the focus when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, TextArea

from workbench.app.actions import Action, written
from workbench.app.registry import ACTIONS, SECTION_OF, SECTIONS, TITLES, Section
from workbench.app.widgets.columns import Columns, Row
from workbench.app.widgets.literal import Literal, literal, parts, title
from workbench.app.widgets.modal import Modal

COMMON = (
    ("tab", "The next part, shift+tab the one before; arrows, home, end, pages and enter in lists and texts."),
    ("esc", "One step back, wherever there is one."),
)
"""Keys that are nobody's in particular."""

MOUSE = (
    ("click", "On a tab, a line, a switch, a button, or a key at the bottom: does what it says."),
    ("wheel", "Scrolls what is under the pointer."),
    ("drag", "Selects text, and ctrl+c copies it; with shift held it is the terminal that selects."),
)
"""What the mouse does."""


class Help(Modal[None]):
    """The overlay. Any of the keys that opened it closes it."""

    DEFAULT_CSS = """
    Help { align: center middle; background: $background 60%; }
    Help > VerticalScroll { width: 96; max-width: 96%; height: auto; max-height: 94%; padding: 1 2; background: $panel;
        border: round $primary; }
    Help Literal { width: 1fr; height: auto; }
    """

    def __init__(self, place: str, screen: Screen[Any]) -> None:
        """`place` is the tab, `screen` what the help is for: of its keys those that work now come first."""
        super().__init__()
        self._heading = f"Keys: {' · '.join(parts_around(place, screen)) or 'here'}"
        self._rows = help_rows(place, works_here(screen), types=isinstance(screen.focused, Input | TextArea))

    def compose(self) -> ComposeResult:
        """All of it as one text."""
        with VerticalScroll() as box:
            title(box, self._heading)
            yield Literal(Columns(self._rows))

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "question_mark", "f1", "q", "enter"):
            event.stop()
            self.leave(None)


Works = tuple[Section, list[tuple[Action, tuple[str, ...]]]]
"""A part of the app, and what can be done there now with which keys."""


def works_here(screen: Screen[Any]) -> list[Works]:
    """What the keys do on a screen now, by parts, nearest to the focus first; the app itself last."""
    keys: dict[str, list[str]] = {}
    nodes: dict[str, int] = {}
    chain = list((screen.focused or screen).ancestors_with_self)
    for key, active in screen.active_bindings.items():
        if active.binding.id and active.enabled:
            keys.setdefault(active.binding.id, []).append(written(key))
            nodes[active.binding.id] = chain.index(active.node) if active.node in chain else len(chain)
    found: dict[str, Works] = {}
    # In the order of the registry, and so that of two parts the one nearer to the focus comes first.
    for action in sorted((action for action in ACTIONS if action.id in keys), key=lambda action: nodes[action.id]):
        section = SECTION_OF[action.id]
        found.setdefault(section.title, (section, []))[1].append((action, tuple(keys[action.id])))
    # Ways to move come behind what is done: whoever asks for help has found the arrows.
    parts_here = list(found.values())
    return sorted(parts_here, key=lambda part: (part[0].title == TITLES["app"], not any(a.footer for a, _ in part[1])))


def parts_around(place: str, screen: Screen[Any]) -> list[str]:
    """What has the keys: the tab, unless the next word says that too, and the parts in it, from the outside in."""
    chain = list((screen.focused or screen).ancestors_with_self)
    within = chain[: next((at for at, node in enumerate(chain) if node.id == place), 0)]
    depths: dict[str, int] = {}
    for active in screen.active_bindings.values():
        section = SECTION_OF.get(active.binding.id or "")
        # What the tab binds for all of its parts says nothing of where one is.
        if section is not None and section.place == place and active.enabled and active.node in within:
            depths[section.title] = max(depths.get(section.title, 0), within.index(active.node))
    parts_in = sorted(depths, key=lambda title: -depths[title])
    tab = TITLES.get(place, "")
    return parts_in if not tab or any(tab in title for title in parts_in[:1]) else [tab, *parts_in]


def help_rows(place: str, here: Iterable[Works], *, types: bool = False) -> list[Row]:
    """The rows of the help: what works now, what is everybody's, and dimmed the rest of this tab."""
    rows: list[Row] = []
    if types:
        rows += [(None, literal("What you type is text here; these keys are not.", "$text-muted")), _GAP]
    listed: set[str] = set()
    for section, works in here:
        rows += _part(section.title, ((" ".join(keys), action.name, action.help) for action, keys in works))
        listed |= {action.id for action, _ in works}
    rows += _part("Besides", ((keys, "", words) for keys, words in COMMON))
    rows += _part("Mouse", ((keys, "", words) for keys, words in MOUSE))
    for section in SECTIONS:
        if section.place in (place, "app"):
            rest = [action for action in section.actions if action.id not in listed]
            shown = ((" ".join(each.shown_keys) or "palette", each.name, each.help) for each in rest)
            rows += _part(f"{section.title}: not right here, or not now", shown, "$text-muted")
    return rows[:-1]


_GAP: Row = (None, literal(""))


def _part(heading: str, lines: Iterable[tuple[str, str, str]], style: str = "") -> list[Row]:
    rows: list[Row] = [
        (
            literal(f"  {keys}", style or "bold $text-accent"),
            parts((f"{name}  ", style) if name else "", (words, style or "$text-muted")),
        )
        for keys, name, words in lines
    ]
    return [(None, literal(heading, style or "bold $text-primary")), *rows, _GAP] if rows else []

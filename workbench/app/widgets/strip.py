"""A one-line row of tabs: click one, or use the keys of whoever shows them."""

from __future__ import annotations

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message

from workbench.app.widgets.literal import Literal, parts


class Place(Struct, frozen=True):
    """One tab: its id, its name, and the key that goes there."""

    id: str
    name: str
    key: str


class _Label(Literal):
    """The name of one tab."""

    def __init__(self, strip: TabStrip, place: Place) -> None:
        super().__init__(_label(place, False), classes="place")
        self.strip = strip
        self.place = place

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.strip.post_message(TabStrip.Picked(self.strip, self.place.id))


class TabStrip(Horizontal):
    """The names of some places, with the present one marked (by brackets too, so that colour is not needed)."""

    DEFAULT_CSS = """
    TabStrip { height: 1; width: 1fr; }
    TabStrip > .place { width: auto; height: 1; color: $text-muted; }
    TabStrip > .place:hover { color: $foreground; }
    TabStrip > .place.-present { color: $text-primary; text-style: bold; }
    TabStrip > .rest { width: 1fr; height: 1; text-align: right; color: $text-muted; padding: 0 1; text-wrap: nowrap;
        text-overflow: ellipsis; }
    """

    class Picked(Message):
        """Somebody clicked a tab."""

        def __init__(self, strip: TabStrip, place: str) -> None:
            super().__init__()
            self.strip = strip
            self.place = place

        @property
        def control(self) -> TabStrip:
            """The strip it is in."""
            return self.strip

    def __init__(self, places: tuple[Place, ...], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.places = places
        self.present = places[0].id
        self._notes: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """One label a place, and room at the right for a word."""
        for place in self.places:
            yield _Label(self, place)
        yield Literal(classes="rest")

    def on_mount(self) -> None:
        self.mark(self.present)

    def mark(self, id: str) -> None:
        """Show which place is the present one."""
        self.present = id
        for label in self.query(_Label):
            here = label.place.id == id
            label.set_class(here, "-present")
            label.show(_label(label.place, here, self._notes.get(label.place.id, "")))

    def note(self, id: str, words: str) -> None:
        """Say something beside the name of a place; with no words, nothing."""
        self._notes[id] = words
        self.mark(self.present)

    def say(self, text: str | Content) -> None:
        """Show a word at the right."""
        self.query_one(".rest", Literal).show(text, layout=False)


def _label(place: Place, here: bool, note: str = "") -> Content:
    said = (f" ! {note}", "bold $text-warning") if note else ""
    return parts("▐" if here else " ", place.name, (f" {place.key}", "$text-disabled"), said, "▌" if here else " ")

"""The pane that shows one event whole."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.transcript.detail import Detail
from workbench.app.widgets.drawn import DrawnLine, fitted
from workbench.app.widgets.drawn_view import DrawnView
from workbench.app.widgets.literal import title
from workbench.harness.text import printable

MARGIN = 5
"""Cells of the title's row that are no title: the frame at both ends, and what parts it from its keys."""

LEAST_TITLE = 20
"""Cells that the title has before its keys have any."""

FILES = "enter, then j k: files"
CLOSES = "esc closes"


class DetailPane(Vertical):
    """A frame around it, hidden until an event is opened."""

    DEFAULT_CSS = """
    DetailPane { height: 45%; border-top: heavy $primary; border-title-color: $text-primary; display: none; }
    DetailPane.-open { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.detail: Detail | None = None
        """What is shown."""
        self._followed = False
        self._says = ""
        self._keys: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The lines."""
        yield DrawnView(id="detail-lines")

    @property
    def view(self) -> DrawnView:
        """The lines."""
        return self.query_one(DrawnView)

    @property
    def is_open(self) -> bool:
        """Whether it shows something."""
        return self.has_class("-open")

    def wait(self, heading: str) -> None:
        """Open, while the event is made ready to look at."""
        self._followed = False
        self._head(f"{heading} · reading…", CLOSES)
        self.add_class("-open")

    def show(self, detail: Detail, *, lives: bool = False, again: bool = False) -> None:
        """Show an event; `lives` says that more comes at its end, `again` that it was shown before."""
        view = self.view
        at_end = view.following if again and self._followed else lives
        self._followed = at_end or (again and self._followed)
        self.detail = detail
        places = sum(isinstance(line, DrawnLine) and line.place is not None for line in detail.lines)
        all_keys = f"y copies · {CLOSES}"
        self._head(
            detail.title, *((f"{FILES} · {all_keys}", f"{FILES} · {CLOSES}") if places else ()), all_keys, CLOSES
        )
        view.show_lines(detail.lines, at_end=at_end and lives, keep=again)
        if at_end and not lives:
            # Its end was looked at as it came: that stays in view, and not what is told below it.
            view.end_at(detail.result_end)

    def _head(self, says: str, *keys: str) -> None:
        """The title: what is shown, and behind it what its keys do, as many of them as there is room for."""
        self._says, self._keys = says, keys
        room = (self.size.width or self.app.size.width) - MARGIN
        fits = next((each for each in keys if room - len(each) >= min(LEAST_TITLE, len(says))), "")
        shown = "".join(text for text, _ in fitted([(printable(says), "")], max(room - len(fits), 1)))
        title(self, f"{shown} · {fits}" if fits else says)

    def on_resize(self) -> None:
        """The title has another room now."""
        if self._says:
            self._head(self._says, *self._keys)

    def close(self) -> None:
        """Hide."""
        self.detail = None
        self.remove_class("-open")
        self.view.show_lines(())

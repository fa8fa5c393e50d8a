"""The pane that shows one event whole."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.transcript.detail import Detail
from workbench.app.widgets.drawn import DrawnLine
from workbench.app.widgets.drawn_view import DrawnView
from workbench.app.widgets.literal import subtitle, title


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
        title(self, heading)
        subtitle(self, "reading…")
        self.add_class("-open")

    def show(self, detail: Detail, *, lives: bool = False, again: bool = False) -> None:
        """Show an event; `lives` says that more comes at its end, `again` that it was shown before."""
        view = self.view
        at_end = view.following if again and self._followed else lives
        self._followed = at_end or (again and self._followed)
        self.detail = detail
        places = sum(isinstance(line, DrawnLine) and line.place is not None for line in detail.lines)
        leads = " · enter, then j k and enter open a file" if places else ""
        title(self, f"{detail.title}{leads}")
        subtitle(self, f"{len(detail.lines):,} lines · y copies · esc closes")
        view.show_lines(detail.lines, at_end=at_end, keep=again)

    def close(self) -> None:
        """Hide."""
        self.detail = None
        self.remove_class("-open")
        self.view.show_lines(())

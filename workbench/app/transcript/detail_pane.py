"""The pane that shows one event whole."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.transcript.detail import Detail
from workbench.app.widgets.literal import subtitle, title
from workbench.app.widgets.text_view import TextView


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

    def compose(self) -> ComposeResult:
        """The lines."""
        yield TextView(id="detail-lines")

    @property
    def view(self) -> TextView:
        """The lines."""
        return self.query_one(TextView)

    @property
    def is_open(self) -> bool:
        """Whether it shows something."""
        return self.has_class("-open")

    def wait(self, heading: str) -> None:
        """Open, while the event is made ready to look at."""
        title(self, heading)
        subtitle(self, "reading…")
        self.add_class("-open")

    def show(self, detail: Detail) -> None:
        """Show an event."""
        self.detail = detail
        title(self, detail.title)
        subtitle(self, f"{len(detail.lines):,} lines · y copies · esc closes")
        self.view.show(detail.lines)

    def close(self) -> None:
        """Hide."""
        self.detail = None
        self.remove_class("-open")
        self.view.show(())

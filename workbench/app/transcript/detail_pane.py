"""The pane that shows one event whole."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from workbench.app.transcript.detail import Detail, DetailLine
from workbench.app.transcript.line_view import Line, LineView
from workbench.app.transcript.wrapping import estimate, wrap
from workbench.app.widgets.literal import subtitle, title

_LOOKS = {"heading": "heading", "quiet": "quiet", "text": ""}


class DetailView(LineView):
    """Lines of any number, of which those in view are broken."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: tuple[DetailLine, ...] = ()

    def show(self, lines: tuple[DetailLine, ...]) -> None:
        """Show these lines, from the first."""
        self._shown = lines
        self.reset(len(lines))

    def extend(self, lines: tuple[DetailLine, ...]) -> None:
        """Show these lines, which begin with those that are shown."""
        self._shown = lines
        self.update_items(len(lines), ())

    def action_move(self, step: int) -> None:
        """Scroll by a line: nothing in here can be chosen."""
        self.scroll_by_lines(step)

    def action_first(self) -> None:
        """Go to the first line."""
        self.scroll_by_lines(-self.virtual_size.height)

    def action_open(self) -> None:
        """Nothing in here can be opened."""

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        return estimate(self._shown[index].text, width)

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The line, broken."""
        line = self._shown[index]
        return [[(text, _LOOKS[line.look])] for text in wrap(line.text, width)]


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
        yield DetailView(id="detail-lines")

    @property
    def view(self) -> DetailView:
        """The lines."""
        return self.query_one(DetailView)

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

"""The JSON that a form will send, as it stands now."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer

from workbench.app.tools.call.form.view import FormView
from workbench.app.widgets.literal import OneLine, literal
from workbench.app.widgets.text_view import TextView, lines_of_text

DRAW_SECS = 0.06
"""How long after a change it is drawn: whoever types fast wants the last one."""


class Preview(Vertical):
    """A few lines that follow the form. Nothing in it takes keys."""

    DEFAULT_CSS = """
    Preview { background: $panel; }
    Preview > OneLine { background: $panel; }
    Preview > TextView { background: $panel; padding: 0; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._form: FormView | None = None
        self._timer: Timer | None = None
        self._text = ""

    def compose(self) -> ComposeResult:
        """What it is, and the text."""
        yield OneLine()
        yield TextView()

    def on_mount(self) -> None:
        self.query_one(TextView).can_focus = False

    def follow(self, form: FormView) -> None:
        """Show, soon, what a form makes now."""
        self._form = form
        if self._timer is None:
            self._timer = self.set_timer(DRAW_SECS, self._draw, name="draw the JSON of the form")

    def _draw(self) -> None:
        self._timer = None
        form = self._form
        if form is None:
            return
        whole = form.value is not None and not form.held
        words = literal("will be sent") if whole else literal("not ready; so far:", "$text-warning")
        self.query_one(OneLine).show(words)
        text = form.to_json_text()
        if text != self._text:
            self._text = text
            view = self.query_one(TextView)
            y = view.scroll_offset.y
            view.show(tuple(lines_of_text(text)))
            view.scroll_to(y=y)

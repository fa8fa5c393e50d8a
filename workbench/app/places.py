"""Going from tab to tab, each with what was focused in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import ContentSwitcher

from workbench.app.status.line import StatusLine
from workbench.app.status.words import asking_words
from workbench.app.widgets.strip import Place, TabStrip

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp

PLACES = (Place("tools", "Tools", "1"), Place("space", "Space", "2"), Place("transcript", "Transcript", "3"))
"""The tabs, in order; each one's widget carries the id of its place."""


class Places:
    """Which tab an app shows."""

    def __init__(self, app: WorkbenchApp) -> None:
        self._app = app
        self._focused: dict[str, Widget] = {}

    @property
    def present(self) -> str:
        """The id of the tab that is shown; `app` while there is none."""
        shown = self._app.query("#tabs").results(ContentSwitcher)
        return next((switcher.current or PLACES[0].id for switcher in shown), "app")

    def show(self, place: str) -> None:
        """Show a tab, with what was focused in it."""
        app = self._app
        if not app.opened or not app.query(f"#tabs > #{place}"):
            return
        switcher = app.query_one("#tabs", ContentSwitcher)
        here = switcher.current
        if here and app.focused is not None and here != place:
            self._focused[here] = app.focused
        switcher.current = place
        app.query_one("#places", TabStrip).mark(place)
        for line in app.query(StatusLine):
            line.stand(away=place != "transcript")
        # At once, and not when it is drawn: the next key may be here already.
        before = self._focused.get(place)
        if before is not None and before.is_attached and before.display:
            app.screen.set_focus(before)
        elif here != place or app.focused is None:
            first = self._first_of(place)
            app.screen.set_focus(first)
            app.call_after_refresh(self._settle, place, first)

    def ask(self, count: int) -> None:
        """Mark the tab in which calls ask, so that they are found from every other."""
        for strip in self._app.query("#places").results(TabStrip):
            strip.note("transcript", asking_words(count) if count else "")

    def step(self, step: int) -> None:
        """Go some tabs on, round at the end."""
        ids = [place.id for place in PLACES]
        if self.present in ids:
            self.show(ids[(ids.index(self.present) + step) % len(ids)])

    def _settle(self, place: str, first: Widget | None) -> None:
        """What can have the keys, and in which order, may be different once the tab has its size."""
        if self.present == place and self._app.focused is first:
            self._app.screen.set_focus(self._first_of(place))

    def _first_of(self, place: str) -> Widget | None:
        tab = self._app.query_one(f"#{place}")
        first = getattr(tab, "first_focus", None)
        if first is not None:
            return first
        return next((widget for widget in self._app.screen.focus_chain if tab in widget.ancestors), None)

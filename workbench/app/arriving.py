"""Bringing in the tabs: the one that is looked at first at once, the others as soon as it is painted."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.widgets import ContentSwitcher

from workbench.app.key_footer import KeyFooter
from workbench.app.places import PLACES
from workbench.app.status.line import StatusLine
from workbench.app.tools.tab import ToolsTab
from workbench.app.welcome import Welcome, untouched
from workbench.app.widgets.strip import TabStrip
from workbench.harness.harness import Harness

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp


class Arriving:
    """How the tabs come to stand on the screen of an app, once its Space is open."""

    def __init__(self, app: WorkbenchApp) -> None:
        self._app = app
        self.complete = False
        """Whether everything is there: a moment after the first tab was painted."""

    async def show_first(self, harness: Harness) -> None:
        """Show the tab that is looked at first; the others follow."""
        app = self._app
        first = "tools" if app.scene is None else "transcript"
        strip = TabStrip(PLACES, id="places")
        switcher = ContentSwitcher(_tab(first), id="tabs", initial=first)
        bar: list[Widget] = [app.scene.bar()] if app.scene is not None else []
        if not bar and untouched(harness):
            bar = [Welcome(harness)]
        await app.query_one("#opening").remove()
        await app.mount(strip, switcher, *bar, StatusLine(), KeyFooter())
        app.say_where(app.size)
        app.telling.look()
        app.action_show_tab(first)
        app.call_after_refresh(self._second_frame)

    async def _second_frame(self) -> None:
        for tools in self._app.query("#tools").results(ToolsTab):
            await tools.begin()
        self._app.call_after_refresh(self._show_others)

    async def _show_others(self) -> None:
        app = self._app
        switcher = app.query_one("#tabs", ContentSwitcher)
        for place in PLACES:
            if not switcher.query(f"#tabs > #{place.id}"):
                await switcher.add_content(_tab(place.id), id=place.id)
        tools = app.query_one("#tools", ToolsTab)
        if "contract" not in tools.panes:
            await tools.begin()
        await tools.complete()
        app.telling.begin()
        app.follow_themes()
        self.complete = True
        if app.turns.given is not None:
            app.given_model.look()
        app.call_next(app.take_keys)
        if not gc.isenabled():
            # Whoever started this had it wait; what stands now stays, and need not be gone through again.
            gc.freeze()
            gc.enable()


def _tab(place: str) -> Widget:
    """A tab by the id of its place. The others are loaded when the first one stands on the screen."""
    match place:
        case "tools":
            tab: Widget = ToolsTab()
        case "space":
            from workbench.app.space.tab import SpaceTab

            tab = SpaceTab()
        case _:
            from workbench.app.transcript.tab import TranscriptTab

            tab = TranscriptTab()
    tab.id = place
    return tab

"""The tree of an outcome, which may have in it what the tools of the toolbox draw."""

from __future__ import annotations

from typing import ClassVar

from workbench.app.widgets.drawn_view import DrawnLooks
from workbench.app.widgets.outline.view import Outline


class OutcomeView(Outline, DrawnLooks):
    """A tree with the looks of code, diffs and places."""

    # Textual takes both from the first base alone.
    COMPONENT_CLASSES: ClassVar[set[str]] = DrawnLooks.COMPONENT_CLASSES
    DEFAULT_CSS = DrawnLooks.DEFAULT_CSS.replace("DrawnLooks", "OutcomeView")

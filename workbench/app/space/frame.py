"""A framed part of the tab."""

from __future__ import annotations

from textual.widget import Widget

from workbench.app.widgets.literal import title


class Frame(Widget):
    """A frame with a title, as high as what is in it."""

    DEFAULT_CSS = "Frame { height: auto; width: 1fr; layout: vertical; }"

    def __init__(self, heading: str, *, id: str) -> None:
        super().__init__(id=id, classes="part")
        title(self, heading)

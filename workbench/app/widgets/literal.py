"""The only text widgets of the app: whatever they are given is shown as it is, and no character of it steers anything.

Nothing else may hand a bare `str` to a widget, because most of Textual's surfaces read markup in it and none of them
holds back an escape sequence. A test looks for such places.
"""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.content import Content
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import Static

from workbench.harness.text import printable


def literal(text: str, style: str = "") -> Content:
    """Text as content: control characters visible, no markup read. `style` is ours, such as `$text-muted`."""
    return Content.styled(printable(text), _resolved(style)) if style else Content(printable(text))


def parts(*pieces: str | tuple[str, str] | Content) -> Content:
    """Put content together from texts, texts with a style of ours, and content."""
    return Content("").join(
        piece if isinstance(piece, Content) else literal(*((piece,) if isinstance(piece, str) else piece))
        for piece in pieces
    )


class Literal(Static):
    """A `Static` that takes text literally, or content and visuals that are literal already."""

    def __init__(
        self, text: str | Visual = "", *, id: str | None = None, classes: str | None = None, expand: bool = False
    ) -> None:
        super().__init__(_content(text), id=id, classes=classes, expand=expand, markup=False)

    def show(self, text: str | Visual, *, layout: bool = True) -> None:
        """Show something else. With `layout=False` only this widget is painted: for what ticks in a fixed cell."""
        self.update(_content(text), layout=layout)


class OneLine(Literal):
    """A line that is cut where it does not fit. Showing something else repaints it alone."""

    DEFAULT_CSS = """
    OneLine { height: 1; width: 1fr; padding: 0 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def show(self, text: str | Visual, *, layout: bool = False) -> None:
        """Show something else."""
        super().show(text, layout=layout)


def title(widget: Widget, text: str) -> None:
    """Set the title in a widget's border."""
    widget.border_title = literal(text)


def subtitle(widget: Widget, text: str) -> None:
    """Set the subtitle in a widget's border."""
    widget.border_subtitle = literal(text)


def tooltip(widget: Widget, text: str) -> None:
    """Set what a widget says when the pointer rests on it."""
    widget.tooltip = literal(text)


def toast(app: App[Any], text: str, *, error: bool = False) -> None:
    """Say something in passing, at the corner of the screen."""
    app.notify(printable(text), markup=False, severity="error" if error else "information", timeout=12 if error else 4)


def _resolved(style: str) -> str:
    # These two may be "auto" colours, which only CSS can work out; inside content they would come out as plain white.
    return style.replace("$text-muted", "$quiet").replace("$text-disabled", "$faint")


def _content(text: str | Visual) -> Visual:
    return literal(text) if isinstance(text, str) else text

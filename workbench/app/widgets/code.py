"""Text areas for code and documents, coloured by the theme of the app, safe for any content."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.widgets import TextArea

from workbench.app.themes import code_theme
from workbench.harness.text import REPLACEMENT, printable, size

MAX_COLOURED_BYTES = 32 * 1024
"""An editor highlights up to here: every key colours the whole text anew, 17 ms of it at this size."""

_CELLS = {code: chr(0x2400 + code) for code in range(0x20) if code != 0x09} | {0x7F: "\u2421"}


def one_for_one(text: str) -> str:
    """Text with everything unsafe replaced by one character each, so that the places of all others stay."""
    if printable(text) == text:
        return text
    return "".join(_CELLS.get(ord(char), char if printable(char) == char else REPLACEMENT) for char in text)


class CodeArea(TextArea):
    """A text area with line numbers. What it holds is exact; what it paints has no control characters in it."""

    DEFAULT_CSS = """
    CodeArea { border: none; padding: 0; height: 1fr; width: 1fr; }
    CodeArea:focus { border: none; }
    """

    def __init__(
        self,
        text: str = "",
        *,
        language: str | None = None,
        read_only: bool = False,
        wrap: bool = False,
        numbers: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(
            text,
            id=id,
            classes=classes,
            read_only=read_only,
            soft_wrap=wrap,
            show_line_numbers=numbers,
            tab_behavior="focus" if read_only else "indent",
            highlight_cursor_line=not read_only,
        )
        self.indent_width = 4
        self._wanted = language
        self._colour(text)

    def on_mount(self) -> None:
        self._use_theme()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._use_theme())

    def put(self, text: str, language: str | None = None) -> None:
        """Show another text, from its beginning, with nothing to undo."""
        self._wanted = language
        self.language = None
        self.load_text(text)
        self._colour(text)

    def get_line(self, line_index: int) -> Text:
        """A line as it may be painted."""
        return Text(one_for_one(self.document.get_line(line_index)), end="", no_wrap=True)

    def on_key(self, event: events.Key) -> None:
        # Escape belongs to whoever holds the editor, which may ask about unsaved work.
        if event.key == "escape":
            event.prevent_default()

    def _colour(self, text: str) -> None:
        wanted = self._wanted if self.read_only or size(text) <= MAX_COLOURED_BYTES else None
        if wanted in self.available_languages or wanted is None:
            self.language = wanted

    def _use_theme(self) -> None:
        theme = code_theme(self.app)
        self.register_theme(theme)
        self.theme = theme.name

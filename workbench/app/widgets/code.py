"""Text areas for code and documents, coloured by the theme of the app, safe for any content."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual import events
from textual.document._document_navigator import DocumentNavigator
from textual.widgets import TextArea

from workbench.app.themes import code_styles
from workbench.app.widgets.highlight import Highlighter
from workbench.app.widgets.large_text import LargeDocument, LargeWrapped
from workbench.harness.text import REPLACEMENT, printable, size

MAX_COLOURED_BYTES = 32 * 1024
"""An editor colours a text up to here, because it has to do it again at every key."""

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if code != 0x09} | {0x7F: "\u2421"}


def one_for_one(text: str) -> str:
    """Text with everything unsafe replaced by one character each, so that all others keep their columns."""
    if printable(text) == text:
        return text
    return "".join(_PICTURES.get(ord(char), char if printable(char) == char else REPLACEMENT) for char in text)


class CodeArea(TextArea):
    """A text area with line numbers. What it holds is exact; what it paints has no control characters in it."""

    DEFAULT_CSS = """
    CodeArea { border: none; padding: 0; height: 1fr; width: 1fr; background: $surface; }
    CodeArea:focus { border: none; }
    CodeArea.-prose { padding: 0 1; }
    CodeArea .text-area--gutter { color: $text-disabled; background: $surface; }
    CodeArea .text-area--cursor-gutter { color: $text-muted; background: $panel; text-style: none; }
    CodeArea .text-area--cursor-line { background: $panel; }
    CodeArea .text-area--selection { background: $screen-selection-background; }
    """

    def __init__(
        self,
        text: str = "",
        *,
        code: str | None = None,
        read_only: bool = False,
        wrap: bool = False,
        numbers: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`code` is what it is coloured as: `python`, `typescript`, `json`; None leaves it plain."""
        self._styles: dict[str, Style] = {}
        self._code = code
        self._highlighter = Highlighter(None)
        self._coloured: str | None = None
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
        self.show_cursor = not read_only
        self.set_class(not numbers, "-prose")
        self.indent_width = 4
        self._recolour()

    def on_mount(self) -> None:
        self._use_theme()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._use_theme())

    def put(self, text: str, code: str | None = None) -> None:
        """Show another text, from its beginning, with nothing to undo."""
        self._code = code
        self.load_text(text)
        self._recolour()
        self.scroll_home(animate=False)

    def _set_document(self, text: str, language: str | None) -> None:
        # As Textual does it without a language, but for what holds the lines.
        self.document = LargeDocument(text)
        self.wrapped_document = LargeWrapped(self.document, self.wrap_width, self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    def get_line(self, line_index: int) -> Text:
        """A line as it may be painted, in colours."""
        text = Text(one_for_one(self.document.get_line(line_index)), end="", no_wrap=True)
        for start, end, kind in self._highlighter.spans(line_index):
            style = self._styles.get(kind)
            if style is not None:
                text.stylize(style, start, end)
        return text

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            # Escape belongs to whoever holds the editor, which may ask about unsaved work.
            event.prevent_default()

    def on_text_area_changed(self) -> None:
        if not self.read_only:
            self._recolour()
            self.notify_style_update()
            self.refresh()

    def _recolour(self) -> None:
        too_long = not self.read_only and size(self.text) > MAX_COLOURED_BYTES
        wanted = None if too_long else self._code
        if wanted != self._coloured:
            self._highlighter, self._coloured = Highlighter(wanted), wanted
        if wanted is not None:
            self._highlighter.take(self.document.lines)

    def _use_theme(self) -> None:
        self._styles = code_styles(self.app)
        self.notify_style_update()
        self.refresh()

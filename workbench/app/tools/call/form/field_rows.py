"""The rows of a form in one widget; only those in view are made into lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.message import Message

from workbench.app.tools.call.form.painting import TAG, Setting, lines_of, name_width, value_place
from workbench.app.tools.call.form.rows import Row
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView

ESTIMATE = 2
"""Lines of a row that was not in view yet."""


class FieldRows(LineView, inherit_bindings=False):
    """Rows of fields. What keys do is the form's business; what is typed is handed to it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"lineview--{look}" for look in ("box", "boxnull", "note", "warn")}
    DEFAULT_CSS = """
    FieldRows > .lineview--box { background: $foreground 9%; }
    FieldRows > .lineview--boxnull { background: $foreground 9%; color: $text-muted; text-style: italic; }
    FieldRows > .lineview--note { color: $text-secondary; }
    FieldRows > .lineview--warn { color: $text-warning; }
    FieldRows.-typing > .lineview--cursor { background: $primary 20%; }
    """

    class Typed(Message):
        """Somebody typed or pasted at a row."""

        def __init__(self, text: str, *, pasted: bool = False) -> None:
            super().__init__()
            self.text = text
            self.pasted = pasted

    class Scrolled(Message):
        """Rows are at other places of the screen now."""

    class Clicked(Message):
        """Somebody clicked into a row. `part`: `name`, `value`, `up`, `down` or `remove`."""

        def __init__(self, index: int, part: str, chain: int) -> None:
            super().__init__()
            self.index = index
            self.part = part
            self.chain = chain

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: list[Row] = []
        self.setting = Setting(10)

    def begin(self) -> None:
        """Be about another form: from its first row."""
        self.cursor = None
        self.scroll_to(y=0, force=True)

    def put(self, rows: list[Row], cursor: int | None) -> None:
        """Show these rows. What is in view stays, as far as it can."""
        y = int(self.scroll_offset.y)
        self.rows = rows
        self._fit_names()
        self.reset(len(rows))
        self.scroll_to(y=y, force=True)
        if cursor is not None and rows:
            self.move_to(min(cursor, len(rows) - 1))

    def place_of(self, index: int) -> tuple[int, int, int]:
        """Column, line and width of the text of a row, as it is in view now."""
        # A row that is different was estimated anew; what lies over another one must not be placed by that.
        self._settle()
        left, width = value_place(self.rows[index], self._room, self.setting)
        return left + 2, self._heights.top(index) - int(self.scroll_offset.y), width - 1

    def item_at(self, line: int) -> int:
        """The row that covers a line of the whole."""
        return self._heights.find(line)

    def estimate(self, index: int, width: int) -> int:
        """Most rows have two lines."""
        return 1 if self.rows[index].what == "add" else ESTIMATE

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The row, at the present width."""
        return lines_of(self.rows[index], width, self.setting, here=index == self.cursor)

    def move_to(self, index: int | None) -> None:
        """Put the cursor on a row: more is said about it there, and less where it was."""
        before = self.cursor
        if before != index:
            for row in (before, index):
                if row is not None:
                    self._item_lines.forget(row)
            self.cursor = index
            if before is not None and before < self.items:
                self._item_lines.of(before)
            self.cursor = before
        super().move_to(index)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """What lies over a row must move with it."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def again(self, index: int) -> None:
        """A row is different now."""
        self.update_items(self.items, (index,))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Everything that can be typed is typed into the form."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        if event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Typed(event.character))
        elif event.key == "backspace":
            event.stop()
            self.post_message(self.Typed("\b"))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        if event.text:
            self.post_message(self.Typed(event.text, pasted=True))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        event.prevent_default()
        y = event.y + int(self.scroll_offset.y)
        if not self._heights.total or y >= self._heights.total:
            return
        index = self._heights.find(y)
        part = self._part(index, event.x - 1) if y == self._heights.top(index) else "name"
        self.post_message(self.Clicked(index, part, event.chain))

    def on_resize(self) -> None:
        """Names get their share of the new width."""
        self._fit_names()
        super().on_resize()
        if self.cursor is not None:
            self.move_to(self.cursor)
        self.post_message(self.Scrolled())

    def _part(self, index: int, x: int) -> str:
        row = self.rows[index]
        if row.what == "add":
            return "value"
        width = self._room
        if x >= width - TAG and row.node.removable and index == self.cursor:
            from_end = width - x
            if from_end <= 2:
                return "remove"
            if row.node.is_item:
                return "down" if from_end <= 4 else "up"
        return "value" if x > self.setting.names else "name"

    def _fit_names(self) -> None:
        names = name_width(self.rows, self._room)
        setting = self.setting
        self.setting = Setting(names, setting.problems, setting.inside, setting.strict)

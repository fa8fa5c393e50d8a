"""A text area whose faults are marked where they are, and whose undo can be put away and taken up again."""

from __future__ import annotations

from collections.abc import Iterable

from rich.style import Style
from rich.text import Text
from textual.document._history import EditHistory

from workbench.app.widgets.code import CodeArea

_MARKED = Style(underline=True, bold=True)


class MarkedArea(CodeArea):
    """An editor of one part of a draft."""

    def __init__(self, *, code: str | None = None, wrap: bool = False, numbers: bool = True, id: str) -> None:
        super().__init__(code=code, wrap=wrap, numbers=numbers, id=id)
        self._marks: dict[int, int] = {}

    def mark(self, places: Iterable[tuple[int, int]]) -> None:
        """Mark these lines from these columns on, both from 1, in place of those that were marked."""
        marks = {line - 1: column - 1 for line, column in sorted(places, reverse=True)}
        if marks != self._marks:
            self._marks = marks
            self.notify_style_update()
            self.refresh()

    def colour(self, code: str | None) -> None:
        """Colour the same text as something else."""
        if code != self._code:
            self._code = code
            self._recolour()
            self.notify_style_update()
            self.refresh()

    def get_line(self, line_index: int) -> Text:
        """A line as it may be painted, with what is marked underlined, so that no colour is needed."""
        text = super().get_line(line_index)
        column = self._marks.get(line_index)
        if column is not None:
            # What is missing at the end of a line is marked on what stands before it.
            text.stylize(_MARKED, min(column, max(len(text.plain) - 1, 0)))
        return text

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor at a place, from 1, and take the keys; past an end it is the end."""
        row = min(max(line - 1, 0), self.document.line_count - 1)
        self.focus()
        self.move_cursor((row, min(max(column - 1, 0), len(self.document.get_line(row)))), center=True)

    def replace_all(self, text: str) -> None:
        """Have another text, as an edit that can be undone."""
        self.history.checkpoint()
        self.replace(text, self.document.start, self.document.end)
        self.history.checkpoint()

    def put_away(self) -> EditHistory:
        """What can be undone here, for when this text is edited again; from now on there is nothing to undo."""
        history = self.history
        self.history = EditHistory(
            max_checkpoints=history.max_checkpoints,
            checkpoint_timer=history.checkpoint_timer,
            checkpoint_max_characters=history.checkpoint_max_characters,
        )
        return history

"""Lists of lines that show what the tools of the toolbox draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.message import Message

from workbench.app.themes import code_styles
from workbench.app.widgets.drawn import CodeText, DrawnLine, Piece, ShownLine, broken, code_texts
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.text_view import TextView
from workbench.app.widgets.wrapping import estimate
from workbench.harness.tools.toolbox.drawn import Place

MIN_TEXT_CELLS = 8
"""What is left for the text of a line however wide its number is."""


class DrawnLooks(LineView):
    """A list of lines that has the looks of what a tool draws, and the colours of code."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"lineview--{look}" for look in ("path", "number", "command", "match", "added", "removed", "warning")
    }
    DEFAULT_CSS = """
    DrawnLooks > .lineview--path { color: $text-primary; }
    DrawnLooks > .lineview--number { color: $text-secondary; }
    DrawnLooks > .lineview--command { color: $foreground; text-style: bold; }
    DrawnLooks > .lineview--match { color: $text-accent; text-style: bold; }
    DrawnLooks > .lineview--added { color: $text-success; background: $success 12%; }
    DrawnLooks > .lineview--removed { color: $text-error; background: $error 12%; }
    DrawnLooks > .lineview--warning { color: $text-warning; }
    """

    def _look(self, name: str) -> Style:
        known = self._looks.get(name)
        if known is not None:
            return known
        if name.startswith("syntax "):
            for kind, style in code_styles(self.app).items():
                self._looks[f"syntax {kind}"] = style
            return self._looks.setdefault(name, Style.null())
        if name == "place":
            self._looks[name] = super()._look("path") + Style(underline=True)
            return self._looks[name]
        return super()._look(name)


class DrawnView(DrawnLooks, TextView):
    """Lines of any number, of which those in view are broken. The cursor goes to those that lead somewhere."""

    class Chosen(Message):
        """Somebody wants to see a place."""

        def __init__(self, place: Place) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: tuple[ShownLine, ...] = ()
        self._leads = False

    @property
    def shown(self) -> tuple[ShownLine, ...]:
        """The lines."""
        return self._all

    def show_lines(self, lines: Sequence[ShownLine], *, at_end: bool = False, keep: bool = False) -> None:
        """Show these lines, from the first, or from the end; or, with `keep`, from where one looks at now."""
        y = int(self.scroll_offset.y)
        self._all = tuple(lines)
        self._leads = any(isinstance(line, DrawnLine) and line.place is not None for line in lines)
        # Text lines alone are what the base shows as well.
        self._shown = ()
        self.following = at_end
        self.reset(len(self._all))
        if keep and not at_end:
            self._go(y)

    def end_at(self, index: int) -> None:
        """Have the line before this one be the last that is seen, where there are so many above it."""
        self._item_lines.settle_around(index, self.size.height)
        self._measure()
        self._go(self._heights.top(index) - self.size.height)

    def mark(self, index: int) -> None:
        """Put the cursor on a line, in the middle of what is seen."""
        self.call_after_refresh(self._mark, index)

    def _mark(self, index: int) -> None:
        self.move_to(index)
        self._go(self._heights.top(index) - self.size.height // 3)

    def action_move(self, step: int) -> None:
        """Go to the next line that leads somewhere; where none does in that direction, scroll."""
        to = self._next_place(step) if self._leads else None
        if to is None:
            self.scroll_by_lines(step)
        else:
            self.move_to(to)

    def action_open(self) -> None:
        """See the place at the cursor, or else the first one."""
        index = self.cursor if self.cursor is not None else self._next_place(1)
        line = self._all[index] if index is not None and index < len(self._all) else None
        if isinstance(line, DrawnLine) and line.place is not None:
            self.move_to(index)
            self.post_message(self.Chosen(line.place))

    def on_click(self, event: events.Click) -> None:
        """A click on a place opens it."""
        event.prevent_default()
        y = event.y + int(self.scroll_offset.y)
        if self._heights.total and y < self._heights.total:
            index = self._heights.find(y)
            line = self._all[index]
            if isinstance(line, DrawnLine) and line.place is not None:
                self.move_to(index)
                self.action_open()

    def estimate(self, index: int, width: int) -> int:
        """By the number of characters."""
        line = self._all[index]
        if not isinstance(line, DrawnLine):
            return estimate(line.text, width)
        text = line.pieces[0][0] if len(line.pieces) == 1 else "".join(text for text, _ in line.pieces)
        return estimate(text, max(width - len(line.gutter[0]), MIN_TEXT_CELLS))

    def lines_of(self, index: int, width: int) -> Sequence[Line]:
        """The line, broken."""
        line = self._all[index]
        if not isinstance(line, DrawnLine):
            look = "" if line.look == "text" else line.look
            return broken(((line.text, look),), width) if line.text else [[("", "")]]
        head, look = line.gutter
        room = max(width - len(head), MIN_TEXT_CELLS)
        rows: list[list[Piece]] = broken(line.coloured(), room)
        margin = (" " * len(head), look)
        return [[(head, look) if place == 0 else margin, *row] for place, row in enumerate(rows)] if head else rows

    def code_texts(self) -> list[CodeText]:
        """The texts whose colours may still have to be worked out."""
        return code_texts(self._all)

    def _next_place(self, step: int) -> int | None:
        index = (self.cursor if self.cursor is not None else (-1 if step > 0 else len(self._all))) + step
        while 0 <= index < len(self._all):
            line = self._all[index]
            if isinstance(line, DrawnLine) and line.place is not None:
                return index
            index += step
        return None

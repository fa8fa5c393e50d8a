"""A part of the tab: a frame with a title, a list in it, and perhaps a line that filters."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from workbench.app.seams import workbench
from workbench.app.space.row_view import RowView
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import title
from workbench.harness.errors import HarnessError
from workbench.harness.text import printable
from workbench.harness.views import View

T = TypeVar("T")


class Part(Vertical):
    """The base of the four. `does` are the actions of the tab that are this part's."""

    DEFAULT_CSS = """
    Part { height: 1fr; width: 1fr; border: round $primary; padding: 0 1; border-title-color: $text-primary; }
    Part:focus-within { border: heavy $accent; }
    Part .words { width: 1fr; height: auto; color: $text-muted; }
    Part > .filter { display: none; }
    Part.-filtered > .filter { display: block; }
    """
    does: frozenset[str] = frozenset()

    def __init__(self, heading: str, *, id: str) -> None:
        super().__init__(id=f"{id}-part", classes="part")
        self.place = id
        """Its name among the parts."""
        title(self, heading)

    def filter_line(self) -> Field:
        """A line to filter by, out of sight until it is asked for."""
        return Field(placeholder="only what has these words", id=f"{self.place}-filter", classes="filter")

    def compose(self) -> ComposeResult:
        """Its list."""
        yield RowView(id=self.place)

    @property
    def rows(self) -> RowView:
        """Its list."""
        return self.query_one(f"#{self.place}", RowView)

    @property
    def words(self) -> list[str]:
        """The words that are filtered by."""
        return [word for field in self.query(".filter").results(Field) for word in field.value.casefold().split()]

    def having(self, items: Iterable[T], text: Callable[[T], str]) -> list[T]:
        """Those items whose text has all the words that are filtered by."""
        words = self.words
        if not words:
            return list(items)
        return [item for item in items if all(word in printable(text(item)).casefold() for word in words)]

    def can(self, action: str) -> bool:
        """Whether an action is one of this part's, and something for it is at the cursor."""
        return action in self.does

    def look(self, view: View) -> None:
        """Show what is so now."""

    def show_now(self) -> None:
        """Show what its own write has left, for the key that waits; what cannot be read is said by the tab."""
        with contextlib.suppress(HarnessError):
            self.look(workbench(self).view)

    def focus_content(self) -> None:
        """Take the keys."""
        self.rows.focus()

    def filter(self) -> None:
        """Ask for words to filter by."""
        for field in self.query(".filter").results(Field):
            self.add_class("-filtered")
            field.focus()

    def back(self) -> bool:
        """Leave a field or a filter; whether there was one."""
        field = next(iter(self.query(".filter").results(Field)), None)
        if field is None or not self.has_class("-filtered"):
            return False
        field.value = ""
        self.remove_class("-filtered")
        self.focus_content()
        return True

    def copied(self) -> tuple[str, str] | None:
        """The text to copy, and what it is."""
        return None

    def filtered(self) -> None:
        """The words to filter by are other ones."""

    @on(Input.Changed, ".filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.filtered()

    @on(Input.Submitted, ".filter")
    def _filter_done(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_class(bool(event.value), "-filtered")
        self.focus_content()

"""The left of the tab: the filter, the list of what matches it, and what is to be said where that is nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input

from workbench.app.seams import workbench
from workbench.app.tools.rows import ToolRow, matching
from workbench.app.tools.tool_list import ToolList
from workbench.app.widgets.field import Field
from workbench.app.widgets.literal import Literal

FILTER_SECS = 0.08
"""How long after the last key the list is filtered."""


class Listing(Vertical):
    """The list with its filter. What is selected in it is the tab's to know."""

    DEFAULT_CSS = """
    Listing > #filter { background: $panel; }
    Listing > #empty { display: none; padding: 1 2; color: $text-muted; height: auto; }
    Listing.-empty > #empty { display: block; }
    Listing > #fault { display: none; padding: 0 1; color: $text-error; height: auto; max-height: 8; }
    Listing.-fault > #fault { display: block; }
    """

    def __init__(self, filtered: Callable[[], None], *, id: str) -> None:
        """`filtered` is called when another filter holds: the list is to be filled again."""
        super().__init__(id=id)
        self._filtered = filtered
        self._filter_timer: Timer | None = None
        self._fault = ""
        self._filled_for = ""

    def compose(self) -> ComposeResult:
        """The filter, the list, and the words."""
        yield Field(placeholder="/ filters", id="filter")
        yield ToolList(id="list")
        yield Literal(id="empty")
        yield Literal(id="fault")

    @property
    def tool_list(self) -> ToolList:
        """The list."""
        return self.query_one(ToolList)

    @property
    def _field(self) -> Field:
        return self.query_one("#filter", Field)

    @property
    def query_text(self) -> str:
        """What is filtered for; empty where nothing is."""
        return self._field.value

    @property
    def asked_anew(self) -> bool:
        """Whether words are filtered for that the list was not filled for yet."""
        return bool(self.query_text) and self.query_text != self._filled_for

    def fill(self, rows: Sequence[ToolRow], selected: str | None, *, gone: bool) -> list[ToolRow]:
        """Show those of the rows that match, and answer them. `gone` says that what is selected is not there."""
        query = self._filled_for = self.query_text
        found = matching(rows, query)
        self.tool_list.fill(found, selected, gone=gone)
        self.set_class(not found or (not query and not any(row.group == "lambdas" for row in found)), "-empty")
        words = f"No tool has “{query}”. esc clears the filter." if not found else "No lambda yet. n writes one."
        self.query_one("#empty", Literal).show(words)
        return found

    def clear(self) -> None:
        """Filter for nothing."""
        self._field.value = ""

    def say_fault(self, words: str) -> None:
        """Show what cannot be read, in place; in passing too, but only when it is something else than before."""
        if words == self._fault:
            return
        self._fault = words
        self.set_class(bool(words), "-fault")
        self.query_one("#fault", Literal).show(f"✗ {words}")
        if words:
            workbench(self).say_error(words)

    def focus_filter(self) -> None:
        """Go to the filter line."""
        self._field.focus()

    def back(self) -> bool:
        """Clear the filter, for whoever is in the list or the filter; whether there was one to clear."""
        if not self.filters_here:
            return False
        self.clear()
        self.tool_list.focus()
        return True

    @property
    def filters_here(self) -> bool:
        """Whether there is a filter, and somebody is in the list or the filter."""
        return bool(self.query_text) and self.has_focus_within

    @property
    def leaves(self) -> bool:
        """Whether `back` leads anywhere from here: out of the filter, or to the list."""
        return not self.tool_list.has_focus or bool(self.query_text)

    @on(Input.Changed, "#filter")
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._filter_timer is not None:
            self._filter_timer.stop()
        self._filter_timer = self.set_timer(FILTER_SECS, self._filtered, name="filter the tools")

    @on(Input.Submitted, "#filter")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._filtered()
        self.tool_list.focus()

"""The list at the left of the Tools tab."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from workbench.app.tools.rows import ToolRow
from workbench.app.widgets.literal import literal, parts
from workbench.app.widgets.rows import Ends
from workbench.harness.text import fold

TONES = {
    "plain": "$text-muted",
    "good": "$text-success",
    "given": "bold $text-accent",
    "off": "$text-muted",
    "draft": "bold $text-warning",
    "changed": "bold $text-warning",
}


class ToolList(OptionList):
    """Tools under the headings of their groups. Options carry the tool's name as their id."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False, id="tools.down"),
        Binding("k", "cursor_up", "Up", show=False, id="tools.up"),
        Binding("g", "first", "First", show=False, id="tools.first"),
        Binding("G", "last", "Last", show=False, id="tools.last"),
    ]
    DEFAULT_CSS = """
    ToolList { border: none; padding: 0; height: 1fr; background: $background; scrollbar-gutter: stable; }
    ToolList:focus { border: none; background: $background; background-tint: $foreground 0%; }
    """

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.rows: tuple[ToolRow, ...] = ()

    def fill(self, rows: Sequence[ToolRow], selected: str | None) -> None:
        """Show these rows. Where only states changed the list stays as it is scrolled."""
        new = tuple(rows)
        if new == self.rows:
            return
        if [(row.name, row.group) for row in new] == [(row.name, row.group) for row in self.rows]:
            for before, row in zip(self.rows, new, strict=True):
                if before != row:
                    self.replace_option_prompt(_id(row.name), _prompt(row))
            self.rows = new
            return
        self.rows = new
        options: list[Option] = []
        # While a filter puts names that match first, a group may come twice, each time with its own heading.
        for group, run in groupby(new, key=lambda row: row.group):
            members = list(run)
            heading = literal(f" {group.upper()}", "bold $text-primary")
            options.append(Option(Ends(heading, literal(f"{len(members):,}", "$text-muted")), disabled=True))
            options += [Option(_prompt(row), id=_id(row.name)) for row in members]
        self.set_options(options)
        self.select(selected)

    def select(self, name: str | None) -> None:
        """Highlight a tool; the first one where it is not in the list."""
        names = [row.name for row in self.rows]
        if name in names:
            self.highlighted = self.get_option_index(_id(name or ""))
        elif names:
            self.highlighted = self.get_option_index(_id(names[0]))

    def named(self, option: Option) -> str:
        """The tool of an option."""
        return (option.id or "").removeprefix("tool ")


def _id(name: str) -> str:
    return f"tool {name}"


def _prompt(row: ToolRow) -> Ends:
    tone = TONES[row.tone]
    name_style = "$text-muted" if row.tone == "off" else ""
    return Ends(parts((f" {row.glyph} ", tone), (fold(row.name), name_style)), literal(row.state, tone))

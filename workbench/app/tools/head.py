"""The lines above the panes: the selected tool, its state, and what that means."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from workbench.app.tools.rows import TOOLBOX_GROUPS, ToolRow
from workbench.app.tools.tool_list import TONES
from workbench.app.widgets.literal import Literal, literal, parts
from workbench.harness.text import fold


class Head(Literal):
    """Two lines; more of a tool of the toolbox: what is said of it is longer, and it is read before one acts."""

    DEFAULT_CSS = """
    Head { height: 2; padding: 0 1; background: $surface; text-wrap: nowrap; text-overflow: ellipsis; }
    Head.-machine { height: auto; max-height: 8; text-wrap: wrap; }
    """

    def about(self, row: ToolRow, widened: Sequence[str]) -> None:
        """Be about a tool; `widened` is what its sandbox allows beyond its defaults."""
        on_machine = row.group in TOOLBOX_GROUPS
        self.set_class(on_machine, "-machine")
        self.show(words_of(row, widened), layout=on_machine)

    def about_none(self, query: str) -> None:
        """Say that no tool is selected, and which filter leaves none."""
        none = f"No tool has “{query}” in its name, summary or state." if query else "Nothing is selected."
        self.show(literal(none, "$text-muted"), layout=False)


def words_of(row: ToolRow, widened: Sequence[str]) -> Content:
    """Name, state and what that means; below them what the tool is for."""
    state = (f"{row.glyph} {row.state}", TONES[row.tone])
    detail = (f"  {fold(row.detail)}", "$text-muted")
    if widened:
        detail = parts((f"  ! its sandbox is widened: {', '.join(widened)}", "bold $text-warning"), detail)
    return parts((fold(row.name), "bold"), "  ", state, detail, (f"\n{fold(row.summary)}", "$text-muted"))

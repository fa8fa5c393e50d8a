"""The `<space>` block as the model reads it, each line with its bytes, under its gauge."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult

from workbench.app.seams import workbench
from workbench.app.space.accounts import STAGES, block_rows, figures, gauge, room_left, tool_of
from workbench.app.space.frame import Part
from workbench.app.space.row_view import RowView
from workbench.app.widgets.lines.view import LineView
from workbench.app.widgets.literal import Literal, parts
from workbench.harness.space.index import SpaceIndex
from workbench.harness.text import fold
from workbench.harness.views import View

GAUGE_CELLS = 24


class IndexPart(Part):
    """Enter on a tool's line shows the tool."""

    DEFAULT_CSS = """
    IndexPart > #gauge { height: 1; width: 1fr; }
    IndexPart > #accounts { height: auto; border-bottom: solid $border-blurred; }
    """
    does = frozenset({"show_tool"})

    def __init__(self) -> None:
        super().__init__("i  the <space> block, exactly as the model reads it", id="index")
        self._index: SpaceIndex | None = None
        self._apart: str | None = None

    def compose(self) -> ComposeResult:
        """The gauge, what it means, the block."""
        yield Literal(id="gauge")
        yield Literal(id="accounts", classes="words")
        yield RowView(id="index")

    def look(self, view: View) -> None:
        """Show the block as it is now."""
        index = view.index
        apart = view.thread if view.surface == "toolbox" else None
        if index == self._index and apart == self._apart:
            return
        self._index, self._apart = index, apart
        self.query_one("#gauge", Literal).show(
            parts(f"{gauge(index, GAUGE_CELLS)} ", (figures(index), "bold")), layout=False
        )
        words = f"Stage {STAGES[index.stage]}.\n{room_left(index)}."
        if apart is not None:
            words += f"\nThread {fold(apart)} is of the toolbox surface: its requests carry no block."
        self.query_one("#accounts", Literal).show(words)
        self.rows.show(block_rows(index))

    def copied(self) -> tuple[str, str] | None:
        """The block."""
        return (self._index.text, "the <space> block") if self._index is not None else None

    def show_tool(self) -> None:
        """Show the tool of the line at the cursor."""
        name = tool_of(self.rows.key)
        if name is not None:
            workbench(self).show_tool(name)
        else:
            workbench(self).say("This line is no tool's.")

    @on(LineView.Opened)
    def _opened(self, event: LineView.Opened) -> None:
        event.stop()
        if tool_of(self.rows.key) is not None:
            self.show_tool()

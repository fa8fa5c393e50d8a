"""Every tool there is now: as a row of the list, and as what is stored of it. No widget knows more of them."""

from __future__ import annotations

from collections.abc import Collection

from workbench.app.tools.machine_rows import machine_rows
from workbench.app.tools.rows import TOOLBOX_GROUPS, ToolRow, gone, rows
from workbench.app.tools.shown import Shown
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.space.library import StoredTool
from workbench.harness.views import View


class Inventory:
    """What was looked up last. It begins empty."""

    def __init__(self) -> None:
        self.rows: list[ToolRow] = []
        self._by_key: dict[str, ToolRow] = {}
        self._host_tools: dict[str, StoredTool] = {}
        self._widened: tuple[str, ...] = ()

    def __contains__(self, key: object) -> bool:
        """Whether there is a tool of that key."""
        return key in self._by_key

    def row(self, key: str | None) -> ToolRow | None:
        """The row of a tool."""
        return self._by_key.get(key or "")

    @property
    def names(self) -> set[str]:
        """The name of every tool."""
        return {row.name for row in self.rows}

    def look(self, view: View, drafts: Collection[str], *, worked_on: str | None) -> None:
        """Look them up again.

        A lambda that goes away while it is `worked_on` stays as a row of its own: no other tool gets the keys of
        whoever works with it.
        """
        summaries = {tool.name: tool.document.summary for tool in self._host_tools.values()}
        before = self.row(worked_on)
        self.rows = rows(
            view.verbs,
            tuple(view.tools.values()),
            view.promotion,
            drafts,
            view.saved_since,
            machine=machine_rows(view, summaries),
            on_machine=view.surface == "toolbox",
        )
        if before is not None and before.group == "lambdas" and all(row.key != before.key for row in self.rows):
            self.rows = [*self.rows, gone(before.name)]
        self._by_key = {row.key: row for row in self.rows}
        self._widened = tuple(note.id.removeprefix("sandbox.") for note in view.sandbox if note.acts)

    def load_machine(self, harness: Harness) -> None:
        """Take in the tools of the toolbox, once they are loaded. Only then do they say what they are."""
        self._host_tools = {f"toolbox:{tool.name}": tool for tool in harness.host_tools()}

    def shown(self, row: ToolRow, harness: Harness) -> Shown:
        """A tool with what is stored of it; of the toolbox, nothing yet while it is being loaded."""
        if row.group in TOOLBOX_GROUPS:
            tool = self._host_tools.get(row.key)
            return Shown(row, tool, None if tool else "It is being loaded …")
        try:
            return Shown(row, harness.tool(row.name))
        except HarnessError as error:
            return Shown(row, None, error.message)

    def widened(self, row: ToolRow) -> tuple[str, ...]:
        """What the sandbox of a tool allows beyond its defaults; nothing for a tool that has none."""
        return self._widened if row.group == "lambdas" or row.name == "execute" else ()

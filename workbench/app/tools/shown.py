"""What the panes at the right are about."""

from __future__ import annotations

from msgspec import Struct

from workbench.app.tools.rows import GONE, TOOLBOX_GROUPS, ToolRow
from workbench.harness.space.library import StoredTool


class Shown(Struct, frozen=True):
    """The selected tool. `tool` is None while it is only a draft, or where its block cannot be trusted (`fault`)."""

    row: ToolRow
    tool: StoredTool | None
    fault: str | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return self.row.name

    @property
    def key(self) -> str:
        """What tells it from every other tool; see `ToolRow.key`."""
        return self.row.key

    @property
    def on_machine(self) -> bool:
        """Whether it is of the toolbox, so that it acts on the real machine."""
        return self.row.group in TOOLBOX_GROUPS

    @property
    def cid(self) -> str | None:
        """The version that is stored now."""
        return self.tool.cid if self.tool else None

    @property
    def absent(self) -> str:
        """Why there is nothing to show, in words."""
        if self.row.state == GONE:
            return "This tool was deleted meanwhile. Its versions are kept; u in the list brings it back."
        return self.fault or "This tool is not saved yet. Its editor is in Source (s, then e); ctrl+s saves it."

"""What writing lambdas needs of the tab around it."""

from __future__ import annotations

from typing import Protocol

from workbench.app.tools.shown import Shown


class Around(Protocol):
    """What authoring needs of the tab around it."""

    def shown(self) -> Shown | None:
        """The selected tool."""
        ...

    def names(self) -> set[str]:
        """Every name in the list."""
        ...

    def show(self, name: str) -> None:
        """Select a tool, whatever is filtered."""
        ...

    def action_pane(self, pane: str) -> None:
        """Show one of the panes."""
        ...

    def drafts_changed(self) -> None:
        """There are other drafts now, or other versions."""
        ...

    def offer(self) -> None:
        """What can be done may be something else now."""
        ...

    def leave_pane(self) -> None:
        """Give the keys back to the list."""
        ...

"""What the Tools tab and its panes know of each other."""

from __future__ import annotations

from typing import Protocol

from workbench.app.seams import Change
from workbench.app.tools.shown import Shown


class Pane(Protocol):
    """One way to look at the selected tool."""

    def show(self, shown: Shown) -> None:
        """Be about this tool, as it is now. Called often; must cost nothing where nothing is different."""
        ...

    def focus_content(self) -> None:
        """Take the keys."""
        ...

    def back(self) -> bool:
        """Go one step out inside the pane; False where there is nothing to leave."""
        ...

    @property
    def leaves(self) -> bool:
        """Whether `back` has something to leave here, also while the list has the keys."""
        ...

    def copied(self) -> tuple[str, str] | None:
        """The text to copy and what it is, or None where there is nothing."""
        ...

    def space_changed(self, change: Change) -> None:
        """Something happened in the Space; `show` follows where it may concern the selected tool."""
        ...

"""The acts of the parts, as actions of the tab: keys, footer and palette find them there."""

from __future__ import annotations

from abc import abstractmethod

from textual.widget import Widget

from workbench.app.space.frame import Part


class Doing(Widget):
    """Passes each action on to the part that has the keys, where it is one of that part's."""

    @property
    @abstractmethod
    def here(self) -> Part:
        """The part that has the keys, or that is looked at."""

    def action_flip(self) -> None:
        """Turn the switch at the cursor over."""
        self._do("flip")

    def action_flip_list(self) -> None:
        """Make the list of grants, or take it away."""
        self._do("flip_list")

    def action_show_tool(self) -> None:
        """Show the tool at the cursor."""
        self._do("show_tool")

    def action_approve(self) -> None:
        """Yes to what waits at the cursor."""
        self._do("approve")

    def action_deny(self) -> None:
        """No to it, or to the yes that it has."""
        self._do("deny")

    def action_change(self) -> None:
        """Change the setting at the cursor."""
        self._do("change")

    def action_default(self) -> None:
        """Let the default of the setting at the cursor act."""
        self._do("default")

    def action_read_file(self) -> None:
        """Read agent.toml as it stands."""
        self._do("read_file")

    def action_edit(self) -> None:
        """Edit the file at the cursor."""
        self._do("edit")

    def action_new(self) -> None:
        """Begin a new file."""
        self._do("new")

    def action_delete(self) -> None:
        """Delete what is at the cursor."""
        self._do("delete")

    def _do(self, action: str) -> None:
        here = self.here
        if here.can(action):
            getattr(here, action)()

"""The keys of authoring, for the tab that has the list and the panes."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from textual.widget import Widget

from workbench.app.tools.rows import ToolRow
from workbench.app.tools.source.actions import AUTHORING

if TYPE_CHECKING:
    # What edits is loaded when the first frame is painted: the tab is there before it.
    from workbench.app.tools.source.authoring import Authoring
    from workbench.app.tools.source.editor import Editor
    from workbench.app.tools.source.lifecycle import Lifecycle
    from workbench.app.tools.source.pane import SourcePane

RUNS = tuple(action.run for action in AUTHORING)
"""The names of what these keys run."""


class AuthoringKeys(Widget):
    """A base of the tab, after the one that lays it out: the actions of `AUTHORING`.

    They can be done once `equip` was called.
    """

    authoring: Authoring
    lifecycle: Lifecycle
    source: SourcePane
    equipped = False
    """Whether there is what they work with."""

    def equip(self, source: SourcePane, authoring: Authoring, lifecycle: Lifecycle) -> None:
        """Give it what the keys work with."""
        self.source, self.authoring, self.lifecycle, self.equipped = source, authoring, lifecycle, True
        authoring.keeper.start()

    @abstractmethod
    def row(self) -> ToolRow | None:
        """The selected tool in the list."""

    @abstractmethod
    def at_source(self) -> bool:
        """Whether the Source pane has the keys."""

    @abstractmethod
    def offer(self) -> None:
        """Have the footer drawn anew, where what can be done is something else than before."""

    def on_unmount(self) -> None:
        if self.equipped:
            self.authoring.keeper.stop()

    def offers(self, action: str) -> bool | None:
        """Whether one of these can be done now; None for what is none of these."""
        if action not in RUNS:
            return None
        if not self.equipped:
            return False
        row, editing = self.row(), self.at_source() and self.source.editing
        if editing:
            findings = self.source.editor.findings
            some = findings is not None and bool(findings.faults)
            return action in ("save", "other_part", "hand_over") or (action == "next_fault" and some)
        mine = row is not None and row.group == "lambdas"
        match action:
            case "new":
                return True
            case "edit" | "duplicate" | "hand_over":
                return row is not None and mine and self.lifecycle.has_texts(row.name)
            case "other_part":
                return self.at_source() and self.source.reading.ours
            case "take_back":
                return self.lifecycle.can_take_back
            case "discard":
                return row is not None and row.key in self.authoring.drafts
            case "switch":
                return mine and row is not None and self.lifecycle.is_stored(row.name)
            case "delete":
                return row is not None and mine and self.lifecycle.can_go(row.name)
            case _:
                return False

    def action_new(self) -> None:
        """Ask for a name and a template, and open it."""
        self.authoring.new()

    def action_edit(self) -> None:
        """Edit the selected lambda."""
        self.authoring.edit()

    def action_save(self) -> None:
        """Save the draft in the editor."""
        self.authoring.save()

    def action_other_part(self) -> None:
        """Source: the next part of what is shown."""
        self.source.toggle()

    def action_next_fault(self) -> None:
        """Editor: go to the next fault."""
        self.source.editor.next_fault()

    def action_hand_over(self) -> None:
        """Open the source in the person's own editor."""
        self.authoring.hand_over()

    def action_duplicate(self) -> None:
        """Begin a copy of the selected lambda."""
        self.lifecycle.duplicate()

    def action_switch(self) -> None:
        """Switch the selected lambda off or on."""
        self.lifecycle.switch()

    def action_delete(self) -> None:
        """Delete the selected lambda, after a question."""
        self.lifecycle.delete()

    def action_discard(self) -> None:
        """Discard the unsaved edits of the selected lambda, after a question."""
        self.lifecycle.discard()

    def action_take_back(self) -> None:
        """Bring back what was deleted or discarded."""
        self.lifecycle.take_back()

    def on_editor_edited(self, event: Editor.Edited) -> None:
        """Keep what was typed."""
        event.stop()
        self.authoring.edited(event.draft)

    def on_editor_looked(self, event: Editor.Looked) -> None:
        """What can be done may be something else."""
        event.stop()
        self.offer()

    def on_source_pane_left(self, event: SourcePane.Left) -> None:
        """Leave the editor."""
        event.stop()
        self.authoring.leave()

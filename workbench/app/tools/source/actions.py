"""What can be done with the source of a tool, and with a lambda as a whole."""

from __future__ import annotations

from workbench.app.actions import Action

AUTHORING = (
    Action("tools.new", "new", "n", "New", "Write a new lambda, from a template."),
    Action("tools.edit", "edit", "e", "Edit", "Edit a lambda: its source and its contract."),
    Action("tools.save", "save", "ctrl+s", "Save", "While editing: save a new version through the door."),
    Action(
        "tools.toggle",
        "other_part",
        "f2",
        "Next part",
        "Source: between source, description and the rest of the contract, or executor and declaration.",
    ),
    Action("tools.fault", "next_fault", "f9", "Next fault", "While editing: go to the next thing that is wrong."),
    Action(
        "tools.editor",
        "hand_over",
        "f4",
        "Your editor",
        "Open what is edited, or the source that is shown, in $VISUAL or $EDITOR, and take it back from there.",
    ),
    Action("tools.duplicate", "duplicate", "D", "Duplicate", "Write a new lambda that begins as a copy.", False),
    Action("tools.switch", "switch", "o", "Off/on", "Switch a lambda off, or on again: kept, but not callable.", False),
    Action(
        "tools.delete", "delete", "x,delete", "Delete", "Delete a lambda, after a question; u brings it back.", False
    ),
    Action("tools.discard", "discard", "Z", "Discard", "Discard a lambda's unsaved edits, after a question.", False),
    Action(
        "tools.take_back",
        "take_back",
        "u",
        "Bring back",
        "Bring back what was deleted or discarded last, or choose among all deleted tools.",
    ),
)
"""In the order of the help. They are bound by the tab, because they concern whatever is selected in it."""

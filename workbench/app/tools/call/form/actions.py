"""What keys do in the call form. Letters are always typed into the field at hand."""

from __future__ import annotations

from workbench.app.actions import Action

FORM = (
    Action("form.next", "go(1)", "down", "Next field", "The next field.", False),
    Action("form.previous", "go(-1)", "up", "Field before", "The field before.", False),
    Action("form.tab", "tab(1)", "tab", "Next", "The next field; after the last, leave the form.", False),
    Action("form.back_tab", "tab(-1)", "shift+tab", "Before", "The field before; at the first, leave the form.", False),
    Action("form.page_down", "page(1)", "pagedown", "Page down", "A screenful on.", False),
    Action("form.page_up", "page(-1)", "pageup", "Page up", "A screenful back.", False),
    Action("form.first", "edge(-1)", "home", "First field", "The first field.", False),
    Action("form.last", "edge(1)", "end", "Last field", "The last field.", False),
    Action("form.open", "open", "enter", "Fill in", "Type into a field, choose a value, fold, add."),
    Action("form.right", "turn(1)", "right", "Unfold", "Unfold; of a few values or forms, the next.", False),
    Action("form.left", "turn(-1)", "left", "Fold", "Fold; of a few values or forms, the one before.", False),
    Action("form.full", "full", "ctrl+e", "Editor", "An editor of several lines: for text, or for a field as JSON."),
    Action("form.clear", "clear", "ctrl+u,delete", "Clear", "Back to the default; once more, leave it out."),
    Action("form.null", "null", "ctrl+o", "Null", "Send null, where the schema admits it.", False),
    Action("form.add", "add", "ctrl+g,insert", "Add", "Add an item to an array, or a key to an object."),
    Action("form.remove", "remove", "ctrl+d", "Remove", "Take away an item, or a key that was added.", False),
    Action("form.move_up", "shift(-1)", "alt+up,ctrl+up", "Move up", "Move an item up.", False),
    Action("form.move_down", "shift(1)", "alt+down,ctrl+down", "Move down", "Move an item down.", False),
)
"""In the order of the help."""

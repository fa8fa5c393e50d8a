"""What keys do in the list of tools."""

from __future__ import annotations

from workbench.app.actions import Action

LIST = (
    Action("tools.down", "move(1)", "down,j", "Down", "List: the next tool.", False),
    Action("tools.up", "move(-1)", "up,k", "Up", "List: the tool before.", False),
    Action("tools.page_down", "page(1)", "pagedown", "Page down", "List: a screenful on.", False),
    Action("tools.page_up", "page(-1)", "pageup", "Page up", "List: a screenful back.", False),
    Action("tools.first", "first", "home,g", "First", "List: the first tool.", False),
    Action("tools.last", "follow", "end,G", "Last", "List: the last tool.", False),
    Action("tools.open", "open", "enter", "Work", "List: work with the tool, in the pane beside it.", False),
    Action("tools.fold", "fold", "space", "Fold", "List: fold the group at the cursor, or unfold it.", False),
)
"""In the order of the help."""

"""What keys do on the Space tab."""

from __future__ import annotations

from workbench.app.actions import Action

GRANTS = (
    Action("space.flip", "flip", "space,enter", "Flip", "Grant what is at the cursor, or take it away."),
    Action("space.grant_show", "show_tool", "o", "Show tool", "Show the tool at the cursor in the Tools tab.", False),
)
"""What works on the switches."""

WAITING = (
    Action("space.approve", "approve", "a", "Say yes", "Say yes, on this machine, to the setting at the cursor."),
    Action("space.deny", "deny", "x", "Say no", "Say no to the setting at the cursor; its default goes on acting."),
)
"""What works on the settings that wait."""

TAB = (
    Action("space.settings", "read_settings", "s", "Settings", "Every setting: what acts now, and why."),
    Action("space.copy", "copy_block", "y", "Copy block", "Copy the <space> block exactly as the model reads it."),
)
"""What works anywhere on the tab."""

LISTS = (
    Action("space.down", "cursor_down", "j", "Down", "The next line.", False),
    Action("space.up", "cursor_up", "k", "Up", "The line before.", False),
)
"""What works in every list of the tab, beside the arrows."""

READER = (
    Action("space.read_on", "more", "m", "Read on", "In a file: read the next part."),
    Action("space.copy_text", "copy_text", "y", "Copy", "In a file: copy what was read so far.", False),
    Action("space.close", "leave", "escape,q", "Close", "In a file: close it."),
)
"""What works in the reader."""

ACTIONS = (*TAB, *LISTS, *GRANTS, *WAITING)
"""All of them."""

"""What keys do on the Space tab."""

from __future__ import annotations

from workbench.app.actions import Action

PARTS = (
    Action("space.index", "part('index')", "i", "Index", "The <space> block, and what each line of it costs.", False),
    Action("space.grants", "part('grants')", "p", "Grants", "What the agent is granted, and what waits.", False),
    Action("space.settings", "part('settings')", "s", "Settings", "Every setting: what acts now, and why.", False),
    Action("space.memory", "part('memory')", "m", "Memory", "The agent's files and ~/self.", False),
    Action("space.next", "next_part(1)", "right_square_bracket", "Next part", "The next of these parts.", False),
    Action("space.previous", "next_part(-1)", "left_square_bracket", "Part before", "The part before.", False),
)
"""The parts of the tab."""

ANSWERS = (
    Action("space.approve", "approve", "a", "Say yes", "Say yes, on this machine, to what waits at the cursor."),
    Action("space.deny", "deny", "x", "Say no", "Say no to what waits at the cursor, or take back a yes given before."),
)
"""What works where a setting waits for the owner's yes."""

GRANTS = (
    Action("space.flip", "flip", "space", "Flip", "Grant what is at the cursor, or take it away."),
    Action("space.list", "flip_list", "l", "List", "Make the list of grants in agent.toml, or take it away."),
    Action("space.grant_show", "show_tool", "o", "Show tool", "Show the tool at the cursor in the Tools tab.", False),
)
"""What works on the switches."""

SETTINGS = (
    Action(
        "space.change",
        "change",
        "e",
        "Change",
        "Change the setting at the cursor; enter does too, unless it waits for a yes.",
    ),
    Action("space.default", "default", "d", "Default", "Take the setting out of agent.toml: its default acts."),
    Action("space.file", "read_file", "f", "agent.toml", "Read agent.toml as it stands."),
)
"""What works on the settings."""

MEMORY = (
    Action("space.edit", "edit", "e", "Edit", "Edit the file at the cursor."),
    Action("space.new", "new", "n", "New file", "Begin a new file, in the folder at the cursor."),
    Action("space.delete", "delete", "d", "Delete", "Delete what is at the cursor, for good."),
)
"""What works on the tree of memory."""

TAB = (
    Action("space.filter", "filter", "slash", "Filter", "Show only what has these words."),
    Action("space.copy", "copy", "y", "Copy", "Copy what this part is about: the <space> block, a value, an address."),
    Action("space.back", "back", "escape", "Back", "One step out: of a field, of a filter.", False),
)
"""What works on several parts."""

LINES = (
    Action("space.down", "move(1)", "down,j", "Down", "The next line.", False),
    Action("space.up", "move(-1)", "up,k", "Up", "The line before.", False),
    Action("space.page_down", "page(1)", "pagedown", "Page down", "A screenful on.", False),
    Action("space.page_up", "page(-1)", "pageup", "Page up", "A screenful back.", False),
    Action("space.first", "first", "home,g", "First", "The first line.", False),
    Action("space.last", "follow", "end,G", "Last", "The last line.", False),
)
"""What works in every list of the tab, and in a file."""

ROWS = (
    *LINES,
    Action("space.open", "open", "enter", "Open", "Open what is at the cursor: a tool, a question, an editor.", False),
)
"""What works in a list."""

SHEET = (
    Action("space.read_on", "more", "m", "Read on", "In a file: read the next part; so does scrolling to its end."),
    Action("space.edit_text", "edit_text", "e", "Edit", "In a file: edit it."),
    Action("space.save", "save", "ctrl+s", "Save", "In an editor: save."),
    Action(
        "space.your_editor", "hand_over", "f4", "Your editor", "Edit the text in $VISUAL or $EDITOR, and take it back."
    ),
    Action("space.copy_text", "copy_text", "y", "Copy", "In a file: copy what was read so far.", False),
    Action("space.close", "leave", "escape", "Close", "In a file or an editor: close it."),
)
"""What works in a file, read or edited."""

TAB_ACTIONS = (*PARTS, *GRANTS, *SETTINGS, *MEMORY, *ANSWERS, *TAB)
"""What the tab itself does."""

ACTIONS = (*TAB_ACTIONS, *ROWS, *SHEET)
"""All of them."""

"""What keys do in a list of lines: the log, an opened event, a file."""

from __future__ import annotations

from workbench.app.actions import Action

LINES = (
    Action("transcript.down", "move(1)", "down,j", "Down", "The next event.", False),
    Action("transcript.up", "move(-1)", "up,k", "Up", "The event before.", False),
    Action("transcript.page_down", "page(1)", "pagedown,space", "Page down", "A screenful on.", False),
    Action("transcript.page_up", "page(-1)", "pageup", "Page up", "A screenful back.", False),
    Action("transcript.first", "first", "home,g", "First", "The first event.", False),
    Action("transcript.last", "follow", "end,G", "Newest", "The newest event, and follow the log from there.", False),
    Action("transcript.open", "open", "enter", "Open", "The event whole, in a pane of its own."),
)

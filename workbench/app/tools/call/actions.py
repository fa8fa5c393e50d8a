"""What keys do in the Call pane."""

from __future__ import annotations

from workbench.app.actions import Action

PANE = (
    Action(
        "call.face",
        "call_face",
        "f3",
        "Form / JSON",
        "The input as a form, or as JSON; what was given goes along both ways.",
    ),
    Action("call.preview", "call_preview", "f9", "Preview", "Show or hide the JSON that the form will send.", False),
    Action("call.history", "call_history", "f5", "History", "The calls of this tool before, by you and by agents."),
    Action(
        "call.limit",
        "call_limit",
        "ctrl+t",
        "Limit, folder",
        "Go to the seconds that a call may take; of the toolbox, to the folder of this machine that it acts in. "
        "Emptied, either is that of the settings again.",
        False,
    ),
)
"""What works anywhere in the pane."""

HISTORY = (
    Action("call.again", "again", "a", "Run again", "In the history: run it again, now, as you, with the same input."),
    Action("call.use", "use", "u", "Use input", "In the history: put its input into the form."),
)
"""What works in the history; enter shows what came of the call."""

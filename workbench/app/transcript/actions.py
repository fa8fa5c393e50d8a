"""What keys do on the Transcript tab."""

from __future__ import annotations

from workbench.app.actions import Action
from workbench.app.widgets.lines.actions import LINES

STEPPING = (
    Action(
        "transcript.back",
        "step(-1)",
        "left_square_bracket",
        "Back",
        "Step back through the log: the provider's tools are shown as of that event.",
    ),
    Action(
        "transcript.forward",
        "step(1)",
        "right_square_bracket",
        "Forward",
        "Step forward through the log, to now in the end.",
    ),
    Action(
        "transcript.abort",
        "abort",
        "escape",
        "Abort",
        "Abort the agent's turn: what it said so far stays, its running calls are cancelled.",
    ),
    Action("transcript.now", "back_out", "escape", "Now", "Close the opened event; else go back to now.", False),
)

PLACES = (
    Action("transcript.find", "find", "slash", "Find", "Find words in the log: enter goes to the one before."),
    Action("transcript.compose", "compose_line", "i", "Write", "Go to the composer at the bottom."),
    Action(
        "transcript.go_on", "go_on", "r", "Go on", "Have the model answer what waits, as after an interrupted turn."
    ),
    Action(
        "transcript.wire",
        "wire",
        "w",
        "Wire",
        "The very request that the provider gets at this event: its parts, their bytes, what it keeps of the last one.",
    ),
    Action("transcript.new_thread", "new_thread", "n", "New thread", "Begin a thread: asks for its name."),
    Action("transcript.threads", "toggle_panel('threads')", "t", "Threads", "Show or hide the threads."),
    Action("transcript.provider", "toggle_panel('provider')", "p", "Provider", "Show or hide the provider's tools."),
    Action(
        "transcript.show_tool",
        "show_tool",
        "o",
        "Show tool",
        "Show, in the Tools tab, the tool at the cursor: of the provider's panel, or that an agent's call named.",
        False,
    ),
    Action("transcript.copy", "copy_event", "y", "Copy", "Copy the event at the cursor, or the opened one.", False),
)

ASKED = (
    Action(
        "transcript.yes",
        "answer_asked(True)",
        "f6",
        "Yes, do it",
        "Say yes to the call that asks, as the strip above the composer shows it.",
    ),
    Action("transcript.no", "answer_asked(False)", "f7", "No", "Say no to the call that asks: nothing of it is done."),
    Action(
        "transcript.show_asked",
        "show_asked",
        "f9",
        "Show what asks",
        "Show the call that asks, whole; go to its thread where it is another one.",
    ),
)
"""While a call waits for the owner's yes; they work in the composer too."""

TAB = (*STEPPING, *PLACES, *ASKED)
"""What works anywhere on the tab but in a line that is being typed."""

COMPOSER = (
    Action(
        "transcript.voice",
        "next_voice",
        "ctrl+t",
        "Voice",
        "Whose voice speaks: a message, you with a verb, or you as the agent.",
    ),
    Action("transcript.older", "recall(-1)", "up", "Older line", "What was written before.", False),
    Action("transcript.newer", "recall(1)", "down", "Newer line", "What was written after that.", False),
    Action(
        "transcript.abort_turn",
        "abort",
        "escape",
        "Abort",
        "Abort the agent's turn from the composer; what is written stays.",
    ),
    Action("transcript.leave", "leave", "escape", "To the log", "Leave the composer; what is written stays."),
)
"""What works in the composer."""

FINDER = (
    Action("transcript.find_newer", "seek(1)", "down", "Newer", "The next event that has the words.", False),
    Action("transcript.find_older", "seek(-1)", "up", "Older", "The event before that has the words.", False),
    Action("transcript.find_end", "leave", "escape", "Done", "Back to the log, at what was found."),
)
"""What works in the line that finds; enter is as up."""

ACTIONS = (*TAB, *LINES, *COMPOSER)
"""All of them."""

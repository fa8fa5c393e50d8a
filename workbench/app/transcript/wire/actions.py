"""What keys do on the wire."""

from __future__ import annotations

from workbench.app.actions import Action

WIRE = (
    Action("wire.close", "close", "escape,w,q", "Back", "Back: from a part to the list, from the list to the log."),
    Action("wire.body", "body", "m", "Exact body", "The body that the model's adapter sends, byte for byte; or parts."),
    Action("wire.before", "step(-1)", "left_square_bracket", "Earlier", "The request at the event before.", False),
    Action("wire.behind", "step(1)", "right_square_bracket", "Later", "The request at the next event.", False),
    Action("wire.copy", "copy_part", "y", "Copy", "Copy the part at the cursor, or the whole body."),
)
"""On the whole screen; in its lists the keys of any list work too."""

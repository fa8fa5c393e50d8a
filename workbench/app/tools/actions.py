"""What can be done on the Tools tab."""

from __future__ import annotations

from workbench.app.actions import Action
from workbench.app.tools.source.actions import AUTHORING

ACTIONS = (
    Action("tools.filter", "filter", "slash", "Filter", "Type words; only tools whose name or summary has them stay."),
    *AUTHORING,
    Action("tools.contract", "pane('contract')", "c", "Contract", "What the tool says of itself.", False),
    Action("tools.source", "pane('source')", "s", "Source", "The code behind it.", False),
    Action("tools.cid", "pane('cid')", "i", "CID", "Its identity: hash, size, versions, the document.", False),
    Action("tools.call", "pane('call')", "r", "Call", "Run it with an input of yours.", False),
    Action(
        "tools.exact",
        "exact",
        "m",
        "Exact",
        "Contract: between plain rendering and the exact text that a model reads.",
        False,
    ),
    Action("tools.verify", "verify", "v", "Verify", "Hash the stored block again and compare it with the CID.", False),
    Action("tools.copy", "copy", "y", "Copy", "Copy what is shown: contract, source, CID, or result."),
    Action("tools.run", "run", "ctrl+r", "Run", "Call: run the tool as you, with the input above."),
    Action("tools.back", "back", "escape", "Back", "Stop a running call, leave the editor, or go back to the list."),
)
"""In the order of the help."""

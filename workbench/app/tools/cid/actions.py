"""What keys do in the CID pane."""

from __future__ import annotations

from workbench.app.actions import Action

VIEWS = (
    Action("cid.facts", "look('facts')", "F", "Facts", "What the version is, and which others there were.", False),
    Action("cid.bytes", "look('bytes')", "B", "Bytes", "The stored block, every byte with what it means.", False),
    Action("cid.json", "look('json')", "J", "JSON", "The stored document, to fold and unfold.", False),
    Action("cid.versions", "look('versions')", "V", "Versions", "Every version: compare, see whole, restore.", False),
    Action("cid.next", "next_look(1)", "right_square_bracket", "Next view", "The next of the four views."),
    Action("cid.previous", "next_look(-1)", "left_square_bracket", "View before", "The view before.", False),
)
"""The four views of the pane."""

VERSIONS = (
    Action(
        "cid.compare", "compare", "d", "Compare", "The version at the cursor with the marked one, or the one before."
    ),
    Action("cid.whole", "whole", "w", "Whole", "The contract and the source of the version at the cursor."),
    Action("cid.restore", "restore", "R", "Restore", "Write the version at the cursor again, after a question."),
)
"""What works in the versions; enter compares too."""

MARKS = (Action("cid.mark", "mark", "space", "Mark", "The version to compare others with; again takes it back."),)
"""What works in the list of versions."""

CID = (*VIEWS, *VERSIONS, *MARKS)
"""All of them."""

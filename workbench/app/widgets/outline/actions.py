"""What keys do in a tree that is folded and unfolded."""

from __future__ import annotations

from workbench.app.actions import Action

OUTLINE = (
    Action(
        "trees.toggle", "open", "enter,space", "Fold", "Unfold what is at the cursor, or fold it; open a leaf.", False
    ),
    Action("trees.unfold", "unfold", "right,l", "Unfold", "Unfold what is at the cursor, or go into it.", False),
    Action("trees.fold", "fold", "left,h", "Fold", "Fold what is at the cursor, or go to what it is in.", False),
    Action("trees.unfold_all", "unfold_all", "asterisk", "Unfold all", "Unfold everything below the cursor.", False),
)
"""Beside the keys of every list of lines."""

"""What keys do in the Contract pane."""

from __future__ import annotations

from workbench.app.actions import Action

CONTRACT = (
    Action(
        "contract.page",
        "page_of(1)",
        "greater_than_sign,full_stop",
        "Next page",
        "Exact text: the next page of a long one.",
        False,
    ),
    Action(
        "contract.page_back",
        "page_of(-1)",
        "less_than_sign,comma",
        "Page before",
        "Exact text: the page before.",
        False,
    ),
)
"""In the order of the help."""

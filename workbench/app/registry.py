"""Every action of the app, from wherever it is declared."""

from __future__ import annotations

from workbench.app.actions import EVERYWHERE, Action
from workbench.app.space.actions import ACTIONS as SPACE
from workbench.app.tools.actions import ACTIONS as TOOLS
from workbench.app.tools.contract.actions import CONTRACT
from workbench.app.tools.list_actions import LIST
from workbench.app.transcript.actions import ACTIONS as TRANSCRIPT

TITLES = {"app": "Everywhere", "tools": "Tools", "space": "Space", "transcript": "Transcript"}
"""The places, in the order in which they are listed."""


ACTIONS: tuple[Action, ...] = (*EVERYWHERE, *TOOLS, *LIST, *CONTRACT, *SPACE, *TRANSCRIPT)
"""All of them, by place."""

"""Every action of the app, from wherever it is declared."""

from __future__ import annotations

import importlib

from workbench.app.actions import EVERYWHERE, Action

TITLES = {"app": "Everywhere", "tools": "Tools", "space": "Space", "transcript": "Transcript"}
"""The places, in the order in which they are listed."""


def _of(module: str) -> tuple[Action, ...]:
    try:
        return importlib.import_module(module).ACTIONS
    except ImportError:
        return ()


ACTIONS: tuple[Action, ...] = (
    *EVERYWHERE,
    *_of("workbench.app.tools.actions"),
    *_of("workbench.app.space.actions"),
    *_of("workbench.app.transcript.actions"),
)
"""All of them, by place."""

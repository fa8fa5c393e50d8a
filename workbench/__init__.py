"""The harness workbench: see, author, run and trust the tools of an AI agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.harness.errors import HarnessError
    from workbench.harness.harness import Harness

__all__ = ["Harness", "HarnessError"]


def __getattr__(name: str) -> Any:
    """Load the library's two names on first use, so that `workbench --help` does not pay for the core."""
    if name == "Harness":
        from workbench.harness.harness import Harness

        return Harness
    if name == "HarnessError":
        from workbench.harness.errors import HarnessError

        return HarnessError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""One act on its way through a verb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.harness.errors import HarnessError
from workbench.harness.space.library import StoredTool
from workbench.harness.tools.context import ToolContext

if TYPE_CHECKING:
    from workbench.harness.tools.toolbox.host_side import HostSide


class Act(ToolContext, frozen=True, kw_only=True):
    """An act that is in the log and now happens; a tool that it calls gets the same surroundings.

    `host` is set where it acts on the real machine instead of on the Space, or says why that cannot be now.
    """

    verbs: Mapping[str, StoredTool]
    host: HostSide | str | None = None

    @property
    def by_agent(self) -> bool:
        """Whether touch-expand answers this act. Only the agent learns by it; everybody else gets plain errors."""
        return self.call.actor == "agent"


def known_options(options: dict[str, Any], allowed: tuple[str, ...], where: str) -> None:
    """Refuse options that an address does not take. Raises HarnessError `bad_input` naming them."""
    strange = sorted(set(options) - set(allowed))
    if strange:
        takes = "takes the options " + ", ".join(allowed) if allowed else "takes no options"
        raise HarnessError("bad_input", f"Unknown option {', '.join(strange)}: {where} {takes}.")

"""The one place that answers for what a later version brings."""

from __future__ import annotations

from workbench.harness.address import (
    Address,
    IpfsAddress,
    McpAddress,
    RunAddress,
    TriggerAddress,
    TriggersAddress,
    WebAddress,
)
from workbench.harness.errors import HarnessError

_WHAT: dict[type, str] = {
    TriggersAddress: "Triggers (~/triggers/)",
    TriggerAddress: "Triggers (~/triggers/)",
    RunAddress: "Runs (run:)",
    WebAddress: "Reading the web (https://)",
    IpfsAddress: "Blocks by address (ipfs://)",
    McpAddress: "MCP servers (mcp:)",
}


def not_built(what: Address | str) -> HarnessError:
    """The failed act for an address or a verb that is reserved and does nothing yet."""
    subject = what if isinstance(what, str) else _WHAT[type(what)]
    return HarnessError("unavailable", f"{subject}: not part of this version of the workbench. Nothing was done.")

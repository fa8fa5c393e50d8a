"""How long a call may take: the owner's setting, or what is asked for this one call."""

from __future__ import annotations

from workbench.app.tools.shown import Shown
from workbench.harness.errors import HarnessError
from workbench.harness.space.settings import MAX_TIMEOUT_SECS

RULE = f"a whole number of seconds from 1 to {MAX_TIMEOUT_SECS}"


def takes_limit(shown: Shown) -> bool:
    """Whether the tool runs against a clock: what runs in the sandbox does."""
    tool = shown.tool
    return tool is not None and (tool.document.kind == "lambda" or tool.document.binding == "execute")


def asked_seconds(text: str, setting: int) -> int | None:
    """The seconds that are asked for; None where the setting holds.

    Raises:
        HarnessError: `bad_input` with the rule.
    """
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_TIMEOUT_SECS):
        raise HarnessError("bad_input", f"The limit is {RULE}; without one it is {setting}, the owner's setting.")
    seconds = int(text)
    return None if seconds == setting else seconds

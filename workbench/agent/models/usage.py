"""The tokens that somebody else counted: taken where they are numbers of tokens, and otherwise unknown. Pure."""

from __future__ import annotations

from typing import Any

from workbench.agent.models.model import Usage

MOST_TOKENS = 2**53
"""Below this every number is the same in every language; no request comes near it."""


def tokens(value: Any) -> int | None:
    """A number of tokens, whole and not negative; None for whatever is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < MOST_TOKENS:
        return None
    return value


def usage_of(input: Any, output: Any, cache_read: Any = None, cache_write: Any = None) -> Usage | None:
    """What was counted, as far as it says anything; None where nothing was."""
    usage = Usage(tokens(input), tokens(output), tokens(cache_read), tokens(cache_write))
    return None if usage == Usage() else usage

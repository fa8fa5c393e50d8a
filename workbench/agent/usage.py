"""What answers take: their tokens added up, and what these cost by the owner's prices. Pure."""

from __future__ import annotations

from workbench.agent.models.model import Price
from workbench.harness.log.events import Usage


def added(one: Usage, other: Usage | None) -> Usage:
    """Both together; what neither knows stays unknown."""
    if other is None:
        return one

    def plus(left: int | None, right: int | None) -> int | None:
        return right if left is None else left + (right or 0)

    return Usage(
        plus(one.input, other.input),
        plus(one.output, other.output),
        plus(one.cache_read, other.cache_read),
        plus(one.cache_write, other.cache_write),
    )


def cost_of(price: Price, usage: Usage | None) -> float | None:
    """What an answer cost by the owner's prices; None where these, or the tokens, are not known."""
    if usage is None or (price.input is None and price.output is None):
        return None
    cached = usage.cache_read or 0 if price.cache_read is not None else 0
    return (
        ((usage.input or 0) - cached) * (price.input or 0.0)
        + cached * (price.cache_read or 0.0)
        + (usage.output or 0) * (price.output or 0.0)
    ) / 1_000_000

"""Tokens that are added up, and their cost."""

from __future__ import annotations

import pytest

from workbench.agent.models.model import Price
from workbench.agent.usage import added, cost_of
from workbench.harness.log.events import Usage


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Usage(), Usage(1, 2), Usage(1, 2)),
        (Usage(1, 2), None, Usage(1, 2)),
        (Usage(1, None, 3), Usage(1, None), Usage(2, None, 3)),
        (Usage(1, 2, 3, 4), Usage(10, 20, 30, 40), Usage(11, 22, 33, 44)),
    ],
)
def test_what_neither_knows_stays_unknown(one: Usage, other: Usage | None, both: Usage) -> None:
    assert added(one, other) == both


@pytest.mark.parametrize(
    ("price", "usage", "cost"),
    [
        (Price(), Usage(10, 10), None),
        (Price(2.0, 8.0), None, None),
        (Price(2.0, 8.0), Usage(1_000_000, 500_000), 6.0),
        (Price(2.0, 8.0, 0.5), Usage(1_000_000, 0, 400_000), 1.4),
        (Price(2.0, 8.0), Usage(1_000_000, 0, 400_000), 2.0),
        (Price(None, 8.0), Usage(1_000_000, 1_000_000), 8.0),
    ],
    ids=[
        "no price",
        "no tokens",
        "both",
        "what was cached is cheaper",
        "no price of what was cached",
        "only of answers",
    ],
)
def test_what_it_costs(price: Price, usage: Usage | None, cost: float | None) -> None:
    assert cost_of(price, usage) == (None if cost is None else pytest.approx(cost))

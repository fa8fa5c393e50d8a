"""What a thread took."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.agent.answers import model, says
from workbench import Harness
from workbench.agent.turn import turn
from workbench.app.talk import Spent, Tally
from workbench.harness.log.events import RequestEnded, Usage

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def ended(seq: int, usage: Usage | None, cost: float | None = None) -> RequestEnded:
    """A request that ended."""
    return RequestEnded(
        number=seq,
        thread="demo",
        seq=seq,
        time="2026-11-30T11:33:05.123Z",
        actor="system",
        request=f"request-{seq}",
        finish="stop",
        usage=usage,
        cost=cost,
    )


@pytest.mark.parametrize(
    ("usages", "tokens", "cost"),
    [
        ([], 0, None),
        ([(Usage(10, 5), None)], 15, None),
        ([(Usage(10, 5), 0.5), (None, None), (Usage(None, 1), 0.25)], 16, 0.75),
    ],
)
def test_what_requests_took_is_added_up(
    usages: list[tuple[Usage | None, float | None]], tokens: int, cost: float | None
) -> None:
    spent = Spent()
    for seq, (usage, price) in enumerate(usages, 1):
        spent = spent.plus(ended(seq, usage, price))
    assert (spent.tokens, spent.cost) == (tokens, cost)


async def test_an_event_that_was_counted_from_the_log_is_not_counted_again_when_it_is_told(tmp_path: Path) -> None:
    async with Harness.open(tmp_path) as harness:
        await turn(harness, "demo", model(says("x", usage=Usage(10, 5))), "hello")
        tally = Tally()
        assert tally.of(harness, "demo").tokens == 15
        told = [event for event in harness.events("demo") if isinstance(event, RequestEnded)]
        tally.passed(told)
        assert tally.of(harness, "demo").tokens == 15
        tally.passed([ended(100, Usage(1, 1))])
        assert tally.of(harness, "demo").tokens == 17
        tally.passed([], lost=True)
        assert tally.of(harness, "demo").tokens == 15

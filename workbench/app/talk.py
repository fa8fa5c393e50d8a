"""What a conversation is at and what it took so far: for the status line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from workbench.harness.harness import Harness
from workbench.harness.log.events import Event, RequestEnded

if TYPE_CHECKING:
    from workbench.app.turns import Turns


class Spent(Struct, frozen=True):
    """Tokens in and out together, as the providers counted them, and what they cost; None where nobody said a price.

    `upto` is the newest event that was counted.
    """

    tokens: int = 0
    cost: float | None = None
    upto: int = 0

    def plus(self, ended: RequestEnded) -> Spent:
        """With one more request."""
        usage = ended.usage
        tokens = ((usage.input or 0) + (usage.output or 0)) if usage is not None else 0
        cost = self.cost if ended.cost is None else (self.cost or 0.0) + ended.cost
        return Spent(self.tokens + tokens, cost, max(self.upto, ended.seq))


class Talk(Struct, frozen=True):
    """Who answers, what it does now (nothing where no turn runs), and what the thread took.

    `waits` is a model that waits for the owner's yes; `running` says that the turn waits for its calls.
    """

    model: str | None = None
    waits: str | None = None
    doing: str = ""
    running: bool = False
    spent: Spent = Spent()


class Tally:
    """What threads took, summed up once and then as requests end."""

    def __init__(self) -> None:
        self._spent: dict[str, Spent] = {}

    def of(self, harness: Harness, thread: str) -> Spent:
        """What a thread took. Raises HarnessError where it cannot be read."""
        if thread not in self._spent:
            spent = Spent()
            for request in harness.requests(thread):
                spent = spent if request.ended is None else spent.plus(request.ended)
            self._spent[thread] = spent
        return self._spent[thread]

    def passed(self, events: Iterable[Event], *, lost: bool = False) -> None:
        """Take in what happened."""
        if lost:
            self._spent.clear()
        for event in events:
            if isinstance(event, RequestEnded):
                known = self._spent.get(event.thread)
                # What was summed up while this event was on its way has it already.
                if known is not None and event.seq > known.upto:
                    self._spent[event.thread] = known.plus(event)


def talk_of(harness: Harness, turns: Turns, tally: Tally, thread: str) -> Talk:
    """How a thread stands. Raises HarnessError where it cannot be read."""
    live = turns.of(thread)
    doing = live.words if live is not None else ""
    if live is None and turns.elsewhere(thread):
        doing = "a turn runs in another process"
    running = live is not None and live.doing == "running"
    return Talk(turns.model, turns.waits, doing, running, tally.of(harness, thread))


def money_words(amount: float | None) -> str:
    """What something cost: in the currency of the owner's prices, whichever that is. Nothing where it is not known."""
    if amount is None:
        return ""
    return f"cost {amount:.4f}" if amount < 1 else f"cost {amount:,.2f}"

"""When a model that did not answer is asked again."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec import Struct

from workbench.agent.models.model import ModelFault


class Backoff(Struct, frozen=True):
    """How often and after how long: `first_secs`, then twice as long each time, at most `most_secs`.

    What a provider asks for is kept, unless it is more than `patience_secs`: then waiting is no help to anybody who
    sits in front of it.
    """

    times: int = 4
    first_secs: float = 0.5
    most_secs: float = 20.0
    patience_secs: float = 60.0
    spread: Callable[[], float] = random.random
    """From 0 to 1: so that many who failed at once do not come back at once."""

    def wait_secs(self, fault: ModelFault, failed: int) -> float | None:
        """Seconds until the model is asked again, when it failed so many times in a row; None for not at all."""
        if not fault.again or failed > self.times:
            return None
        if fault.after_secs is not None:
            return fault.after_secs if fault.after_secs <= self.patience_secs else None
        longest = min(self.first_secs * 2 ** (failed - 1), self.most_secs)
        return longest * (0.5 + self.spread() / 2)

"""The steps that a comparison may take: schemas come from outside, and some are made to be compared for ever."""

from __future__ import annotations

MAX_STEPS = 100_000
"""Steps of one comparison; about two seconds when they are used up."""


class TooMuch(Exception):
    """The steps are used up."""


class Steps:
    """A budget."""

    def __init__(self, most: int = MAX_STEPS) -> None:
        self._left = most

    def take(self, steps: int = 1) -> None:
        """Take some. Raises TooMuch when none are left."""
        self._left -= steps
        if self._left < 0:
            raise TooMuch

"""What is kept of an answer, whole or broken off: what was said and thought, how long that took, how it ended."""

from __future__ import annotations

import time

from msgspec.structs import replace

from workbench.agent.models.model import Answer, Piece, Text, Thinking
from workbench.harness.door.door import Said
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Cut, Finish, Thought, Usage
from workbench.harness.log.log import Outcome
from workbench.harness.text import cut_bytes

MAX_TEXT_BYTES = 1024 * 1024
"""How much of an answer's text is kept, as of any message."""


class Took:
    """What came of a request so far, and when."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._first: float | None = None
        self._text: list[str] = []
        self._thinking: list[str] = []

    def note(self, piece: Piece) -> None:
        """A piece came."""
        if self._first is None:
            self._first = time.monotonic()
        if isinstance(piece, Text):
            self._text.append(piece.text)
        elif isinstance(piece, Thinking):
            self._thinking.append(piece.text)

    def said(self, cut: Cut) -> Said:
        """What was said and thought before it broke off."""
        thinking = "".join(self._thinking)
        return Said(_kept("".join(self._text)), (Thought(_kept(thinking)),) if thinking else (), cut)

    def outcome(
        self,
        finish: Finish,
        *,
        usage: Usage | None = None,
        cost: float | None = None,
        error: HarnessError | None = None,
    ) -> Outcome:
        """How the request ended."""
        first = None if self._first is None else round((self._first - self._began) * 1000)
        return Outcome(finish, usage, first, round((time.monotonic() - self._began) * 1000), cost, error)


def said_in(answer: Answer) -> Said:
    """What a whole answer says and thinks, and whether that was cut: by its length limit, or by what is kept."""
    text = _kept(answer.text)
    thinking = tuple(replace(thought, text=_kept(thought.text)) for thought in answer.thinking)
    return Said(text, thinking, "length" if answer.finish == "length" or len(text) < len(answer.text) else None)


def _kept(text: str) -> str:
    """What a model said, as the log can hold it."""
    return cut_bytes(text.encode("utf-8", "replace").decode("utf-8"), MAX_TEXT_BYTES)

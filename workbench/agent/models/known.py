"""A model whose answers are known before it is asked, streamed as if it thought of them now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from workbench.agent.models.model import Answer, Ask, Body, Calling, Piece, Price, Projection, Text, Thinking
from workbench.harness.log.payloads import dumps

PIECE = 12
"""How many characters a piece has."""

MOST_PIECES = 2_000
"""Into how many pieces a text is cut at most: the pieces of a longer one are larger."""


class KnownAnswers:
    """Gives answers in order. Which one is next, only the number of those that were given before tells.

    So it holds no place of its own, and a turn that was killed goes on where the log is.
    """

    def __init__(
        self, id: str, provider: str, answers: Sequence[Answer], over: Callable[[], Answer], pace_secs: float = 0
    ) -> None:
        """`over` gives what is answered when all answers were given, or raises; a piece takes `pace_secs`."""
        self._id = id
        self._provider = provider
        self._answers = answers
        self._over = over
        self._pace_secs = pace_secs

    @property
    def id(self) -> str:
        """How the owner names it."""
        return self._id

    @property
    def provider(self) -> str:
        """Where its answers are from."""
        return self._provider

    @property
    def context_tokens(self) -> int | None:
        """No bound: what it is sent, it does not read."""
        return None

    @property
    def takes_images(self) -> bool | None:
        """Not known: it sees nothing of what it is sent."""
        return None

    @property
    def price(self) -> Price:
        """Nothing."""
        return Price()

    @property
    def order(self) -> Sequence[Literal["system", "tools", "messages"]]:
        """The order in which a request is shown; no cache keeps anything of it."""
        return ("system", "tools", "messages")

    def project(self, tools: Sequence[Mapping[str, Any]]) -> Projection:
        """The tools as they are."""
        return Projection(tuple(tools))

    async def body(self, ask: Ask) -> Body | None:
        """None: nothing is sent."""
        return None

    async def stream(self, ask: Ask) -> AsyncIterator[Piece]:
        """The next answer in small pieces, then as a whole.

        Raises:
            ModelFault: all were given, and this model has nothing to say then.
        """
        answer = self._answers[ask.answered] if ask.answered < len(self._answers) else self._over()
        for piece in _pieces(answer):
            # Also at no pace at all others get their turn, and whoever aborts is heard.
            await asyncio.sleep(self._pace_secs)
            yield piece
        yield answer

    async def close(self) -> None:
        """There is nothing to let go of."""


def _pieces(answer: Answer) -> Iterator[Piece]:
    for thought in answer.thinking:
        for part in _cut(thought.text):
            yield Thinking(part)
    for part in _cut(answer.text):
        yield Text(part)
    for index, call in enumerate(answer.calls):
        arguments = call.input if isinstance(call.input, str) else dumps(call.input)
        for part in _cut(arguments) or [""]:
            yield Calling(index, call.name, part)


def _cut(text: str) -> list[str]:
    step = max(PIECE, -(-len(text) // MOST_PIECES))
    return [text[start : start + step] for start in range(0, len(text), step)]

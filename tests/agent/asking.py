"""Asking a model in few words."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.agent.models.model import Answer, Ask, Calling, Model, ModelCall, Piece, Text, Thinking, Thought


def ask(answered: int = 0) -> Ask:
    """What a model is asked when so many answers were given before."""
    return Ask(system="", tools=(), messages=(), answered=answered)


async def pieces(model: Model, answered: int = 0) -> list[Piece]:
    """All that a model streams."""
    return [piece async for piece in model.stream(ask(answered))]


async def answer(model: Model, answered: int = 0) -> Answer:
    """The answer of a model, which is the last that it streams and the same as what it streamed before."""
    *before, last = await pieces(model, answered)
    assert isinstance(last, Answer)
    assert "".join(piece.text for piece in before if isinstance(piece, Text)) == last.text
    thinking = "".join(piece.text for piece in before if isinstance(piece, Thinking))
    assert thinking == "".join(thought.text for thought in last.thinking)
    written = {piece.index: piece.name for piece in before if isinstance(piece, Calling)}
    assert [written[index] for index in sorted(written)] == [call.name for call in last.calls]
    return last


def plain(answers: Sequence[Answer]) -> list[tuple[str, tuple[ModelCall, ...], str, tuple[Thought, ...]]]:
    """Answers as a scene holds them: without usage, and without what a provider signed."""
    return [
        (one.text, one.calls, one.finish, tuple(Thought(thought.text) for thought in one.thinking if thought.text))
        for one in answers
    ]

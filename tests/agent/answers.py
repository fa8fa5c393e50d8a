"""Models for tests that read like a conversation: what each answer is stands in the test."""

from __future__ import annotations

from typing import Any

from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Finish, ModelCall, Usage


def says(text: str, *, usage: Usage | None = None, finish: Finish = "stop") -> Answer:
    """An answer that only says something."""
    return Answer(text, (), finish, usage=usage)


def calls(*acts: tuple[str, Any], text: str = "", finish: Finish = "calls", usage: Usage | None = None) -> Answer:
    """An answer that makes calls, all in one message."""
    return Answer(text, tuple(ModelCall(name, input) for name, input in acts), finish, usage=usage)


def model(*answers: Answer, pace_secs: float = 0) -> KnownAnswers:
    """A model that gives these answers, and then has nothing to say."""
    return KnownAnswers("scripted:test", "scripted", answers, lambda: says("That is all."), pace_secs)

"""The body that a model's adapter sends for a request, without sending it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.agent.models.model import Ask, Body, Model
from workbench.harness.errors import HarnessError
from workbench.harness.request import Request

if TYPE_CHECKING:
    from workbench.harness.harness import Harness


def ask_of(request: Request, model: Model, max_tokens: int | None = None, answered: int = 0) -> Ask:
    """What a model is asked for a request.

    `max_tokens` is what its turn has left for answers, `answered` how many it has given in the thread.
    """
    return Ask(
        system=request.system,
        tools=model.project(request.tools).tools,
        messages=request.messages,
        answered=answered,
        max_tokens=max_tokens,
    )


async def body_of(harness: Harness, thread: str, request: Request, model: Model) -> Body:
    """The body of a request of a thread, caught where the adapter would send it. No key is needed.

    Raises:
        HarnessError: `unavailable` for a model that sends nothing; as the adapter fails.
    """
    body = await model.body(ask_of(request, model, _tokens_left(harness, thread, request)))
    if body is None:
        raise HarnessError(
            "unavailable",
            f"{model.id} sends nothing: its answers are known before it is asked. --wire is for models behind a "
            "provider, openai:NAME or anthropic:NAME.",
        )
    return body


def _tokens_left(harness: Harness, thread: str, request: Request) -> int | None:
    """What the answer may have: as it was recorded; for the next request by `turn.max_tokens` of today."""
    if request.recorded is not None:
        return request.max_tokens
    most = harness.settings().settings.max_tokens
    live = harness.live_run(thread)
    if most is None or live is None:
        return most
    ends = [one.ended for one in harness.requests(thread) if one.sent.run == live.run and one.ended is not None]
    return max(1, most - sum((end.usage.output or 0) for end in ends if end.usage is not None))

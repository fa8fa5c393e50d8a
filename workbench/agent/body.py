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
    """What a turn's answers may still have, by `turn.max_tokens` of today; None where that is no bound."""
    most = harness.settings().settings.max_tokens
    if most is None:
        return None
    requests = harness.requests(thread)
    numbers = [one.sent.request for one in requests]
    if request.recorded in numbers:
        place = numbers.index(request.recorded)
        run, before = requests[place].sent.run, requests[:place]
    else:
        live = harness.live_run(thread)
        run, before = (live.run if live is not None else None), requests
    ends = [one.ended for one in before if one.sent.run == run and one.ended is not None]
    return max(1, most - sum((end.usage.output or 0) for end in ends if end.usage is not None))

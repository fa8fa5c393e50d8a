"""The answers that a thread holds: what its agent said and called at once, in order. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from msgspec import Struct, structs

from workbench.agent.models.model import Answer, Finish, ModelCall, Thought
from workbench.agent.models.usage import usage_of
from workbench.harness.log.events import Event, Message, RequestEnded, RequestSent, Run, ToolCall, ToolResult
from workbench.harness.log.replay import replay


class Spoken(Struct, frozen=True):
    """An answer, and the places that what it is made of has among the thread's events."""

    answer: Answer
    places: tuple[int, ...]


def answers_of(events: Iterable[Event]) -> tuple[Answer, ...]:
    """The answers that these events hold."""
    return tuple(one.answer for one in spoken(list(events)))


def spoken(events: Sequence[Event]) -> list[Spoken]:
    """The answers that these events hold, each with where it stands.

    What belongs to one answer is what the harness sends a provider as one message.
    """
    requests = _requests(events)
    ended = {event.request: event for event in events if isinstance(event, RequestEnded)}
    found: list[Spoken] = []
    for message in replay(_numbered(events), lambda call: "ended"):
        if message["role"] != "assistant":
            continue
        places = cast("tuple[int, ...]", tuple(message["from"]))
        request = ended.get(requests.get(places[0], ""))
        found.append(Spoken(_answer([events[place] for place in places], request), places))
    return found


def _numbered(events: Iterable[Event]) -> Iterable[Event]:
    """The events, each numbered by its place, since those of a fork and of its past have the same numbers.

    What was answered is left away: it plays no part here, and it is most of a log.
    """
    for place, event in enumerate(events):
        numbered = structs.replace(event, seq=place, number=place)
        yield structs.replace(numbered, output=None, error=None) if isinstance(numbered, ToolResult) else numbered


def _answer(parts: Sequence[Event], request: RequestEnded | None) -> Answer:
    said = [part for part in parts if isinstance(part, Message)]
    calls = tuple(ModelCall(part.name, part.input) for part in parts if isinstance(part, ToolCall))
    thoughts = [Thought(one.text, one.signature, one.provider) for part in said for one in part.thinking]
    usage = request.usage if request is not None else None
    return Answer(
        text="".join(part.text for part in said),
        calls=calls,
        finish=_finish(said, calls, request),
        thinking=tuple(thoughts),
        usage=usage_of(usage.input, usage.output, usage.cache_read, usage.cache_write) if usage is not None else None,
    )


def _finish(said: Iterable[Message], calls: Sequence[ModelCall], request: RequestEnded | None) -> Finish:
    """How it ended. One that was aborted, or failed midway, ends where it was: there is no more of it."""
    if any(part.cut == "length" for part in said):
        return "length"
    if request is not None and request.finish in ("length", "refusal"):
        return request.finish
    return "calls" if calls else "stop"


def _requests(events: Iterable[Event]) -> dict[int, str]:
    """The request that an answer came for, by the place of the answer's first event.

    A request has one answer: whoever plays the agent in the same thread has none.
    """
    by_place: dict[int, str] = {}
    open_request: str | None = None
    for place, event in enumerate(events):
        match event:
            case RequestSent():
                open_request = event.request
            case Run():
                open_request = None
            case Message(role="assistant") | ToolCall(actor="agent") if open_request is not None:
                by_place[place] = open_request
                open_request = None
            case _:
                continue
    return by_place

"""The text of an event that a search looks at: what was said and done, not how the log files it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from workbench.harness.log.events import (
    Approval,
    Event,
    Fork,
    Message,
    RequestEnded,
    RequestSent,
    Run,
    ToolCall,
    ToolResult,
)


def event_text(event: Event) -> str:
    """What an event says, as text."""
    match event:
        case Message():
            return event.text
        case ToolCall():
            return " ".join([event.name, *_texts(event.input)])
        case ToolResult():
            return " ".join(_texts(event.output if event.error is None else event.error["message"]))
        case Approval():
            return event.key
        case RequestSent() | RequestEnded() | Run() | Fork():
            return ""


def has_words(words: Iterable[str], text: str) -> bool:
    """Whether a text holds every one of these casefolded words."""
    folded = text.casefold()
    return all(word in folded for word in words)


def _texts(value: Any) -> list[str]:
    """The keys and scalars of a JSON value, in order, without recursion."""
    found: list[str] = []
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            for key, inner in reversed(list(cast("dict[str, Any]", item).items())):
                waiting += [inner, key]
        elif isinstance(item, list):
            waiting += reversed(cast("list[Any]", item))
        elif item is not None:
            found.append(item if isinstance(item, str) else str(item))
    return found

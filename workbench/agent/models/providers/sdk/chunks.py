"""A piece of a stream, before a provider's library sees it: what it needs, and nothing that could trip it.

The libraries do not look at the types of what a server sends, and work on all of it. So an answer would be lost to a
count of tokens that is a text, or to a date that is none. What we never use is left out here, and counts are numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from workbench.agent.models.usage import MOST_TOKENS, tokens

UNKNOWN = MOST_TOKENS
"""Stands where a library wants a number and there is none. It is no number of tokens: whoever reads it drops it."""


def openai_chunk(data: object) -> object:
    """A piece of a chat completion with its choices and its counts only."""
    if not isinstance(data, dict):
        return data
    chunk = cast("dict[str, Any]", data)
    details = _table(_table(chunk.get("usage")).get("prompt_tokens_details"))
    usage = _counts(chunk.get("usage"), "prompt_tokens", "completion_tokens")
    usage["prompt_tokens_details"] = _counts(details, "cached_tokens")
    counted = usage if isinstance(chunk.get("usage"), Mapping) else None
    return {"id": "", "created": 0, "model": "", "choices": chunk.get("choices"), "usage": counted}


def anthropic_event(data: object) -> object:
    """An event of a message, its counts and its opening reduced to what we use."""
    if not isinstance(data, dict):
        return data
    event = cast("dict[str, Any]", data)
    if event.get("type") == "message_start" and isinstance(event.get("message"), dict):
        message = cast("dict[str, Any]", event["message"])
        kept: dict[str, Any] = {"type": "message", "role": "assistant", "model": "", "id": "", "content": []}
        return {"type": "message_start", "message": kept | {"usage": _anthropic_counts(message, "input_tokens")}}
    if event.get("type") == "message_delta":
        delta = {key: value for key, value in _table(event.get("delta")).items() if key in _DELTA}
        return {"type": "message_delta", "delta": delta, "usage": _anthropic_counts(event)}
    return event


_DELTA = ("stop_reason", "stop_details")
_ANTHROPIC_COUNTS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def _anthropic_counts(holder: Mapping[str, Any], *needed: str) -> dict[str, Any]:
    return dict.fromkeys((*needed, "output_tokens"), UNKNOWN) | _counts(holder.get("usage"), *_ANTHROPIC_COUNTS)


def _counts(table: object, *names: str) -> dict[str, Any]:
    read = {name: tokens(_table(table).get(name)) for name in names}
    return {name: count for name, count in read.items() if count is not None}


def _table(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}

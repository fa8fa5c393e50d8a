"""What a provider's server sends for an answer, in each protocol: the events of a stream, and errors."""

from __future__ import annotations

import json
from typing import Any

from tests.agent.servers.reply import Reply

Event = tuple[str | None, Any]
"""The name of a server-sent event (OpenAI's have none), and its JSON, or the text `[DONE]`."""


def openai_events(reply: Reply) -> list[Event]:
    """The stream of a chat completion. The word after which a reply is held is always an event's end."""
    events: list[Event] = [(None, _chunk({"role": "assistant", "content": ""}))]
    events += [(None, _chunk({"reasoning_content": word})) for word in _words(reply.thinking)]
    events += [(None, _chunk({"content": word})) for word in _words(reply.text)]
    if reply.refusal:
        events += [(None, _chunk({"refusal": word})) for word in _words(reply.refusal)]
    for index, (name, written) in enumerate(reply.calls):
        head = {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}
        events.append((None, _chunk({"tool_calls": [head]})))
        for piece in _pieces(_written(written)):
            events.append((None, _chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})))
    if reply.finishes:
        finish = {"stop": "stop", "calls": "tool_calls", "length": "length", "refusal": "content_filter"}[reply.finish]
        events.append((None, _chunk({}, finish="stop" if reply.refusal else finish)))
        if reply.usage is not None:
            events.append((None, {**_chunk({}), "choices": [], "usage": _openai_usage(reply.usage)}))
        events.append((None, "[DONE]"))
    return events


def anthropic_events(reply: Reply) -> list[Event]:
    """The stream of a message."""
    usage = reply.usage or {}
    start = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _anthropic_usage(usage) | {"output_tokens": 0},
    }
    events: list[Event] = [("message_start", {"type": "message_start", "message": start}), ("ping", {"type": "ping"})]
    index = 0
    if reply.redacted:
        events += _block(index, {"type": "redacted_thinking", "data": reply.redacted}, [])
        index += 1
    if reply.thinking or reply.signature:
        deltas = [{"type": "thinking_delta", "thinking": word} for word in _words(reply.thinking)]
        deltas.append({"type": "signature_delta", "signature": reply.signature or ""})
        events += _block(index, {"type": "thinking", "thinking": "", "signature": ""}, deltas)
        index += 1
    if reply.text:
        deltas = [{"type": "text_delta", "text": word} for word in _words(reply.text)]
        events += _block(index, {"type": "text", "text": ""}, deltas)
        index += 1
    for name, written in reply.calls:
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(_written(written))]
        block = {"type": "tool_use", "id": f"toolu_{index}", "name": name, "input": {}}
        events += _block(index, block, deltas)
        index += 1
    if reply.finishes:
        reasons = {"stop": "end_turn", "calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}
        delta: dict[str, Any] = {"stop_reason": reasons[reply.finish], "stop_sequence": None}
        if reply.refusal:
            delta["stop_reason"] = "refusal"
            delta["stop_details"] = {"type": "refusal", "category": None, "explanation": reply.refusal}
        counted = {"output_tokens": usage.get("output", 0)}
        events.append(("message_delta", {"type": "message_delta", "delta": delta, "usage": counted}))
        events.append(("message_stop", {"type": "message_stop"}))
    return events


def error_body(protocol: str, kind: str, message: str) -> dict[str, Any]:
    """An error as the protocol writes it, in a response or in a stream."""
    if protocol == "openai":
        return {"error": {"message": message, "type": kind, "param": None, "code": kind}}
    return {"type": "error", "error": {"type": kind, "message": message}}


def encoded(event: Event) -> bytes:
    """The bytes of a server-sent event, with characters as themselves."""
    name, data = event
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {text}\n\n".encode()


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": "fake",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def _block(index: int, block: dict[str, Any], deltas: list[dict[str, Any]]) -> list[Event]:
    at = {"index": index}
    return [
        ("content_block_start", {"type": "content_block_start", **at, "content_block": block}),
        *[("content_block_delta", {"type": "content_block_delta", **at, "delta": delta}) for delta in deltas],
        ("content_block_stop", {"type": "content_block_stop", **at}),
    ]


def _openai_usage(usage: dict[str, int]) -> dict[str, Any]:
    counted: dict[str, Any] = {"prompt_tokens": usage.get("input", 0), "completion_tokens": usage.get("output", 0)}
    counted["total_tokens"] = sum(counted.values())
    if "cache_read" in usage:
        counted["prompt_tokens_details"] = {"cached_tokens": usage["cache_read"]}
    return counted


def _anthropic_usage(usage: dict[str, int]) -> dict[str, int]:
    names = {"cache_read": "cache_read_input_tokens", "cache_write": "cache_creation_input_tokens"}
    rest = {names[name]: count for name, count in usage.items() if name in names}
    # the input that is said here leaves the cache out, as Anthropic counts it
    fresh = usage.get("input", 0) - sum(rest.values())
    return {"input_tokens": fresh, **rest}


def _written(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _words(text: str) -> list[str]:
    """The text in pieces that end after each space."""
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + [words[-1]] if text else []


def _pieces(text: str, size: int = 5) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]

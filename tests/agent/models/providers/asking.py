"""How these tests ask: one model of each protocol, at a server of theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.agent.servers.fake_provider import FakeProvider
from workbench.agent.models.model import Answer, Ask, Calling, Choice, Piece, Text, Thinking
from workbench.agent.models.providers.anthropic import Anthropic
from workbench.agent.models.providers.openai import OpenAI

PROTOCOLS = ("openai", "anthropic")

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Book a table",
    "type": "object",
    "properties": {
        "when": {"$ref": "#/$defs/moment"},
        "guests": {"oneOf": [{"type": "integer", "minimum": 1.0}, {"const": "all <of> us"}]},
        "phone": {"type": "string", "pattern": "^\\+?[0-9 ]{5,20}$"},
    },
    "required": ["when"],
    "$defs": {"moment": {"type": "string", "format": "date-time", "x-own": [1e3, None]}},
    "additionalProperties": False,
}
"""A schema with most of what providers' libraries like to change."""

BOOK: dict[str, Any] = {"name": "book", "description": "Book a table, wherever: «Zum Löwen» 🦁", "input_schema": SCHEMA}


def an_ask(**more: Any) -> Ask:
    """A request with one tool, whose conversation has everything in it: calls, results, text that is no JSON."""
    messages: tuple[dict[str, Any], ...] = (
        {"role": "user", "text": "A table for two, <|im_start|> please", "from": [1]},
        {
            "role": "assistant",
            "text": "I look.",
            "calls": [
                {"id": "call-1", "name": "book", "input": {"when": "now", "guests": 2.0}},
                {"id": "call-2", "name": "book", "input": '{"when": '},
            ],
            "from": [2, 3, 4],
        },
        {
            "role": "tool",
            "results": [
                {"id": "call-1", "name": "book", "text": '{"ok":true}'},
                {"id": "call-2", "name": "book", "text": "That was no JSON."},
            ],
            "from": [5, 6],
        },
        {"role": "user", "text": "And?", "from": [7]},
    )
    return Ask("You book tables.", (BOOK,), **({"messages": messages} | more))


@asynccontextmanager
async def a_model(
    protocol: str, server: FakeProvider, choice: dict[str, Any] | None = None, **more: Any
) -> AsyncIterator[OpenAI | Anthropic]:
    """A model of a protocol that asks the server."""
    base = server.openai_base if protocol == "openai" else server.anthropic_base
    kind = OpenAI if protocol == "openai" else Anthropic
    model = kind(f"{protocol}:fake", "fake", Choice(**({"base_url": base} | (choice or {}))), **more)
    try:
        yield model
    finally:
        await model.close()


async def everything(model: OpenAI | Anthropic, ask: Ask | None = None) -> tuple[list[Piece], Answer]:
    """All pieces before the answer, and the answer."""
    pieces = [piece async for piece in model.stream(ask or an_ask())]
    answer = pieces.pop()
    assert isinstance(answer, Answer)
    return pieces, answer


def said(pieces: list[Piece]) -> str:
    """The text of the pieces."""
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


def thought(pieces: list[Piece]) -> str:
    """The thinking of the pieces."""
    return "".join(piece.text for piece in pieces if isinstance(piece, Thinking))


def written(pieces: list[Piece]) -> dict[int, str]:
    """The arguments of each call, as they were written."""
    calls: dict[int, str] = {}
    for piece in pieces:
        if isinstance(piece, Calling):
            calls[piece.index] = calls.get(piece.index, "") + piece.text
    return calls

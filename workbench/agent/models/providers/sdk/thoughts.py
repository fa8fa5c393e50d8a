"""Thoughts, to and from the providers that want them back.

A signature is for its provider alone. Anthropic's is the block's own, and a redacted thought is all signature, told
from the others by a mark before it. Behind OpenAI's protocol there is none; servers other than OpenAI's own think in a
field of theirs and want it back in the same one, so its name stands as the signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_ai.messages import ThinkingPart

from workbench.agent.models.model import Thought
from workbench.agent.models.providers.shared import Way

_REDACTED_ID = "redacted_thinking"
_REDACTED_MARK = "redacted:"
_FIELDS = ("reasoning_content", "reasoning")


def thought_of(part: ThinkingPart, text: str, way: Way) -> Thought:
    """A whole thought, as it may go back later."""
    if way.provider == "anthropic":
        mark = _REDACTED_MARK if part.id == _REDACTED_ID else ""
        signature = mark + part.signature if part.signature else None
    else:
        signature = part.id if part.id in _FIELDS else None
    return Thought(text, signature, way.provider)


def thinking_part(thought: Mapping[str, Any], way: Way) -> ThinkingPart | None:
    """A thought of an earlier answer for its own provider, else None: nobody else can use it."""
    signature = thought.get("signature")
    if not signature or thought.get("provider") != way.provider:
        return None
    text = str(thought.get("text") or "")
    if way.provider == "anthropic":
        redacted = signature.startswith(_REDACTED_MARK)
        return ThinkingPart(
            "" if redacted else text,
            id=_REDACTED_ID if redacted else None,
            signature=signature.removeprefix(_REDACTED_MARK),
            provider_name=way.provider,
        )
    if way.own or signature not in _FIELDS or not text:
        return None
    return ThinkingPart(text, id=signature, provider_name=way.provider)

"""The results of calls, with their images, in the words of Pydantic AI.

Made of one message alone, so that what was sent for it once is sent again in the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_ai.messages import BinaryContent, ModelRequestPart, ToolReturnPart, UserContent, UserPromptPart

from workbench.agent.models.model import Ask
from workbench.agent.models.projection import legal_name
from workbench.agent.models.providers.shared import Way

EMPTY = "[empty]"
"""What stands for a result without a word."""

NO_IMAGES = "(tool image omitted: model does not support images)"
"""What stands for the images of a result where the model takes none."""

GONE = "(tool image omitted: it is not in the Space any more)"
"""What stands for images whose bytes cannot be read."""

NO_KIND = "(tool image omitted: models do not take its kind)"
"""What stands for images that are neither PNG, JPEG, GIF nor WebP."""

BEHIND = "[image: in the message behind the results]"
"""What stands for a result of nothing but images, where these cannot stand in it."""

KINDS = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The kinds of images that are sent. Both providers refuse a whole request for one of another kind."""


def results_of(message: Mapping[str, Any], ask: Ask, way: Way) -> list[ModelRequestPart]:
    """The results that a message of role `tool` holds.

    Behind Anthropic's protocol an image stands in its result, and a failed call is marked as one. Behind OpenAI's a
    result is text alone: its images come in a message of their own behind all results, each named by its call, and
    there is no mark.
    """
    parts: list[ModelRequestPart] = []
    behind: list[UserContent] = []
    for result in message.get("results", ()):
        name = legal_name(result["name"], way.rules)
        text, images = _told(result, ask, way)
        if way.provider == "anthropic":
            content = [*([text] if text else []), *images] if images else or_else(text, EMPTY)
            failed = bool(result.get("is_error"))
            parts.append(ToolReturnPart(name, content, result["id"], outcome="failed" if failed else "success"))
            continue
        parts.append(ToolReturnPart(name, or_else(text, BEHIND if images else EMPTY), result["id"]))
        if images:
            many = "The image" if len(images) == 1 else f"The {len(images)} images"
            behind += [f"[{many} in the result of {name}, call {result['id']}:]", *images]
    return [*parts, UserPromptPart(behind)] if behind else parts


def or_else(text: str | None, instead: str) -> str:
    """The text, or what stands for one without a word: Anthropic refuses a block that is only white space."""
    return text if text and text.strip() else instead


def _told(result: Mapping[str, Any], ask: Ask, way: Way) -> tuple[str, list[BinaryContent]]:
    """The text of a result, with a word on each reason why images of it are left out; and the images that are not."""
    said: list[str] = [text] if (text := or_else(result["text"], "")) else []
    named: Sequence[Mapping[str, Any]] = result.get("images") or ()
    if named and not way.images:
        return "\n".join([*said, NO_IMAGES]), []
    fit = [image for image in named if image["mime_type"] in KINDS]
    there = [image for image in fit if image["cid"] in ask.images]
    said += [NO_KIND] if len(fit) < len(named) else []
    said += [GONE] if len(there) < len(fit) else []
    return "\n".join(said), [BinaryContent(ask.images[image["cid"]], media_type=image["mime_type"]) for image in there]

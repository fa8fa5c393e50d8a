"""An `Ask` in the words of Pydantic AI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic_ai.messages import (
    INVALID_JSON_KEY,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from workbench.agent.models.model import Ask
from workbench.agent.models.projection import legal_name
from workbench.agent.models.providers.sdk.results import or_else, results_of
from workbench.agent.models.providers.sdk.thoughts import thinking_part
from workbench.agent.models.providers.shared import Way
from workbench.harness.log.replay import WORDLESS
from workbench.harness.strict_json import canonical


def messages_of(ask: Ask, way: Way) -> list[ModelMessage]:
    """The system text and the messages, each as one of theirs."""
    mapped: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(ask.system)])] if ask.system.strip() else []
    for message in ask.messages:
        if message["role"] == "assistant":
            mapped.append(ModelResponse(parts=_said(message, way), provider_name=way.provider))
        else:
            mapped.append(ModelRequest(parts=_told(message, ask, way)))
    return mapped


def parameters_of(ask: Ask) -> ModelRequestParameters:
    """The tools, their schemas word for word."""
    tools = [
        ToolDefinition(
            name=tool["name"], description=tool.get("description"), parameters_json_schema=tool["input_schema"]
        )
        for tool in ask.tools
    ]
    return ModelRequestParameters(function_tools=tools, allow_text_output=True)


def settings_of(ask: Ask, way: Way) -> ModelSettings:
    """The tighter bound of the answer, and the owner's options as they are."""
    settings = ModelSettings()
    bounds = [most for most in (ask.max_tokens, way.max_tokens) if most is not None]
    if bounds:
        settings["max_tokens"] = min(bounds)
    if way.options:
        settings["extra_body"] = dict(way.options)
    return settings


def _told(message: Mapping[str, Any], ask: Ask, way: Way) -> list[ModelRequestPart]:
    if message["role"] != "tool":
        return [UserPromptPart(or_else(message.get("text"), WORDLESS))]
    return results_of(message, ask, way)


def _said(message: Mapping[str, Any], way: Way) -> list[ModelResponsePart]:
    thoughts = [thinking_part(thought, way) for thought in message.get("thinking", ())]
    parts: list[ModelResponsePart] = [part for part in thoughts if part is not None]
    calls = message.get("calls", ())
    if text := or_else(message.get("text"), "" if calls else WORDLESS):
        parts.append(TextPart(text))
    for call in calls:
        parts.append(ToolCallPart(legal_name(call["name"], way.rules), _arguments(call["input"]), call["id"]))
    return parts


def _arguments(given: Any) -> dict[str, Any]:
    """What a call was given. Providers take an object only, so whatever is none stands as a text under one key."""
    if isinstance(given, dict):
        return cast("dict[str, Any]", given)
    return {INVALID_JSON_KEY: given if isinstance(given, str) else canonical(given)}

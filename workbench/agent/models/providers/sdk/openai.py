"""OpenAI's protocol through its library."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import httpx2
from openai import AsyncOpenAI
from openai.types import chat
from pydantic_ai.models import StreamedResponse
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import RequestUsage

from workbench.agent.models.model import Usage
from workbench.agent.models.providers.sdk.chunks import openai_chunk
from workbench.agent.models.providers.sdk.line import NEUTRAL, SdkLine
from workbench.agent.models.providers.sdk.transport import NO_KEY, client, timeouts
from workbench.agent.models.providers.shared import Way
from workbench.agent.models.usage import usage_of

T = TypeVar("T")


class Sdk(AsyncOpenAI):
    """The library's client, which is given each piece as `openai_chunk` leaves it."""

    def _process_response_data(self, *, data: object, cast_to: type[T], response: httpx2.Response) -> T:
        return super()._process_response_data(data=openai_chunk(data), cast_to=cast_to, response=response)


class Streamed(OpenAIStreamedResponse):
    """A response that keeps the tokens as its server counted them: nothing reported is not the same as none."""

    counted: Usage | None = None

    def _map_usage(self, response: chat.ChatCompletionChunk) -> RequestUsage:
        usage = response.usage
        if usage is not None:
            cached = getattr(usage.prompt_tokens_details, "cached_tokens", None)
            self.counted = usage_of(
                getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None), cached
            )
        return RequestUsage()


class Chat(OpenAIChatModel):
    """The library's model, with responses of ours."""

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return Streamed


def line(way: Way, key: str | None, sending: bool) -> SdkLine:
    """A line to OpenAI, or to an address that speaks its protocol."""
    http = client(way, key, sending=sending)
    sdk = Sdk(
        base_url=way.base_url,
        api_key=key or NO_KEY,
        http_client=http,
        max_retries=0,
        timeout=timeouts(way),
    )
    profile = cast("OpenAIModelProfile", dict(NEUTRAL))
    profile["thinking_tags"] = cast("Any", None)  # text stays text, wherever its pieces end
    profile["openai_supports_strict_tool_definition"] = False
    profile["openai_chat_streaming_requires_finish_reason"] = True
    # the newer name is OpenAI's own; others know the older one only
    profile["openai_chat_supports_max_completion_tokens"] = way.own
    model = Chat(way.name, provider=OpenAIProvider(openai_client=sdk), profile=lambda _: profile)
    return SdkLine(way, key, model, http, _counted)


def _counted(response: StreamedResponse) -> Usage | None:
    return response.counted if isinstance(response, Streamed) else None

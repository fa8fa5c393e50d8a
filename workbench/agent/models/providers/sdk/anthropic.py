"""Anthropic's protocol through its library."""

from __future__ import annotations

from functools import cache
from typing import TypeVar, cast

import httpx2
from anthropic import Anthropic, AsyncAnthropic
from pydantic_ai.models import StreamedResponse
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.profiles.anthropic import AnthropicModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider

from workbench.agent.models.model import Usage
from workbench.agent.models.providers.sdk.chunks import anthropic_event
from workbench.agent.models.providers.sdk.line import NEUTRAL, SdkLine
from workbench.agent.models.providers.sdk.transport import NO_KEY, client, timeouts
from workbench.agent.models.providers.shared import Way
from workbench.agent.models.usage import tokens, usage_of

T = TypeVar("T")


class Sdk(AsyncAnthropic):
    """The library's client, which is given each event as `anthropic_event` leaves it."""

    def _process_response_data(self, *, data: object, cast_to: type[T], response: httpx2.Response) -> T:
        return super()._process_response_data(data=anthropic_event(data), cast_to=cast_to, response=response)


def line(way: Way, key: str | None, sending: bool) -> SdkLine:
    """A line to Anthropic, or to an address that speaks its protocol."""
    if sending:
        _meet_an_event()
    http = client(way, key, sending=sending)
    sdk = Sdk(
        base_url=way.base_url,
        api_key=key or NO_KEY,
        http_client=http,
        max_retries=0,
        timeout=timeouts(way),
    )
    profile = cast("AnthropicModelProfile", dict(NEUTRAL))
    profile["anthropic_disallows_sampling_settings"] = False  # the owner's options go out, whatever they are
    profile["anthropic_binds_thinking_blocks"] = False  # else a refused request is sent again, changed
    model = AnthropicModel(way.name, provider=AnthropicProvider(anthropic_client=sdk), profile=lambda _: profile)
    return SdkLine(way, key, model, http, _counted)


@cache
def _meet_an_event() -> None:
    """Let the library see an event here, off the event loop: at the first one it works 50 ms on the types of all."""

    def last_event(_: httpx2.Request) -> httpx2.Response:
        text = 'event: message_stop\ndata: {"type": "message_stop"}\n\n'
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, text=text)

    http = httpx2.Client(transport=httpx2.MockTransport(last_event))
    with Anthropic(base_url="http://nowhere.invalid", api_key=NO_KEY, http_client=http, max_retries=0) as sdk:
        for _ in sdk.beta.messages.create(model="none", max_tokens=1, messages=[], stream=True):
            pass


def _counted(response: StreamedResponse) -> Usage | None:
    """The tokens as they were counted: Anthropic's own count of the input leaves out what the cache had to do with."""
    counts = response.usage.details
    parts = [
        tokens(counts.get(name)) for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    ]
    known = [count for count in parts if count is not None]
    return usage_of(sum(known) if known else None, counts.get("output_tokens"), parts[1], parts[2])

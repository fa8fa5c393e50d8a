"""A model of Pydantic AI behind our `Line`: asked, watched, and seen without sending."""

from __future__ import annotations

import warnings
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager

import httpx2
from pydantic_ai.direct import model_request_stream
from pydantic_ai.models import Model, StreamedResponse
from pydantic_ai.profiles import DEFAULT_PROFILE, ModelProfile

from workbench.agent.models.model import Ask, Body, Piece, Text, Usage
from workbench.agent.models.providers.sdk.faults import Faults
from workbench.agent.models.providers.sdk.messages import messages_of, parameters_of, settings_of
from workbench.agent.models.providers.sdk.stream import MOST_OF_AN_ANSWER, Reader, answer_of
from workbench.agent.models.providers.sdk.transport import Caught
from workbench.agent.models.providers.shared import Way

# they go to stderr, which the screen is drawn on, and say nothing that we could do something about
warnings.filterwarnings("ignore", module=r"pydantic_ai\.|pydantic\.main")

NEUTRAL: ModelProfile = {
    **DEFAULT_PROFILE,
    "json_schema_transformer": None,
    "may_tokenize_special_tokens_in_content": False,
    "mimics_assistant_message_formatting": False,
    "ignore_streamed_leading_whitespace": False,
}
"""Says nothing of any model: what we give goes out as it is, under whichever name the model has."""


class SdkLine:
    """One model, one client. `usage_of` reads what a finished response cost."""

    def __init__(
        self,
        way: Way,
        key: str | None,
        model: Model,
        http: httpx2.AsyncClient,
        usage_of: Callable[[StreamedResponse], Usage | None],
    ) -> None:
        self._way = way
        self._model = model
        self._http = http
        self._usage_of = usage_of
        self._faults = Faults(way, key)

    async def stream(self, ask: Ask) -> AsyncGenerator[Piece, None]:
        """Send, and give what comes."""
        try:
            async with self._request(ask) as response:
                reader = Reader()
                said = False
                async for event in response:
                    for piece in reader.read(event):
                        if reader.bytes > MOST_OF_AN_ANSWER:
                            raise self._faults.too_much()
                        said = said or isinstance(piece, Text)
                        yield piece
                for piece in reader.rest():
                    yield piece
                answer = answer_of(response.get(), self._way, self._usage_of(response))
            if answer is None:
                raise self._faults.broken_off()
        except Exception as error:
            # without its cause, which holds the request and with it the key
            raise self._faults.of(error) from None
        if answer.text and not said:
            yield Text(answer.text)
        yield answer

    async def body(self, ask: Ask) -> Body:
        """What `stream` would send; for a line whose client catches."""
        try:
            async with self._request(ask):
                raise AssertionError("a request went out that was only to be looked at")
        except Caught as caught:
            return caught.body
        except Exception as error:
            raise self._faults.unbuilt(error) from None

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    def _request(self, ask: Ask) -> AbstractAsyncContextManager[StreamedResponse]:
        return model_request_stream(
            self._model,
            messages_of(ask, self._way),
            model_settings=settings_of(ask, self._way),
            model_request_parameters=parameters_of(ask),
            instrument=False,
        )

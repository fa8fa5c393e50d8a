"""The seam between the loop and whatever answers it: what a model is asked, what it says, how it fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct, field

from workbench.harness.errors import Code, HarnessError
from workbench.harness.log.events import Thought, Usage

__all__ = [
    "Answer",
    "Ask",
    "Body",
    "Calling",
    "Choice",
    "Finish",
    "Loss",
    "Model",
    "ModelCall",
    "ModelFault",
    "Piece",
    "Price",
    "Projection",
    "Text",
    "Thinking",
    "Thought",
    "Usage",
]

Finish = Literal["stop", "calls", "length", "refusal"]
"""Why a model stopped: it had said all, it calls tools, its length limit cut it, its provider refused to go on."""


class Ask(Struct, frozen=True):
    """What a model is asked: the harness's request, provider-neutral.

    `tools` are `{name, description, input_schema}`, `messages` as `workbench.harness.log.replay` makes them.
    `answered` counts the answers that this model has given in this thread before, also those that the request leaves
    out; one that broke off is none. `max_tokens` bounds the answer; None leaves it to the model's own settings.
    `images` has the bytes of the images that the messages name, by their CIDs: none for a model that takes none, and
    none of those that are gone.
    """

    system: str
    tools: tuple[Mapping[str, Any], ...]
    messages: tuple[Mapping[str, Any], ...]
    answered: int = 0
    max_tokens: int | None = None
    images: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


class Text(Struct, frozen=True):
    """More of what the model says."""

    text: str


class Thinking(Struct, frozen=True):
    """More of what the model thinks, where its provider shows it."""

    text: str


class Calling(Struct, frozen=True):
    """A call that is being written: the number of it in this answer, its tool, and more of its arguments' text."""

    index: int
    name: str
    text: str


class ModelCall(Struct, frozen=True):
    """A call that the model made. `input` is the parsed JSON, or the text itself where it is no JSON."""

    name: str
    input: Any


class Answer(Struct, frozen=True):
    """A whole answer, the last thing that a stream gives."""

    text: str
    calls: tuple[ModelCall, ...]
    finish: Finish
    thinking: tuple[Thought, ...] = ()
    usage: Usage | None = None


Piece = Text | Thinking | Calling | Answer


class Loss(Struct, frozen=True):
    """What of a contract a provider is not sent: the tool, where in its schema, the keyword, and why, in words."""

    tool: str
    path: str
    keyword: str
    why: str


class Projection(Struct, frozen=True):
    """The tools as a provider's rules allow them, in their order, and what that cost."""

    tools: tuple[Mapping[str, Any], ...]
    losses: tuple[Loss, ...] = ()


class Body(Struct, frozen=True):
    """The very request that an adapter sends: its address, and its body's bytes. Never a header, which has the key."""

    method: str
    url: str
    body: bytes


class ModelFault(HarnessError):
    """A model could not answer. `again` says whether asking again may help, `after_secs` when the provider says so."""

    def __init__(self, code: Code, message: str, *, again: bool = False, after_secs: float | None = None) -> None:
        super().__init__(code, message)
        self.again = again
        self.after_secs = after_secs


class Price(Struct, frozen=True):
    """What a million tokens cost, in the currency that the owner wrote; None where it was not said."""

    input: float | None = None
    output: float | None = None
    cache_read: float | None = None


class Model(Protocol):
    """Something that answers. Made anew for each turn; `close` gives back what it holds."""

    @property
    def id(self) -> str:
        """How the owner names it, such as `openai:gpt-5`."""
        ...

    @property
    def provider(self) -> str:
        """`scripted`, `replay`, `openai` or `anthropic`."""
        ...

    @property
    def context_tokens(self) -> int | None:
        """How many tokens a request may have; None where there is no bound."""
        ...

    @property
    def takes_images(self) -> bool | None:
        """Whether it is sent images; None where nobody said so, and then it is sent none."""
        ...

    @property
    def price(self) -> Price:
        """What its tokens cost."""
        ...

    @property
    def order(self) -> Sequence[Literal["system", "tools", "messages"]]:
        """In which order the provider reads a request: its cache keeps what is the same from the beginning."""
        ...

    def project(self, tools: Sequence[Mapping[str, Any]]) -> Projection:
        """The tools as this provider is given them. Pure."""
        ...

    async def body(self, ask: Ask) -> Body | None:
        """The request that `stream` would send, without sending it; None for a model that sends nothing."""
        ...

    def stream(self, ask: Ask) -> AsyncIterator[Piece]:
        """Ask, and give what comes as it comes; the last piece is the `Answer`.

        Cancelling the task that iterates, or closing the iterator, stops the request.

        Raises:
            ModelFault: it did not answer, or not to the end.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Choice(Struct, frozen=True):
    """The owner's words on one model, from the settings `models.<id>`: all optional."""

    base_url: str | None = None
    key: str | None = None
    context: int | None = None
    max_tokens: int | None = None
    images: bool | None = None
    price: Price = field(default_factory=Price)
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

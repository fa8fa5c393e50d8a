"""The events of the log, as values: what each type says."""

from __future__ import annotations

from typing import Any, Literal, get_args

from msgspec import Struct

from workbench.harness.names import TOOLBOX_BINDING

Actor = Literal["user", "agent", "system", "trigger"]
ACTORS: tuple[str, ...] = get_args(Actor)

Surface = Literal["verbs", "toolbox"]
"""What a thread's requests are made of, fixed by its first event."""


class EventBase(Struct, frozen=True, kw_only=True):
    """What every event has. `seq` counts from 1 in its thread, `number` over all; `time` is ISO 8601, UTC.

    `surface` stands in a thread's first event only.
    """

    number: int
    thread: str
    seq: int
    time: str
    actor: Actor
    surface: Surface | None = None


class Thought(Struct, frozen=True, omit_defaults=True):
    """What a model thought before it spoke. `signature` is what `provider` wants back together with the text."""

    text: str
    signature: str | None = None
    provider: str | None = None


Cut = Literal["length", "aborted", "failed"]
"""Why what was said has no end: its length limit, an abort, or the model failed in the middle."""


class Message(EventBase, frozen=True, kw_only=True):
    """What one party said. `message` is the id that the calls made in the same breath carry.

    `thinking` and `cut` are a model's; one that only thought and called has no text.
    """

    role: Literal["user", "assistant"]
    text: str
    message: str
    thinking: tuple[Thought, ...] = ()
    cut: Cut | None = None
    type: Literal["message"] = "message"


class ToolCall(EventBase, frozen=True, kw_only=True):
    """An act that began: the verb, or the promoted tool called directly, with its raw input. `id` names the call.

    `binding` says which tool that is where the name alone does not, such as `toolbox:read`, which is not the verb;
    `cwd` is the directory of this machine that such a call acts in.
    """

    id: str
    name: str
    input: Any
    message: str
    process: str
    binding: str | None = None
    cwd: str | None = None
    type: Literal["tool_call"] = "tool_call"

    @property
    def on_machine(self) -> bool:
        """Whether it was meant for the real machine, by whatever name, and not for the Space."""
        return self.binding is not None and self.binding.startswith(TOOLBOX_BINDING)


class ToolResult(EventBase, frozen=True, kw_only=True):
    """How the call `id` ended: with `output`, or with an `error` of `{code, message}`."""

    id: str
    name: str
    output: Any = None
    error: dict[str, str] | None = None
    type: Literal["tool_result"] = "tool_result"


class Run(EventBase, frozen=True, kw_only=True):
    """A run of this thread started or ended. While its process lives, the thread has no other."""

    run: str
    state: Literal["start", "end"]
    reason: str
    process: str
    type: Literal["run"] = "run"


class Usage(Struct, frozen=True, omit_defaults=True):
    """Tokens as a provider reports them; None where it does not. `input` includes what came from its cache."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


class RequestSent(EventBase, frozen=True, kw_only=True):
    """What a provider was sent, by the CIDs of its parts: raw blocks with the very text, or JSON, of each.

    `callables` is the block with the names that could be called then; `bytes` counts as `Request.bytes` does;
    `left_out` is how many of the older messages the request went without. `upto` is the number of the newest event that
    it was made of: whatever came between that and this one the model has not seen. `max_tokens` bounds the answer.
    """

    request: str
    run: str
    model: str
    system: str
    tools: tuple[str, ...]
    messages: tuple[str, ...]
    callables: str
    bytes: dict[str, int]
    left_out: int = 0
    upto: int | None = None
    max_tokens: int | None = None
    state: Literal["sent"] = "sent"
    type: Literal["request"] = "request"


Finish = Literal["stop", "calls", "length", "refusal", "aborted", "failed"]
"""How a request ended: the model was done, it calls, it was cut, its provider refused; it was aborted; it failed."""


class RequestEnded(EventBase, frozen=True, kw_only=True):
    """How a request ended, what its provider says that it took, and how long: to the first word, and in all.

    `error` has the `{code, message}` of one that failed; `cost` is in the currency of the owner's prices.
    """

    request: str
    finish: Finish
    usage: Usage | None = None
    first_ms: int | None = None
    duration_ms: int = 0
    cost: float | None = None
    error: dict[str, str] | None = None
    state: Literal["ended"] = "ended"
    type: Literal["request"] = "request"


class Approval(EventBase, frozen=True, kw_only=True):
    """The owner's answer to what waited: a setting by its key, with the value it had, or a call by its id; yes or no.

    `approved` None is the question itself, asked before a call acts; `value` then says of which tool, and why.
    """

    key: str
    value: Any
    approved: bool | None
    type: Literal["approval"] = "approval"


class Fork(EventBase, frozen=True, kw_only=True):
    """This thread continues `parent`, with everything up to `parent_seq` as its past."""

    parent: str
    parent_seq: int
    type: Literal["fork"] = "fork"


Event = Message | ToolCall | ToolResult | RequestSent | RequestEnded | Run | Approval | Fork

"""What may stand before and after a call of the toolbox: block it, change its input, replace its answer."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.host_tool import (
    HostContext,
    HostTool,
    ImageBlock,
    Signal,
    TextBlock,
    ToolAnswer,
)
from workbench.harness.tools.toolbox.refusal import words_of

BLOCKED = "Tool execution was blocked"
"""What a blocked call says, where its hook gives no reason."""


class CallMade(Struct, frozen=True, kw_only=True):
    """A call that fits its schema. `raw` is its input as it was sent, `params` as it would be executed now.

    Both are copies: a hook changes a call by what it returns, never in place.
    """

    tool: HostTool
    call_id: str
    raw: Any
    params: Mapping[str, Any]
    signal: Signal
    ctx: HostContext


class Blocked(Struct, frozen=True):
    """Says that a call does not happen."""

    reason: str = BLOCKED


Before = Callable[[CallMade], Awaitable[Blocked | Mapping[str, Any] | None]]
"""Asked before a call: None lets it pass, a mapping is the whole of its new input, which is held against the schema."""


class Replaced(Struct, frozen=True, kw_only=True):
    """What takes the place of an answer's parts, each as a whole; what is UNSET stays.

    `is_error` turns a success into a failure, whose words are the texts of the content, and a failure into a success.
    """

    content: tuple[TextBlock | ImageBlock, ...] | msgspec.UnsetType = msgspec.UNSET
    details: Mapping[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    is_error: bool | msgspec.UnsetType = msgspec.UNSET


class CallDone(Struct, frozen=True, kw_only=True):
    """A call that was executed. Of a failure the answer is its words, and `error` says what kind it is."""

    made: CallMade
    answer: ToolAnswer
    error: HarnessError | None = None


After = Callable[[CallDone], Awaitable[Replaced | None]]
"""Told of a call that was executed, whether it failed or not; may replace what came of it."""


class Hooks(Struct, frozen=True):
    """The hooks of a call, each kind in its order. The first that blocks or fails ends the call."""

    before: tuple[Before, ...] = ()
    after: tuple[After, ...] = ()


async def ask_before(hook: Before, made: CallMade) -> Mapping[str, Any] | None:
    """Ask one hook: None, or the new input.

    Raises:
        HarnessError: `refused` when it blocks the call; `failed` with the message of an exception of the hook.
    """
    try:
        said = await hook(made)
    except HarnessError:
        raise
    except Exception as error:
        raise HarnessError("failed", words_of(error)) from error
    if isinstance(said, Blocked):
        raise HarnessError("refused", said.reason or BLOCKED)
    return None if said is None else copy.deepcopy(dict(said))


async def ask_after(hook: After, done: CallDone) -> CallDone:
    """Tell one hook: what came of the call, as it has it.

    Raises:
        HarnessError: `failed` with the message of an exception of the hook.
    """
    try:
        said = await hook(done)
    except HarnessError:
        raise
    except Exception as error:
        raise HarnessError("failed", words_of(error)) from error
    if said is None:
        return done
    answer = ToolAnswer(
        done.answer.content if said.content is msgspec.UNSET else said.content,
        done.answer.details if said.details is msgspec.UNSET else said.details,
    )
    failed = done.error is not None if said.is_error is msgspec.UNSET else said.is_error
    if not failed:
        return CallDone(made=done.made, answer=answer)
    same = done.error is not None and done.error.message == answer.text
    error = done.error if same else HarnessError(done.error.code if done.error else "failed", answer.text)
    return CallDone(made=done.made, answer=answer, error=error)

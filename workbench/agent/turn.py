"""One turn: from a message to the point where the model stops calling. The loop; every act of it goes by the door."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Any, Literal, cast

from msgspec import Struct, structs

from workbench.agent.body import Blocks, ask_of
from workbench.agent.models.known import KnownAnswers
from workbench.agent.models.model import Answer, Ask, Model, ModelFault, Piece, Text, Thinking
from workbench.agent.retry import Backoff
from workbench.harness.door.door import Said
from workbench.harness.errors import HarnessError
from workbench.harness.harness import Harness
from workbench.harness.log.events import Actor, Cut, Finish, RequestSent, Thought, Usage
from workbench.harness.log.log import Outcome
from workbench.harness.request import Request
from workbench.harness.text import cut_bytes

MAX_TEXT_BYTES = 1024 * 1024
"""How much of an answer's text is kept, as of any message."""

MAX_CALLS = 64
"""How many calls of one answer are run; a model that goes wrong can write thousands."""

LENGTH_CUTS = 3
"""How many answers in a row may be cut by their length before the turn ends."""

NOTHING_DUE = "Nothing in this thread waits for an answer."
"""What there is to say where a turn is to go on and has nothing to go on with; no run is begun then."""

Reason = Literal["done", "max_steps", "max_tokens", "length", "refusal", "aborted", "failed"]
"""Why a turn ended: the model was done; a bound of the settings; its length limit; its provider; the owner; a fault."""


class Requested(Struct, frozen=True):
    """A request was recorded and goes out now."""

    sent: RequestSent


class Streamed(Struct, frozen=True):
    """A piece of the answer came."""

    piece: Piece


class Answered(Struct, frozen=True):
    """The answer is whole, and stands in the log before its calls run; what was streamed of it is not needed now."""

    sent: RequestSent


class Waiting(Struct, frozen=True):
    """The model failed and is asked again after a while; what was streamed of that answer is void."""

    fault: ModelFault
    secs: float


Note = Requested | Streamed | Answered | Waiting


class TurnEnd(Struct, frozen=True):
    """How a turn ended: why, in words where it is not plainly done, and what it took."""

    thread: str
    run: str
    reason: Reason
    words: str = ""
    requests: int = 0
    usage: Usage = Usage()
    cost: float | None = None


class _Over(Exception):
    """The turn is over."""

    def __init__(self, reason: Reason, words: str = "") -> None:
        super().__init__(words)
        self.reason: Reason = reason
        self.words = words


async def turn(
    harness: Harness,
    thread: str,
    model: Model,
    text: str | None = None,
    *,
    actor: Actor = "user",
    told: Callable[[Note], None] = lambda note: None,
    backoff: Backoff | None = None,
) -> TurnEnd:
    """Say something to the agent, or with None go on where it was interrupted, and let its model act.

    `told` hears what is not in the log: pieces as they come, and waits. Cancelling the task aborts the turn: calls
    that run are cancelled, what was said so far is kept, and the log stays whole.

    Raises:
        HarnessError: `bad_input` or `limit` for a text that cannot be said; `conflict` while another turn of the thread
            lives, in whatever process. Nothing was said then.
            A model that fails is no exception: the turn ends as `failed`, with its words.
    """
    if text is not None:
        harness.check_said(text)
    elif not _is_due(harness.request(thread)):
        return TurnEnd(thread, "", "done", NOTHING_DUE)
    run = await harness.start_run(thread, actor, f"a turn of {model.id}")
    one = _Turn(harness, thread, run, model, told, backoff or Backoff())
    reason: Reason = "failed"
    words = "the workbench itself failed"
    try:
        if text is not None:
            await harness.say(text, actor, thread)
        await one.go()
        reason, words = "done", ""
    except _Over as over:
        reason, words = over.reason, over.words
    except asyncio.CancelledError:
        reason, words = "aborted", "aborted"
        raise
    except HarnessError as error:
        words = error.message
        raise
    finally:
        await harness.end_run(thread, run, actor, f"{reason}: {words}" if words and words != reason else reason)
    return TurnEnd(thread, run, reason, words, one.requests, one.usage, one.cost)


class _Turn:
    def __init__(
        self,
        harness: Harness,
        thread: str,
        run: str,
        model: Model,
        told: Callable[[Note], None],
        backoff: Backoff,
    ) -> None:
        self._harness = harness
        self._thread = thread
        self._run = run
        self._model = model
        self._told = told
        self._backoff = backoff
        self._blocks = Blocks(harness.block)
        self.requests = 0
        self.usage = Usage()
        self.cost: float | None = None
        self._spent = 0
        self._steps = 0
        self._cuts = 0

    async def go(self) -> None:
        """Ask, record, do, until nothing is left to answer. Raises _Over for any other end."""
        while True:
            settings = self._harness.settings().settings
            if self._steps >= settings.max_steps:
                raise _Over(
                    "max_steps",
                    f"{self._steps} answers are the most that one turn may have (turn.max_steps). Say something to "
                    "go on.",
                )
            left = None
            if settings.max_tokens is not None:
                left = settings.max_tokens - self._spent
                if left <= 0:
                    raise _Over(
                        "max_tokens",
                        f"The answers of this turn have the {settings.max_tokens:,} tokens that they may have "
                        "(turn.max_tokens). Say something to go on.",
                    )
            asked = await self._asked(left)
            if asked is None:
                return
            self._steps += 1
            await self._do(*asked)

    async def _asked(self, left: int | None) -> tuple[RequestSent, Answer, _Took] | None:
        """Ask until there is an answer; None where nothing waits for one.

        Every try is a request of its own, made anew: the owner may have said something while it was waited.
        """
        failed = 0
        while True:
            # What a process left behind is settled first, so that no later request has other words for it.
            await self._harness.settle()
            request = self._harness.request(self._thread, context_tokens=self._model.context_tokens)
            if not _is_due(request):
                return None
            # Only a model whose answers are known before has use for their number.
            known = isinstance(self._model, KnownAnswers)
            given = self._harness.answers_of(self._thread, self._model.id) if known else 0
            ask = await ask_of(request, self._model, left, given, self._blocks)
            self.requests += 1
            images = self._model.takes_images
            # Where it is not known of a provider's model, none is sent; whoever reads an image is told so.
            sees = images if images is not None or known else False
            sent = await self._harness.send(self._thread, self._run, self._model.id, request, left, sees)
            self._told(Requested(sent))
            took = _Took()
            try:
                return sent, await self._streamed(ask, took), took
            except asyncio.CancelledError:
                await self._aborted(sent, took)
                raise
            except ModelFault as fault:
                if _is_cancelled():
                    # What broke while it was being aborted is no reason to ask again.
                    await self._aborted(sent, took)
                    raise asyncio.CancelledError from fault
                failed += 1
                secs = self._backoff.wait_secs(fault, failed)
                if secs is None:
                    await self._partly(sent, took, "failed", "failed", fault)
                    raise _Over("failed", fault.message) from fault
                await self._harness.answered(sent, took.outcome("failed", error=fault))
                self._told(Waiting(fault, secs))
                await asyncio.sleep(secs)

    async def _streamed(self, ask: Ask, took: _Took) -> Answer:
        answer: Answer | None = None
        try:
            async with aclosing(cast("Any", self._model.stream(ask))) as pieces:
                async for piece in pieces:
                    took.note(piece)
                    if isinstance(piece, Answer):
                        answer = piece
                    else:
                        self._told(Streamed(piece))
        except HarnessError:
            raise
        except Exception as error:
            raise ModelFault("failed", f"{self._model.id} failed: {type(error).__name__}: {error}") from error
        if answer is None:
            raise ModelFault("failed", f"{self._model.id} stopped without an answer.", again=True)
        return answer

    async def _aborted(self, sent: RequestSent, took: _Took) -> None:
        """Keep what was said before the abort, which it stays also where that cannot be written."""
        with suppress(HarnessError):
            await self._partly(sent, took, "aborted", "aborted")

    async def _partly(
        self, sent: RequestSent, took: _Took, finish: Finish, cut: Cut, fault: HarnessError | None = None
    ) -> None:
        """Keep what was said before it broke off; its calls, whole or not, are not run."""
        said = Said(_kept(took.text), tuple(_thoughts(took.thinking)), cut)
        kept = said if said.text or said.thinking else None
        await self._harness.answered(sent, took.outcome(finish, error=fault), kept)

    async def _do(self, sent: RequestSent, answer: Answer, took: _Took) -> None:
        """Record an answer, do its calls, and say what of it was not done. Raises _Over when the turn ends with it."""
        usage = answer.usage
        self.usage = _sum(self.usage, usage)
        output = usage.output if usage is not None else None
        self._spent += output if output is not None else len(answer.text.encode("utf-8", "replace")) // 3
        cost = _cost(self._model, usage)
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost
        cut_short = answer.finish == "length"
        finish: Finish = "calls" if answer.calls and answer.finish == "stop" else answer.finish
        text = _kept(answer.text)
        thinking = tuple(structs.replace(thought, text=_kept(thought.text)) for thought in answer.thinking)
        said = Said(text, thinking, "length" if cut_short or len(text) < len(answer.text) else None)
        able = () if cut_short or answer.finish == "refusal" else answer.calls[:MAX_CALLS]
        self._told(Answered(sent))
        done = await self._harness.answered(
            sent, took.outcome(finish, usage=usage, cost=cost), said, [(call.name, call.input) for call in able]
        )
        if answer.finish == "refusal":
            raise _Over("refusal", f"{self._model.id} declined to go on.")
        if cut_short:
            await self._say_cut(answer)
            return
        self._cuts = 0
        refused = [
            f"{call.name[:80]}: {outcome.message}"
            for call, outcome in zip(able, done, strict=True)
            if isinstance(outcome, HarnessError) and outcome.thread is None
        ]
        if len(answer.calls) > MAX_CALLS:
            refused.append(f"{len(answer.calls) - MAX_CALLS} more calls: at most {MAX_CALLS} of one answer are run")
        if refused:
            await self._tell_model("Not run, and not in the log: " + "; ".join(refused))
        if not answer.calls and not answer.text.strip() and not answer.thinking:
            raise _Over("done", f"{self._model.id} answered nothing.")

    async def _say_cut(self, answer: Answer) -> None:
        """An answer that its length limit cut runs nothing: the input of its calls may be half of what was meant."""
        self._cuts += 1
        words = "The answer was cut by its length limit"
        if not answer.calls or self._cuts >= LENGTH_CUTS:
            raise _Over("length", f"{words}; nothing of it was run. Raise max_tokens of the model, or ask for less.")
        names = ", ".join(call.name[:80] for call in answer.calls[:8])
        await self._tell_model(
            f"{words}, so none of its {len(answer.calls)} calls were run ({names}): their input may be incomplete. "
            "Call again, with less at once."
        )

    async def _tell_model(self, text: str) -> None:
        await self._harness.say(text, "system", self._thread)


def _is_cancelled() -> bool:
    """Whether this task is being cancelled, whatever else came of it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _is_due(request: Request) -> bool:
    """Whether something in it waits for an answer."""
    return bool(request.messages) and request.messages[-1]["role"] != "assistant"


class _Took:
    """What came of a request so far, and when."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._first: float | None = None
        self._text: list[str] = []
        self._thinking: list[str] = []

    def note(self, piece: Piece) -> None:
        """A piece came."""
        if self._first is None:
            self._first = time.monotonic()
        if isinstance(piece, Text):
            self._text.append(piece.text)
        elif isinstance(piece, Thinking):
            self._thinking.append(piece.text)

    @property
    def text(self) -> str:
        """What was said so far."""
        return "".join(self._text)

    @property
    def thinking(self) -> str:
        """What was thought so far."""
        return "".join(self._thinking)

    def outcome(
        self,
        finish: Finish,
        *,
        usage: Usage | None = None,
        cost: float | None = None,
        error: HarnessError | None = None,
    ) -> Outcome:
        """How the request ended."""
        first = None if self._first is None else round((self._first - self._began) * 1000)
        return Outcome(finish, usage, first, round((time.monotonic() - self._began) * 1000), cost, error)


def _kept(text: str) -> str:
    """What a model said, as the log can hold it."""
    return cut_bytes(text.encode("utf-8", "replace").decode("utf-8"), MAX_TEXT_BYTES)


def _thoughts(text: str) -> list[Thought]:
    return [Thought(_kept(text))] if text else []


def _sum(one: Usage, other: Usage | None) -> Usage:
    if other is None:
        return one

    def plus(left: int | None, right: int | None) -> int | None:
        return right if left is None else left + (right or 0)

    return Usage(
        plus(one.input, other.input),
        plus(one.output, other.output),
        plus(one.cache_read, other.cache_read),
        plus(one.cache_write, other.cache_write),
    )


def _cost(model: Model, usage: Usage | None) -> float | None:
    """What an answer cost by the owner's prices; None where these, or the tokens, are not known."""
    price = model.price
    if usage is None or (price.input is None and price.output is None):
        return None
    cached = usage.cache_read or 0 if price.cache_read is not None else 0
    return (
        ((usage.input or 0) - cached) * (price.input or 0.0)
        + cached * (price.cache_read or 0.0)
        + (usage.output or 0) * (price.output or 0.0)
    ) / 1_000_000

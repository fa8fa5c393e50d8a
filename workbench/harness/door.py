"""The one way in. Whoever acts, it is logged, done, logged again, and told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.identity import WORKSHOP, new_id, thread_id
from workbench.harness.log.events import (
    ACTORS,
    Actor,
    Cut,
    Message,
    RequestSent,
    Thought,
    ToolCall,
    dumps,
)
from workbench.harness.log.log import Log, Outcome, Parts
from workbench.harness.machine import AskedCall, Machine
from workbench.harness.names import TOOLBOX_BINDING
from workbench.harness.space.library import StoredTool
from workbench.harness.space.memory import MAX_FILE_BYTES
from workbench.harness.space.settings import Waiting
from workbench.harness.space.space import Space
from workbench.harness.tools.builtins.registry import DEFINITIONS
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.definition import ExecutionMode
from workbench.harness.tools.engine import Sandbox
from workbench.harness.verbs.act import Act
from workbench.harness.verbs.carried import split
from workbench.harness.verbs.registry import VERB_DEFINITIONS, handle

AT_ONCE = 8
"""How many calls of one message run beside each other; each may be a sandbox with half a gigabyte of its own."""

MAX_NAME_BYTES = 256
"""How long the name of a direct call may be: long enough for whatever a model makes up, short enough to show."""

CANCELLED = "Cancelled before it ended; what it did until then stays."

NOT_RUN = "Cancelled before it ran. Nothing of it was done."

SETTLED = (
    "While this ran, another process took it for interrupted and recorded that; what it gave is not in the log. "
    "It may have taken effect: look before you do it again."
)

MAX_MESSAGE_BYTES = 1024 * 1024
"""How long something that is said may be."""


class Done(Struct, frozen=True):
    """An act that was done: its result as it entered the log, its thread, and the result's sequence number."""

    result: Any
    thread: str
    seq: int


class Said(Struct, frozen=True):
    """What a model said: its text, what it thought before, and why it has no end where it has none."""

    text: str
    thinking: tuple[Thought, ...] = ()
    cut: Cut | None = None


class Door:
    """Every act of a Space enters here; nothing else writes."""

    def __init__(
        self,
        space: Space,
        log: Log,
        callables: Callables,
        verbs: Mapping[str, StoredTool],
        sandbox: Sandbox,
        tell: Callable[[str, str, str, str], None],
        appended: Callable[[], None],
        machine: Machine,
    ) -> None:
        """`tell` takes thread, call, stage and tail of a running call; `appended` is called after every event.

        `machine` is the way of acts to the real machine.
        """
        self._space = space
        self._log = log
        self._callables = callables
        self._verbs = verbs
        self._sandbox = sandbox
        self._tell = tell
        self._tails: dict[str, str] = {}
        self._appended = appended
        self._machine = machine

    async def perform(
        self, name: str, input: Any, actor: str = "user", thread: str | None = None, message: str | None = None
    ) -> Done:
        """Do an act: a verb, or a tool by its own name.

        Raises:
            HarnessError: the act failed. `thread` and `seq` are set when it reached the log; an act that was refused
                before it existed (an unknown actor, no thread, input too deep or too large) left no event.
        """
        who, where = self._who_and_where(actor, thread)
        await self._check(name, input, where)
        self._before_writing()
        act = self._record(name, input, who, where, _message_id(message))
        self._appended()
        return await self._finish(act)

    async def hand(self, name: str, input: Any, cwd: Path) -> Done:
        """Use, as the owner, a tool of the toolbox in a directory of this machine; logged in the workshop.

        Raises:
            HarnessError: as `perform` does.
        """
        self._check_name(name)
        await asyncio.to_thread(_check_input, name, input)
        # The log holds text, and is to name the very folder that was acted in.
        strict_json.check(str(cwd), what="the working directory")
        self._before_writing()
        act = self._record(name, input, "user", WORKSHOP, new_id("message"), cwd)
        self._appended()
        return await self._finish(act)

    async def answered(
        self, sent: RequestSent, outcome: Outcome, said: Said | None = None, calls: Sequence[tuple[str, Any]] = ()
    ) -> list[Done | HarnessError]:
        """Record how a request ended and what its model said, as the agent's; then do the calls that it made.

        `said` is None where nothing was answered. An answer leaves a message or a call in any case.

        All of that stands in the log at once or not at all, with the calls in their order. They run beside each
        other, unless one of them is sequential: then one after the other. What came of each stands at its place, and
        nothing of it is raised. Cancelled, what was answered is recorded all the same; calls that run are cancelled,
        and those that were not begun say so.
        """
        thread, message = sent.thread, new_id("message")
        checking = asyncio.ensure_future(self._refused(calls, thread))
        cut: asyncio.CancelledError | None = None
        try:
            refused = await asyncio.shield(checking)
        except asyncio.CancelledError as cancelled:
            # What was answered is shown already: it is not lost for the moment that looking at its calls takes.
            cut, refused = cancelled, await checking
        able = [place for place in range(len(calls)) if place not in refused]
        acts: dict[int, Act] = {}
        self._before_writing()
        with self._space.store.writing():
            if said is not None and (said.text or said.thinking or not able):
                self._log.message(thread, "agent", "assistant", said.text, message, said.thinking, said.cut)
            self._log.ended(sent, outcome)
            for place in able:
                acts[place] = self._record(*calls[place], "agent", thread, message)
        self._appended()
        if cut is not None:
            self._not_run(acts.values())
            raise cut
        in_turn = any(self.execution_mode(*calls[place], thread) == "sequential" for place in able)
        ended = await (self._in_turn(acts) if in_turn else self._beside(acts))
        return [refused[place] if place in refused else ended[place] for place in range(len(calls))]

    async def settle(self) -> None:
        """Give the calls that a process left behind their results, as every act does before it begins."""
        self._before_writing()

    async def _refused(self, calls: Sequence[tuple[str, Any]], thread: str) -> dict[int, HarnessError]:
        """Which of these calls cannot even be logged, by their places."""
        refused: dict[int, HarnessError] = {}
        for place, (name, input) in enumerate(calls):
            try:
                await self._check(name, input, thread)
            except HarnessError as error:
                refused[place] = error
        return refused

    async def _in_turn(self, acts: Mapping[int, Act]) -> dict[int, Done | HarnessError]:
        """Do acts one after the other."""
        ended: dict[int, Done | HarnessError] = {}
        try:
            for place, act in acts.items():
                ended[place] = await _outcome(self._finish(act))
        except asyncio.CancelledError:
            self._not_run(act for place, act in acts.items() if place not in ended)
            raise
        return ended

    def _not_run(self, acts: Iterable[Act]) -> None:
        """Record of those that have no result that nothing of them was done."""
        for act in acts:
            with contextlib.suppress(HarnessError):
                if self._log.result_of(act.call) is None:
                    self._failed(act.call, HarnessError("cancelled", NOT_RUN))

    async def _beside(self, acts: Mapping[int, Act]) -> dict[int, Done | HarnessError]:
        """Do acts beside each other."""
        room = asyncio.Semaphore(AT_ONCE)

        async def finish(act: Act) -> Done:
            async with room:
                return await self._finish(act)

        tasks = {place: asyncio.create_task(finish(act), name=f"act {act.call.id}") for place, act in acts.items()}
        try:
            return {place: await _outcome(task) for place, task in tasks.items()}
        except asyncio.CancelledError:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
            # One that was cancelled before its first step has recorded nothing.
            self._not_run(acts.values())
            raise

    def execution_mode(self, name: str, input: Any, thread: str) -> ExecutionMode:
        """Whether a call may run beside the others of its message in a thread; of `call` it is the called tool's."""
        if self._log.surface_of(thread) == "toolbox":
            return self._machine.execution_mode(name)
        body = strict_json.as_object(input) or {}
        named = body.get("tool") if name == "call" else name
        definition = VERB_DEFINITIONS.get(str(named)) or DEFINITIONS.get(str(named))
        return definition.execution_mode if definition is not None else "parallel"

    async def _check(self, name: str, input: Any, thread: str) -> None:
        """Refuse an act that could not even be logged."""
        self._check_name(name)
        # A large input takes a while to look through; whoever draws a screen must not wait for that.
        await asyncio.to_thread(_check_input, name, input)
        if self._log.surface_of(thread) == "toolbox":
            # Nothing there writes the settings.
            return
        # Only acts need it, and whoever opens the app waits for what is loaded before.
        from workbench.harness.verbs.unlogged import refuse_before_logging

        await asyncio.to_thread(refuse_before_logging, input, name)

    def _record(self, name: str, input: Any, actor: Actor, thread: str, message: str, cwd: Path | None = None) -> Act:
        """Record that an act begins; whoever calls this tells of it when it stands.

        `cwd` has the owner act on the real machine, in that directory, whatever the thread's surface.
        """
        on_machine = cwd is not None or self._log.surface_of(thread) == "toolbox"
        where = str(cwd or self._machine.workdir() or "") or None
        call = (
            self._log.call(thread, actor, name, input, message, TOOLBOX_BINDING + name, where)
            if on_machine
            else self._log.call(thread, actor, name, input, message)
        )
        return Act(
            call=call,
            space=self._space,
            log=self._log,
            callables=self._callables,
            sandbox=self._sandbox,
            verbs=self._verbs,
            progress=lambda stage, tail: self._progressed(call, stage, tail),
            host=self._machine.side(call, by_hand=cwd is not None) if on_machine else None,
        )

    def _progressed(self, call: ToolCall, stage: str, tail: str) -> None:
        """A running call said how far it is; its last words are kept for when it is cancelled."""
        self._tails[call.id] = tail
        self._tell(call.thread, call.id, stage, tail)

    async def _finish(self, act: Act) -> Done:
        """Do an act that has begun, and record how it ended."""
        call = act.call
        try:
            result = await handle(act)
            strict_json.check(result, what="the result", max_depth=2 * strict_json.MAX_DEPTH)
            event = self._log.result(call, output=result)
        except HarnessError as error:
            raise self._failed(call, error) from error
        except asyncio.CancelledError as cut:
            cut.args = (self._cancelled(call, cut),)
            raise
        except Exception as error:
            wrong = HarnessError("failed", f"The workbench itself failed at this: {type(error).__name__}: {error}")
            raise self._failed(call, wrong) from error
        finally:
            self._tails.pop(call.id, None)
        self._appended()
        return Done(event.output, call.thread, event.seq)

    async def say(
        self, text: str, actor: str = "user", thread: str | None = None, message: str | None = None
    ) -> Message:
        """Say something in a thread. An agent's message may carry the id that its calls will carry too.

        Raises:
            HarnessError: `bad_input` or `limit`; nothing was logged.
        """
        who, where = self._who_and_where(actor, thread)
        self.check_said(text)
        self._before_writing()
        event = self._log.message(where, who, "assistant" if who == "agent" else "user", text, _message_id(message))
        self._appended()
        return event

    @staticmethod
    def check_said(text: str) -> None:
        """Refuse what cannot be said. Raises HarnessError `bad_input` or `limit`."""
        strict_json.check(text, what="the message")
        if not text.strip():
            raise HarnessError("bad_input", "The message is empty. Say something.")
        if len(text.encode("utf-8")) > MAX_MESSAGE_BYTES:
            raise HarnessError("limit", f"A message has at most {MAX_MESSAGE_BYTES} bytes; put the rest into a file.")

    async def fork(self, parent: str, seq: int, thread: str, actor: str = "user") -> str:
        """Begin a thread that has another one's past, up to and with event `seq`; its id.

        Raises:
            HarnessError: `not_found` without such an event, `conflict` when the thread has begun already.
        """
        who, where = self._who_and_where(actor, thread)
        self._before_writing()
        self._log.fork(where, who, thread_id(parent), seq)
        self._appended()
        return where

    async def approve(self, id: str, approved: bool = True, seen: Waiting | None = None) -> Waiting | AskedCall:
        """The owner's yes or no, on this machine, to a call or a setting that waits; a no also takes a yes back.

        `seen` is a setting as the owner was shown it: a yes is to that, whatever was written to the file since.

        Raises:
            HarnessError: `not_found` when nothing of that id waits, `conflict` when it is not what was seen any more,
                `unavailable` for what this version cannot do.
        """
        if id in {call.id for call in self._machine.waiting()}:
            self._before_writing()
            call = self._machine.answer(id, approved)
            self._appended()
            return call
        state = self._space.agent_file.state()
        asked = {setting.id: setting for setting in state.waiting}
        if not approved:
            asked |= {setting.id: setting for setting in state.approved}
        setting = asked.get(id)
        if setting is None:
            listed = ", ".join([*(call.id for call in self._machine.waiting()), *asked]) or "nothing"
            raise HarnessError("not_found", f"Nothing called {id[:80]} waits for an answer. Waiting: {listed}.")
        if seen is not None and (setting.value, setting.question) != (seen.value, seen.question):
            raise HarnessError(
                "conflict", f"{id} was changed since you saw it. Nothing was answered: look at it again."
            )
        if approved and not setting.built:
            raise HarnessError(
                "unavailable",
                f"{id} is not part of this version of the workbench; it keeps waiting and its default acts.",
            )
        self._before_writing()
        with self._space.store.writing():
            self._log.approval(WORKSHOP, setting.id, setting.value, approved)
            self._space.agent_file.answer(setting, approved)
        self._appended()
        return setting

    async def start_run(self, thread: str, actor: str = "user", reason: str = "") -> str:
        """Start a run in a thread; its id, for `end_run`.

        Raises:
            HarnessError: `conflict` while another run of the thread lives, in whatever process.
        """
        who, where = self._who_and_where(actor, thread)
        self._before_writing()
        event = self._log.run(where, who, new_id("run"), "start", reason)
        self._appended()
        return event.run

    async def end_run(self, thread: str, run: str, actor: str = "user", reason: str = "") -> None:
        """End a run that this process started. Raises HarnessError `not_found` when the thread has no such live run."""
        who, where = self._who_and_where(actor, thread)
        self._live(where, run)
        # Over it is, also where that cannot be written now: nobody shall wait for it.
        self._log.run_is_over(run)
        self._machine.asking_is_over(where)
        self._before_writing()
        self._log.run(where, who, run, "end", reason)
        self._appended()

    async def send(
        self, thread: str, run: str, model: str, parts: Parts, takes_images: bool | None = None
    ) -> RequestSent:
        """Record, for a live run, the request that its model is about to be sent: durable when this returns.

        `takes_images` says whether the model sees images; its calls will be told.

        Raises:
            HarnessError: `not_found` when the thread has no such live run.
        """
        where = thread_id(thread)
        self._live(where, run)
        self._before_writing()
        event = self._log.sent(where, run, model, parts)
        self._machine.asking(where, model, takes_images)
        self._appended()
        return event

    def _live(self, thread: str, run: str) -> None:
        live = self._log.live_run(thread)
        if live is None or live.run != run:
            raise HarnessError("not_found", f"Thread {thread} has no live run {run[:80]}.")

    def notice_hand_edit(self) -> bool:
        """Log a change that was made to `agent.toml` by hand, once, whichever process sees it first."""
        if self._space.store.readonly or self._space.settings_noted():
            return False
        with self._space.store.writing():
            values = self._space.agent_file.state().values
            before = self._space.noted_settings()
            if values is None or values == before:
                return False
            self._space.note_settings(values, "user" if before is not None else "system")
            if before is None:
                return False
            patch = _difference(before, values)
            call = self._log.call(WORKSHOP, "user", "write", {"address": "~/self", "content": patch}, new_id("message"))
            noticed = {
                "status": "saved",
                "address": "~/self",
                "changed": True,
                "noticed": "agent.toml was edited by hand",
            }
            self._log.result(call, output=noticed)
        self._appended()
        return True

    def _before_writing(self) -> None:
        """What every act does first: refuse on a read-only Space, settle what was interrupted, notice hand edits."""
        with self._space.store.writing():
            pass
        if self._log.settle():
            self._appended()
        self.notice_hand_edit()

    def _cancelled(self, call: ToolCall, cut: asyncio.CancelledError) -> HarnessError:
        tail = self._tails.get(call.id, "")
        said = f"\nIts last output:\n{tail}" if tail.strip() else ""
        own = cut.args[0] if cut.args else None
        words = own.message if isinstance(own, HarnessError) else CANCELLED + said
        try:
            return self._failed(call, HarnessError("cancelled", words))
        except HarnessError as refused:
            # Cancelled it is, whether or not that can be recorded.
            words = f"{CANCELLED} That could not be recorded, and the next act settles it. {refused.message}"
            return HarnessError("cancelled", words)

    def _failed(self, call: ToolCall, error: HarnessError) -> HarnessError:
        # Whoever wrote these words: half a character in them must not keep them out of the log.
        error.message = error.message.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        try:
            event = self._log.result(call, error=error)
        except HarnessError as refused:
            settled = self._log.result_of(call) if refused.code == "conflict" else None
            if settled is None:
                # It began, and stands in the log as begun.
                refused.thread = call.thread
                raise
            error, event = HarnessError("interrupted", SETTLED), settled
        self._appended()
        error.thread, error.seq = call.thread, event.seq
        return error

    @staticmethod
    def _who_and_where(actor: str, thread: str | None) -> tuple[Actor, str]:
        if actor not in ACTORS:
            raise HarnessError("bad_input", f"Nobody acts as {actor!r}. Actors are {', '.join(ACTORS)}.")
        if thread is None:
            if actor != "user":
                raise HarnessError("bad_input", f"An act as {actor} names its thread, for example demo-1.")
            return "user", WORKSHOP
        return cast(Actor, actor), thread_id(thread)

    @staticmethod
    def _check_name(name: object) -> None:
        if not isinstance(name, str) or not name or len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
            raise HarnessError("bad_input", f"An act has a name of 1 to {MAX_NAME_BYTES} bytes: a verb or a tool.")
        strict_json.check(name, what="the name")


async def _outcome(act: Awaitable[Done]) -> Done | HarnessError:
    """What came of an act; also of one that was cancelled by itself."""
    current = asyncio.current_task()
    try:
        return await act
    except HarnessError as error:
        if current is not None and current.cancelling():
            raise asyncio.CancelledError from error
        return error
    except asyncio.CancelledError as cut:
        if current is not None and current.cancelling():
            raise
        return HarnessError.of_cancellation(cut)


def _message_id(message: str | None) -> str:
    if message is None:
        return new_id("message")
    strict_json.check(message, what="the message id")
    if not message or len(message.encode("utf-8")) > MAX_NAME_BYTES:
        raise HarnessError("bad_input", f"A message id has 1 to {MAX_NAME_BYTES} bytes.")
    return message


def _check_input(name: str, input: Any) -> None:
    """Refuse what could not even be logged: no JSON, too deep, too large.

    What an act carries (a call's own input, a write's content) has the whole of each limit for itself; the frame
    around it is measured apart.
    """
    frame, carried = split(name, input)
    strict_json.check(frame, what="the input")
    _limit(len(dumps(frame).encode("utf-8")), "The input")
    if isinstance(carried, str):
        strict_json.check(carried, what="the content")
        _limit(len(carried.encode("utf-8")), "The content")
    elif carried is not None:
        strict_json.check(carried, what="the input" if name == "call" else "the content")
        _limit(len(dumps(carried).encode("utf-8")), "The input" if name == "call" else "The content")


def _limit(size: int, what: str) -> None:
    if size > MAX_FILE_BYTES:
        raise HarnessError("limit", f"{what} has {size} bytes; at most {MAX_FILE_BYTES} are taken. Nothing was done.")


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What changed between two readings of the settings, as the patch that would have changed it."""
    patch = {path: value for path, value in new.items() if path not in old or old[path] != value}
    return patch | dict.fromkeys((path for path in old if path not in new), None)

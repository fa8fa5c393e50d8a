"""The one way in. Whoever acts, it is logged, done, logged again, and told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from workbench.harness import strict_json
from workbench.harness.at_once import at_once
from workbench.harness.door import approving, hand_edit
from workbench.harness.door.doing import Doing, Done
from workbench.harness.door.entering import check_act, check_said, check_secrets, message_id, who_and_where
from workbench.harness.door.together import beside, in_turn
from workbench.harness.errors import HarnessError
from workbench.harness.identity import WORKSHOP, new_id, thread_id
from workbench.harness.log.events import Cut, Message, RequestSent, Thought
from workbench.harness.log.log import Log, Outcome, Parts
from workbench.harness.machine import AskedCall, Machine
from workbench.harness.space.library import StoredTool
from workbench.harness.space.settings import Waiting
from workbench.harness.space.space import Space
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.engine import Sandbox
from workbench.harness.verbs.act import Act


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
        self._appended = appended
        self._machine = machine
        self._doing = Doing(space, log, callables, verbs, sandbox, tell, appended, machine)

    # Acts -------------------------------------------------------------------------------------------------------

    async def perform(
        self, name: str, input: Any, actor: str = "user", thread: str | None = None, message: str | None = None
    ) -> Done:
        """Do an act: a verb, or a tool by its own name.

        Raises:
            HarnessError: the act failed. `thread` and `seq` are set when it reached the log; an act that was refused
                before it existed (an unknown actor, no thread, input too deep or too large) left no event.
        """
        who, where = who_and_where(actor, thread)
        await self._check(name, input, where)
        self._before_writing()
        act = self._doing.record(name, input, who, where, message_id(message))
        self._appended()
        return await self._doing.finish(act)

    async def hand(self, name: str, input: Any, cwd: Path) -> Done:
        """Use, as the owner, a tool of the toolbox in a directory of this machine; logged in the workshop.

        Raises:
            HarnessError: as `perform` does.
        """
        await check_act(name, input)
        # The log holds text, and is to name the very folder that was acted in.
        strict_json.check(str(cwd), what="the working directory")
        self._before_writing()
        act = self._doing.record(name, input, "user", WORKSHOP, new_id("message"), cwd)
        self._appended()
        return await self._doing.finish(act)

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
                acts[place] = self._doing.record(*calls[place], "agent", thread, message)
        self._appended()
        if cut is not None:
            self._doing.not_run(acts.values())
            raise cut
        room = at_once(self._log, self._machine, thread, [calls[place] for place in able])
        ended = await (in_turn(acts, self._doing) if room == 1 else beside(acts, self._doing, room))
        return [refused[place] if place in refused else ended[place] for place in range(len(calls))]

    async def _refused(self, calls: Sequence[tuple[str, Any]], thread: str) -> dict[int, HarnessError]:
        """Which of these calls cannot even be logged, by their places."""
        refused: dict[int, HarnessError] = {}
        for place, (name, input) in enumerate(calls):
            try:
                await self._check(name, input, thread)
            except HarnessError as error:
                refused[place] = error
        return refused

    async def _check(self, name: str, input: Any, thread: str) -> None:
        """Refuse an act that could not even be logged."""
        await check_act(name, input)
        if self._log.surface_of(thread) != "toolbox":
            # There nothing writes the settings.
            await check_secrets(name, input)

    # Words, threads and answers ---------------------------------------------------------------------------------

    async def say(
        self, text: str, actor: str = "user", thread: str | None = None, message: str | None = None
    ) -> Message:
        """Say something in a thread. An agent's message may carry the id that its calls will carry too.

        Raises:
            HarnessError: `bad_input` or `limit`; nothing was logged.
        """
        who, where = who_and_where(actor, thread)
        check_said(text)
        self._before_writing()
        event = self._log.message(where, who, "assistant" if who == "agent" else "user", text, message_id(message))
        self._appended()
        return event

    async def fork(self, parent: str, seq: int, thread: str, actor: str = "user") -> str:
        """Begin a thread that has another one's past, up to and with event `seq`; its id.

        Raises:
            HarnessError: `not_found` without such an event, `conflict` when the thread has begun already.
        """
        who, where = who_and_where(actor, thread)
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
        calls = [call.id for call in self._machine.waiting()]
        if id in calls:
            self._before_writing()
            call = self._machine.answer(id, approved)
            self._appended()
            return call
        setting = approving.setting_meant(self._space.agent_file.state(), id, approved, seen, calls)
        self._before_writing()
        approving.answer(self._space, self._log, setting, approved)
        self._appended()
        return setting

    # Runs and their requests ------------------------------------------------------------------------------------

    async def start_run(self, thread: str, actor: str = "user", reason: str = "") -> str:
        """Start a run in a thread; its id, for `end_run`.

        Raises:
            HarnessError: `conflict` while another run of the thread lives, in whatever process.
        """
        who, where = who_and_where(actor, thread)
        self._before_writing()
        event = self._log.run(where, who, new_id("run"), "start", reason)
        self._appended()
        return event.run

    async def end_run(self, thread: str, run: str, actor: str = "user", reason: str = "") -> None:
        """End a run that this process started. Raises HarnessError `not_found` when the thread has no such live run."""
        who, where = who_and_where(actor, thread)
        self._live(where, run)
        # Over it is, also where that cannot be written now: nobody shall wait for it.
        self._log.live.run_is_over(run)
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
        live = self._log.live.run_of(thread)
        if live is None or live.run != run:
            raise HarnessError("not_found", f"Thread {thread} has no live run {run[:80]}.")

    # Before every act -------------------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Give the calls that a process left behind their results, as every act does before it begins."""
        self._before_writing()

    def _before_writing(self) -> None:
        """What every act does first: refuse on a read-only Space, settle what was interrupted, notice hand edits."""
        with self._space.store.writing():
            pass
        if self._log.settle():
            self._appended()
        self.notice_hand_edit()

    def notice_hand_edit(self) -> bool:
        """Log a change that was made to `agent.toml` by hand, once, whichever process sees it first."""
        noticed = hand_edit.notice(self._space, self._log)
        if noticed:
            self._appended()
        return noticed

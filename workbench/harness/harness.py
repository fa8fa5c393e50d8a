"""`Harness`: a Space, opened. It answers queries and holds the door; it is what every face stands on."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.harness import open_calls
from workbench.harness.door import Done, Door, Said
from workbench.harness.errors import HarnessError
from workbench.harness.identity import Clock, now_ms, thread_id
from workbench.harness.log.calls import SPAN, CallsPage, PastCall, Recorded, page_of_calls, recorded
from workbench.harness.log.events import (
    Event,
    Message,
    RequestEnded,
    RequestSent,
    Run,
    Surface,
    ToolCall,
)
from workbench.harness.log.log import CallState, Log, Outcome, Thread
from workbench.harness.log.plan import Plan, plan_of
from workbench.harness.log.promotion import Promotion, promote
from workbench.harness.machine import AskedCall, Machine
from workbench.harness.names import lambda_name_fault
from workbench.harness.space.agent_file import OwnerFolders, SettingsState
from workbench.harness.space.index import IndexTool, SpaceIndex, TriggersTop
from workbench.harness.space.index import build as build_index
from workbench.harness.space.library import DeletedTool, StoredTool, Version
from workbench.harness.space.settings import DEFAULT_PROMPT, TOOLBOX_PROMPT, Waiting
from workbench.harness.space.space import Space, prepare
from workbench.harness.store.rows import Fault
from workbench.harness.store.store import Store
from workbench.harness.tools.builtins.later import NOT_BUILT
from workbench.harness.tools.builtins.registry import DEFINITIONS
from workbench.harness.tools.callables import Callables, Missing, ToolState
from workbench.harness.tools.engine import Bubblewrap, Sandbox
from workbench.harness.tools.widened import SandboxNote, sandbox_notes
from workbench.harness.verbs.documents import tool_of
from workbench.harness.verbs.read import about_self
from workbench.harness.verbs.registry import verb_tools
from workbench.harness.views import NOTHING_PROMOTED, MemoryView, Running, SentRequest, Toolbox, View
from workbench.harness.watch import Subscription, Watch

if TYPE_CHECKING:
    from workbench.harness.request import Request
    from workbench.harness.tools.lambdas.availability import Availability
    from workbench.harness.tools.toolbox.hooks import Hooks

NO_WORKDIR = "(none is set now)"
"""Stands for the working directory in what is put together while the settings name none."""

TODAY = (
    "Put together now for that moment: the messages are those of then; the system text, the tools' contracts and what "
    "is callable are of today."
)


class Harness:
    """One open Space. Queries are plain methods and write nothing; acts are coroutines and go through the door."""

    def __init__(self, space: Space, sandbox: Sandbox, availability: Availability) -> None:
        """Use `Harness.open`."""
        self._space = space
        self._log = Log(space.store, lambda: space.agent_file.state().settings.new_surface)
        self._verbs = verb_tools()
        self._callables = Callables(space, DEFINITIONS, Missing.on(availability, NOT_BUILT))
        self.availability = availability
        self._memory = MemoryView(space.memory)
        self._known_settings = space.agent_file.state()
        self._watch = Watch(space.root, space.store, self._log, self._settings_changed)
        self._machine = Machine(space, self._log, self._watch.appended, self._watch.subscribe)
        self._door = Door(
            space,
            self._log,
            self._callables,
            self._verbs,
            sandbox,
            self._watch.progressed,
            self._watch.appended,
            self._machine,
        )

    @classmethod
    @contextlib.asynccontextmanager
    async def open(
        cls,
        path: str | Path,
        *,
        clock: Clock = now_ms,
        sandbox: Sandbox | None = None,
        folders: OwnerFolders | None = None,
    ) -> AsyncGenerator[Harness]:
        """Open the Space in a folder, making it when it is not there.

        Raises:
            HarnessError: `refused` when a part of it is a link or of another kind, `corrupt` or `unavailable` when
                its database cannot be used.
        """
        root = prepare(path)
        sandbox = sandbox or Bubblewrap()
        availability = await sandbox.probe()
        store = Store.open(root, clock)
        try:
            space = Space(root, store, folders or OwnerFolders.of_this_user())
            if not store.readonly and store.is_new:
                space.agent_file.create()
            harness = cls(space, sandbox, availability)
            with contextlib.suppress(HarnessError):
                # On a disk that is full the Space can still be looked at.
                harness._callables.keep_builtins()
            harness._notice()
            try:
                yield harness
            finally:
                await harness._watch.close()
        finally:
            store.close()

    # Acts -------------------------------------------------------------------------------------------------------

    async def perform(
        self, name: str, input: Any, actor: str = "user", thread: str | None = None, message: str | None = None
    ) -> Done:
        """Do an act: `name` is a verb, or a tool called directly. See `Door.perform`."""
        return await self._door.perform(name, input, actor, thread, message)

    async def say(
        self, text: str, actor: str = "user", thread: str | None = None, message: str | None = None
    ) -> Message:
        """Say something in a thread. See `Door.say`."""
        return await self._door.say(text, actor, thread, message)

    def check_said(self, text: str) -> None:
        """Refuse what cannot be said, before anything is done. See `Door.check_said`."""
        self._door.check_said(text)

    async def fork(self, parent: str, seq: int, thread: str) -> str:
        """Begin, as the owner, a thread that has another one's past up to event `seq`. See `Door.fork`."""
        return await self._door.fork(parent, seq, thread)

    async def hand(self, tool: str, input: Any, cwd: Path) -> Done:
        """Use, as the owner, a tool of the toolbox in a directory of this machine, absolute. See `Door.hand`."""
        return await self._door.hand(tool, input, cwd)

    def attended(self) -> AbstractContextManager[None]:
        """While this lasts an owner is there who can be asked before a call acts on the real machine."""
        return self._machine.attended()

    def use_hooks(self, hooks: Hooks | None) -> None:
        """Have these run before and after every call on the real machine, instead of those before."""
        self._machine.hooks = hooks

    async def approve(self, id: str, approved: bool = True, seen: Waiting | None = None) -> Waiting | AskedCall:
        """Answer, as the owner, a call or a setting that waits; a no also takes a yes back. See `Door.approve`."""
        return await self._door.approve(id, approved, seen)

    async def start_run(self, thread: str, actor: str = "user", reason: str = "") -> str:
        """Start a run in a thread, which has one live run at most. See `Door.start_run`."""
        return await self._door.start_run(thread, actor, reason)

    async def end_run(self, thread: str, run: str, actor: str = "user", reason: str = "") -> None:
        """End a run. See `Door.end_run`."""
        await self._door.end_run(thread, run, actor, reason)

    async def settle(self) -> None:
        """Settle what a process left behind. See `Door.settle`."""
        await self._door.settle()

    async def send(
        self,
        thread: str,
        run: str,
        model: str,
        request: Request,
        max_tokens: int | None = None,
        takes_images: bool | None = None,
    ) -> RequestSent:
        """Record a request that is about to be sent. See `Door.send`."""
        from workbench.harness.request import parts_of

        parts = parts_of(request, self._offered(thread), max_tokens)
        return await self._door.send(thread, run, model, parts, takes_images)

    async def answered(
        self, sent: RequestSent, outcome: Outcome, said: Said | None = None, calls: Sequence[tuple[str, Any]] = ()
    ) -> list[Done | HarnessError]:
        """Record an answer and do its calls. See `Door.answered`."""
        return await self._door.answered(sent, outcome, said, calls)

    def subscribe(self) -> Subscription:
        """What happens from this call on: appended events, progress of running calls, changed files."""
        return self._watch.subscribe()

    # Queries ----------------------------------------------------------------------------------------------------

    @property
    def root(self) -> Path:
        """The folder of the Space."""
        return self._space.root

    @property
    def readonly(self) -> bool:
        """Whether nothing can be written here."""
        return self._space.store.readonly

    @property
    def process(self) -> str:
        """The id that this process stamps on its calls."""
        return self._space.store.process

    @property
    def memory(self) -> MemoryView:
        """The agent's files, to look at."""
        return self._memory

    def settings(self) -> SettingsState:
        """The settings that act, those that wait, and what is wrong with the file."""
        return self._space.agent_file.state()

    def settings_text(self) -> str | None:
        """The settings file as it stands, also while it is broken; None where there is none.

        Raises:
            HarnessError: it cannot be read, or is no text.
        """
        return self._space.agent_file.text()

    def about_self(self) -> dict[str, Any]:
        """What `read ~/self` gives the owner."""
        return about_self(self._space, self._callables, owner=True)

    def sandbox_notes(self) -> tuple[SandboxNote, ...]:
        """What code of the agent may do beyond the defaults by the settings that act: for every face to say."""
        return sandbox_notes(self.settings().settings, self._callables.missing)

    def waiting(self) -> tuple[Waiting, ...]:
        """The settings that wait for the owner's yes on this machine."""
        return self.settings().waiting

    def asked(self) -> list[AskedCall]:
        """The calls that wait for the owner's yes before they act, oldest first."""
        return self._machine.waiting()

    def surface(self, thread: str) -> Surface:
        """What a thread's requests are made of; of one that has not begun, what they would be if it began now."""
        return self._log.surface_of(thread_id(thread))

    def toolbox(self) -> Toolbox:
        """Where the agent may act on the real machine, with which tools, and why not where it may not."""
        workdir = self._machine.workdir()
        return Toolbox(None if workdir is None else str(workdir), self._machine.names(), self._machine.missing())

    def host_tools(self) -> list[StoredTool]:
        """The seven tools of the toolbox, whether or not the agent may use them."""
        from workbench.harness.tools.toolbox.registry import TOOLS

        return [tool_of(tool) for tool in TOOLS.values()]

    def tools(self) -> list[ToolState]:
        """Every builtin and lambda, with its states and the reason where it cannot be called."""
        return self._callables.states()

    def verbs(self) -> list[StoredTool]:
        """The verbs, as tools."""
        return list(self._verbs.values())

    def tool(self, name: str) -> StoredTool | None:
        """A tool or verb as it is stored now, callable or not. Raises HarnessError `corrupt`."""
        return self._verbs.get(name) or self._callables.tool(name)

    def deleted(self) -> list[DeletedTool]:
        """Tools that were deleted, by name: writing the document of their last version brings them back."""
        return [tool for tool in self._space.library.deleted() if lambda_name_fault(tool.name) is None]

    def versions(self, name: str) -> list[Version]:
        """Every version of a tool, oldest first."""
        return self._space.library.versions(name)

    def version(self, cid: str) -> StoredTool:
        """The document of any version. Raises HarnessError `not_found` or `corrupt`."""
        document, size = self._space.library.document(cid)
        return StoredTool(document.name, cid, document, size, 0, "", "")

    def block(self, cid: str) -> bytes:
        """A block's bytes, hashed anew; one that does not match drops out of what is callable.

        Raises:
            HarnessError: `not_found` or `corrupt`.
        """
        before = self._space.library.distrusted
        try:
            return self._space.library.block(cid)
        finally:
            if self._space.library.distrusted != before:
                self._watch.tools_changed()

    def index(self) -> SpaceIndex:
        """The `<space>` block as the next request carries it, with the bytes of every line."""
        return self._index(self.tools())

    def _index(self, states: list[ToolState]) -> SpaceIndex:
        tools = [
            IndexTool(state.name, state.summary, authored=state.kind == "lambda", builtin=state.kind == "builtin")
            for state in states
            if state.callable
        ]
        return build_index(tools, self._space.memory.top(), TriggersTop((), 0))

    def threads(self) -> list[Thread]:
        """All threads, the one with the newest event first."""
        return self._log.threads()

    def events(self, thread: str, after: int = 0, upto: int | None = None) -> list[Event]:
        """A thread's own events, in order."""
        return self._log.events(thread_id(thread), after, upto)

    def lineage(self, thread: str, upto: int | None = None) -> list[Event]:
        """A thread's events behind those of the threads that it was forked from."""
        return self._log.lineage(thread_id(thread), upto)

    def running(self) -> list[Running]:
        """Calls without a result, in any process, oldest first, and what each of them does."""
        return open_calls.running(self._log, self._door.execution_mode)

    def state_of(self, call: ToolCall) -> CallState:
        """What became of a call: it ended, it runs, or it was interrupted."""
        return self._log.state_of(call)

    def calls(self, tool: str, limit: int = 100, before: int | None = None) -> list[PastCall]:
        """The newest calls of a tool or verb, by whomever, in whatever thread; of those numbered below `before`.

        This looks through the log until it has so many; `calls_page` does it in steps.
        """
        found: list[PastCall] = []
        while len(found) < limit:
            page = self.calls_page(tool, limit - len(found), before)
            found += page.calls
            before = page.before
            if before is None:
                break
        return found

    def calls_page(self, tool: str, limit: int = 100, before: int | None = None, span: int = SPAN) -> CallsPage:
        """One step of `calls`, over at most `span` events, for whoever must not wait longer."""
        return page_of_calls(self._space.store, tool, limit, before, span, self._log.state_of)

    def recorded(self, number: int) -> Recorded:
        """A call by its number, with its result, to be decoded. Raises HarnessError `not_found`."""
        return recorded(self._space.store, number)

    def promoted(self, thread: str, at: int | None = None) -> Promotion:
        """The provider's tools of a thread, those that promotion gave it, and those that are withheld.

        With `at`, the touches are those up to that event, with it included; what is callable is of today.
        """
        self._moment(thread, at)
        if self._log.surface_of(thread) == "toolbox":
            return self._offers()
        return self._promoted(thread, at, {state.name: state for state in self.tools()})

    def _offers(self) -> Promotion:
        """What a provider is given in a thread of the toolbox surface: nothing is touched, nothing promoted."""
        return Promotion(self._machine.names(), (), ())

    def saved_since(self, thread: str) -> frozenset[str]:
        """The promoted lambdas whose present version is younger than the answer to the call that touched them."""
        if self._log.surface_of(thread) == "toolbox":
            return frozenset()
        states = {state.name: state for state in self.tools()}
        return self._saved_since(thread, self._promoted(thread, None, states))

    def _saved_since(self, thread: str, promotion: Promotion) -> frozenset[str]:
        touches = {touch.name: touch for touch in self._log.touches(thread).touches}
        found: set[str] = set()
        for name in (tool.name for tool in promotion.promoted):
            touch = touches.get(name)
            answered = self._log.answered(touch) if touch is not None else None
            with contextlib.suppress(HarnessError):
                tool = self.tool(name)
                if answered and tool is not None and tool.document.kind == "lambda" and tool.time > answered:
                    then = [version.cid for version in self.versions(name) if version.time <= answered]
                    # Whoever brought back the version of then is where the touch was.
                    if then[-1:] != [tool.cid]:
                        found.add(name)
        return frozenset(found)

    def _promoted(self, thread: str, at: int | None, states: Mapping[str, ToolState]) -> Promotion:
        def cid(name: str) -> str | None:
            state = states.get(name)
            return state.cid if state is not None and state.callable else None

        def reason(name: str) -> str:
            return (states.get(name) or self._callables.state(name)).reason or "unknown"

        return promote(self._log.touches(thread, at), cid, reason)

    def view(self, thread: str) -> View:
        """What a face shows of this moment, looked up once.

        Raises:
            HarnessError: the Space cannot be read now. A thread that cannot be read is told in the view instead.
        """
        states = self.tools()
        by_name = {state.name: state for state in states}
        promotion, saved_since, fault = NOTHING_PROMOTED, frozenset[str](), None
        surface: Surface = "verbs"
        try:
            surface = self._log.surface_of(thread)
            promotion = self._offers() if surface == "toolbox" else self._promoted(thread, None, by_name)
            saved_since = self._saved_since(thread, promotion) if promotion.promoted else saved_since
        except HarnessError as error:
            # Only this depends on the thread: an event that cannot be read takes nothing else away.
            fault = error.message
        return View(
            thread=thread,
            settings=self.settings(),
            verbs=tuple(self.verbs()),
            tools=by_name,
            index=self._index(states),
            promotion=promotion,
            saved_since=saved_since,
            thread_fault=fault,
            sandbox=self.sandbox_notes(),
            surface=surface,
            toolbox=self.toolbox(),
        )

    def request(self, thread: str, at: int | None = None, context_tokens: int | None = None) -> Request:
        """The next provider request of a thread, for a model of that context; with `at`, that of an earlier moment.

        Where a request was sent then it is the recorded one, byte for byte; elsewhere a reconstruction, which says so.
        While a run lives its system text stays, unless something that could be called is gone.
        """
        from workbench.harness import request

        self._moment(thread, at)
        if at is not None:
            sent = self._log.sent_at(thread, at)
            if sent is not None:
                return request.recorded(sent, self._log.part)
        on_machine = self._log.surface_of(thread) == "toolbox"
        if on_machine and at is None and (missing := self._machine.missing()) is not None:
            raise HarnessError("unavailable", missing)
        promotion = self.promoted(thread, at)
        tools = {tool.name: tool for tool in self.host_tools()} if on_machine else {}
        return request.build(
            self._system(thread) if at is None else self._system_of_now(thread),
            [
                tool
                for name in promotion.provider_tools
                if (tool := tools.get(name) if on_machine else self.tool(name)) is not None
            ],
            self._log.lineage(thread, at),
            self._log.state_of,
            note=TODAY if at is not None else None,
            context_tokens=context_tokens,
        )

    def callable_names(self) -> list[str]:
        """The names of the builtins and lambdas that can be called now."""
        return [state.name for state in self.tools() if state.callable]

    def _offered(self, thread: str) -> list[str]:
        """The names that could be called now in a thread, besides the verbs."""
        if self._log.surface_of(thread) == "toolbox":
            return list(self._machine.names())
        return self.callable_names()

    def _system_of_now(self, thread: str) -> str:
        from workbench.harness.request import system_text, toolbox_text

        settings = self.settings().settings
        if self._log.surface_of(thread) == "toolbox":
            prompt = TOOLBOX_PROMPT if settings.prompt == DEFAULT_PROMPT else settings.prompt
            return toolbox_text(prompt, str(self._machine.workdir() or NO_WORKDIR))
        return system_text(settings.prompt, self.index().text)

    def _system(self, thread: str) -> str:
        """The system text of the next request: that of the live run's requests while nothing of it went away."""
        live = self._log.live_run(thread)
        sent = self._log.last_sent(thread) if live is not None else None
        if live is not None and sent is not None and sent.run == live.run:
            with contextlib.suppress(HarnessError):
                then: list[str] = json.loads(self._log.part(sent.callables))
                if set(then) <= set(self._offered(thread)):
                    return self._log.part(sent.system)
        return self._system_of_now(thread)

    def plan(self, thread: str, at: int | None = None) -> Plan | None:
        """The agent's plan in a thread, with what its past planned; None where there is none."""
        self._moment(thread, at)
        return plan_of(self._log.lineage(thread, at))

    def requests(self, thread: str) -> list[SentRequest]:
        """The requests that a thread's providers were sent, in order, with how each ended."""
        sent: dict[str, SentRequest] = {}
        for event in self._log.of_type(thread, "request"):
            if isinstance(event, RequestSent):
                sent[event.request] = SentRequest(event)
            elif isinstance(event, RequestEnded) and event.request in sent:
                sent[event.request] = SentRequest(sent[event.request].sent, event)
        return list(sent.values())

    def answers_of(self, thread: str, model: str) -> int:
        """How many answers a model has given in a thread, and in its past; those that broke off are none."""
        sent: set[str] = set()
        count = 0
        for event in self._log.lineage_of_type(thread_id(thread), "request"):
            if isinstance(event, RequestSent) and event.model == model:
                sent.add(event.request)
            elif isinstance(event, RequestEnded) and event.request in sent:
                count += event.finish not in ("aborted", "failed")
        return count

    def live_run(self, thread: str) -> Run | None:
        """The run of a thread that lives, in whatever process."""
        return self._log.live_run(thread_id(thread))

    def fsck(self) -> list[Fault]:
        """Look everything over: blocks, versions, events. Empty when nothing is wrong."""
        from workbench.harness import fsck

        return fsck.fsck(self._space.store)

    def _moment(self, thread: str, at: int | None) -> None:
        last = self._space.store.last_seq(thread_id(thread))
        if at is not None and not 1 <= at <= last:
            has = f"has the events 1 to {last}" if last else "has no events"
            raise HarnessError("not_found", f"Thread {thread} {has}; there is no {at}.")

    def _settings_changed(self) -> bool:
        """Whether the settings, or what is said of them, changed since this was last asked; logs a hand edit."""
        state = self.settings()
        changed, self._known_settings = state != self._known_settings, state
        if changed:
            self._notice()
        return changed

    def _notice(self) -> None:
        # Looking at a Space must not fail because its settings cannot be logged now; the next act tries again.
        with contextlib.suppress(HarnessError):
            self._door.notice_hand_edit()

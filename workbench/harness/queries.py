"""Looking: everything that may be asked of an open Space. Nothing here writes, and nothing here leaves an event."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.harness import open_calls
from workbench.harness.errors import HarnessError
from workbench.harness.identity import thread_id
from workbench.harness.log.calls import SPAN, CallsPage, PastCall, Recorded, page_of_calls, recorded
from workbench.harness.log.events import Event, RequestEnded, RequestSent, Run, Surface, ToolCall
from workbench.harness.log.live import CallState
from workbench.harness.log.plan import Plan, plan_of
from workbench.harness.log.promotion import Promotion
from workbench.harness.log.reading import Reading, Thread
from workbench.harness.machine import AskedCall, Machine
from workbench.harness.names import lambda_name_fault
from workbench.harness.next_request import NextRequest, host_tools
from workbench.harness.space.agent_file import SettingsState
from workbench.harness.space.index import SpaceIndex
from workbench.harness.space.library import DeletedTool, StoredTool, Version
from workbench.harness.space.settings import Waiting
from workbench.harness.space.space import Space
from workbench.harness.store.rows import Fault
from workbench.harness.tools.callables import Callables, ToolState
from workbench.harness.tools.widened import SandboxNote, sandbox_notes
from workbench.harness.verbs.read import about_self
from workbench.harness.views import NOTHING_PROMOTED, MemoryView, Running, SentRequest, Toolbox, View
from workbench.harness.watch import Subscription, Watch

if TYPE_CHECKING:
    from workbench.harness.request import Request


class Queries:
    """What an open Space answers. Every query is a plain method and may be asked at any time, by any face."""

    def __init__(
        self,
        space: Space,
        log: Reading,
        callables: Callables,
        verbs: Mapping[str, StoredTool],
        machine: Machine,
        watch: Watch,
    ) -> None:
        self._space = space
        self._log = log
        self._callables = callables
        self._verbs = verbs
        self._machine = machine
        self._watch = watch
        self._memory = MemoryView(space.memory)
        self._next = NextRequest(space, log, callables, verbs, machine)

    # The Space --------------------------------------------------------------------------------------------------

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

    def fsck(self) -> list[Fault]:
        """Look everything over: blocks, versions, events. Empty when nothing is wrong."""
        from workbench.harness import fsck

        return fsck.fsck(self._space.store)

    def subscribe(self) -> Subscription:
        """What happens from this call on: appended events, progress of running calls, changed files."""
        return self._watch.subscribe()

    # Its settings, and what waits for the owner -----------------------------------------------------------------

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

    def toolbox(self) -> Toolbox:
        """Where the agent may act on the real machine, with which tools, and why not where it may not."""
        workdir = self._machine.workdir()
        return Toolbox(None if workdir is None else str(workdir), self._machine.names(), self._machine.missing())

    # Its tools --------------------------------------------------------------------------------------------------

    def tools(self) -> list[ToolState]:
        """Every builtin and lambda, with its states and the reason where it cannot be called."""
        return self._callables.states()

    def verbs(self) -> list[StoredTool]:
        """The verbs, as tools."""
        return list(self._verbs.values())

    def host_tools(self) -> list[StoredTool]:
        """The seven tools of the toolbox, whether or not the agent may use them."""
        return host_tools()

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
        return self._next.index(self.tools())

    # Threads and their events -----------------------------------------------------------------------------------

    def threads(self) -> list[Thread]:
        """All threads, the one with the newest event first."""
        return self._log.threads()

    def surface(self, thread: str) -> Surface:
        """What a thread's requests are made of; of one that has not begun, what they would be if it began now."""
        return self._log.surface_of(thread_id(thread))

    def events(self, thread: str, after: int = 0, upto: int | None = None) -> list[Event]:
        """A thread's own events, in order."""
        return self._log.events(thread_id(thread), after, upto)

    def lineage(self, thread: str, upto: int | None = None) -> list[Event]:
        """A thread's events behind those of the threads that it was forked from."""
        return self._log.lineage(thread_id(thread), upto)

    def plan(self, thread: str, at: int | None = None) -> Plan | None:
        """The agent's plan in a thread, with what its past planned; None where there is none."""
        self._moment(thread, at)
        return plan_of(self._log.lineage(thread, at))

    def live_run(self, thread: str) -> Run | None:
        """The run of a thread that lives, in whatever process."""
        return self._log.live.run_of(thread_id(thread))

    def _moment(self, thread: str, at: int | None) -> None:
        last = self._space.store.last_seq(thread_id(thread))
        if at is not None and not 1 <= at <= last:
            has = f"has the events 1 to {last}" if last else "has no events"
            raise HarnessError("not_found", f"Thread {thread} {has}; there is no {at}.")

    # Calls ------------------------------------------------------------------------------------------------------

    def running(self) -> list[Running]:
        """Calls without a result, in any process, oldest first, and what each of them does."""
        return open_calls.running(self._log, self._machine)

    def state_of(self, call: ToolCall) -> CallState:
        """What became of a call: it ended, it runs, or it was interrupted."""
        return self._log.live.state_of(call)

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
        return page_of_calls(self._space.store, tool, limit, before, span, self._log.live.state_of)

    def recorded(self, number: int) -> Recorded:
        """A call by its number, with its result, to be decoded. Raises HarnessError `not_found`."""
        return recorded(self._space.store, number)

    # Requests ---------------------------------------------------------------------------------------------------

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
            promotion = self._next.promotion(thread, states=by_name)
            saved_since = self._next.saved_since(thread, promotion)
        except HarnessError as error:
            # Only this depends on the thread: an event that cannot be read takes nothing else away.
            fault = error.message
        return View(
            thread=thread,
            settings=self.settings(),
            verbs=tuple(self.verbs()),
            tools=by_name,
            index=self._next.index(states),
            promotion=promotion,
            saved_since=saved_since,
            thread_fault=fault,
            sandbox=self.sandbox_notes(),
            surface=surface,
            toolbox=self.toolbox(),
        )

    def promoted(self, thread: str, at: int | None = None) -> Promotion:
        """The provider's tools of a thread, those that promotion gave it, and those that are withheld.

        With `at`, the touches are those up to that event, with it included; what is callable is of today.
        """
        self._moment(thread, at)
        return self._next.promotion(thread, at)

    def saved_since(self, thread: str) -> frozenset[str]:
        """The promoted lambdas whose present version is younger than the answer to the call that touched them."""
        return self._next.saved_since(thread, self._next.promotion(thread))

    def request(self, thread: str, at: int | None = None, context_tokens: int | None = None) -> Request:
        """The next provider request of a thread, for a model of that context; with `at`, that of an earlier moment.

        Where a request was sent then it is the recorded one, byte for byte; elsewhere a reconstruction, which says so.
        While a run lives its system text stays, unless something that could be called is gone.
        """
        self._moment(thread, at)
        return self._next.of(thread, at, context_tokens)

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

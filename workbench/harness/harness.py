"""`Harness`: a Space, opened. It answers queries and holds the door; it is what every face stands on."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.harness.door.doing import Done
from workbench.harness.door.door import Door, Said
from workbench.harness.door.entering import check_said
from workbench.harness.errors import HarnessError
from workbench.harness.identity import Clock, now_ms
from workbench.harness.log.events import Message, RequestSent
from workbench.harness.log.log import Log, Outcome
from workbench.harness.machine import AskedCall, Machine
from workbench.harness.queries import Queries
from workbench.harness.space.agent_file import OwnerFolders
from workbench.harness.space.settings import Waiting
from workbench.harness.space.space import Space, prepare
from workbench.harness.store.store import Store
from workbench.harness.tools.builtins.later import NOT_BUILT
from workbench.harness.tools.builtins.registry import DEFINITIONS
from workbench.harness.tools.callables import Callables, Missing
from workbench.harness.tools.engine import Bubblewrap, Sandbox
from workbench.harness.verbs.registry import verb_tools
from workbench.harness.watch import Watch

if TYPE_CHECKING:
    from workbench.harness.request import Request
    from workbench.harness.tools.lambdas.availability import Availability
    from workbench.harness.tools.toolbox.hooks import Hooks


class Harness(Queries):
    """One open Space. Queries are plain methods and write nothing; acts are coroutines and go through the door."""

    def __init__(self, space: Space, sandbox: Sandbox, availability: Availability) -> None:
        """Use `Harness.open`."""
        log = Log(space.store, lambda: space.agent_file.state().settings.new_surface)
        verbs = verb_tools()
        callables = Callables(space, DEFINITIONS, Missing.on(availability, NOT_BUILT))
        watch = Watch(space.root, space.store, log, self._settings_changed)
        machine = Machine(space, log, watch.appended, watch.subscribe)
        super().__init__(space, log, callables, verbs, machine, watch)
        self.availability = availability
        self._known_settings = space.agent_file.state()
        self._door = Door(space, log, callables, verbs, sandbox, watch.progressed, watch.appended, machine)

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
        """Refuse what cannot be said, before anything is done. Raises HarnessError `bad_input` or `limit`."""
        check_said(text)

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

        parts = parts_of(request, self._next.offered(thread), max_tokens)
        return await self._door.send(thread, run, model, parts, takes_images)

    async def answered(
        self, sent: RequestSent, outcome: Outcome, said: Said | None = None, calls: Sequence[tuple[str, Any]] = ()
    ) -> list[Done | HarnessError]:
        """Record an answer and do its calls. See `Door.answered`."""
        return await self._door.answered(sent, outcome, said, calls)

    # Settings that change ---------------------------------------------------------------------------------------

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

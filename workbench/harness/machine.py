"""The way of acts to the real machine: where they act, what the owner is asked before, what the owner answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.identity import thread_id
from workbench.harness.log.events import Approval, ToolCall
from workbench.harness.log.log import Log
from workbench.harness.names import TOOLBOX
from workbench.harness.space.approvals import rules_of
from workbench.harness.space.settings import Settings
from workbench.harness.space.space import Space
from workbench.harness.strict_json import as_object
from workbench.harness.tools.definition import ExecutionMode
from workbench.harness.watch import Appended, Note, Subscription

if TYPE_CHECKING:
    from workbench.harness.tools.toolbox.approvals import Decision
    from workbench.harness.tools.toolbox.hooks import Hooks
    from workbench.harness.tools.toolbox.host_side import HostSide
    from workbench.harness.tools.toolbox.host_tool import HostTool

NO_TOOLBOX = (
    "Threads of the toolbox surface act on the real machine, and that is not allowed here now: it takes surface = "
    '"toolbox" and a workdir in the settings, and the owner\'s yes to both on this machine (workbench approve). '
    "Nothing was done."
)

NOT_THERE = (
    "The working directory {workdir} is not there, or is none. Make it, or set workdir to another one. Nothing was "
    "done."
)

NOBODY = (
    "{tool} asks the owner before it acts, and nobody is there to be asked, so it was not done. The owner can stay at "
    "the app, or allow such calls in approvals.{tool} of the settings."
)

DENIED = "The owner's settings (approvals.{tool}) do not allow this call: {why}. Nothing was done; do not try it again."

REFUSED = "The owner said no to this call. Nothing of it was done. Do not try it another way; ask what to do instead."

LEFT_WAITING = "Aborted while it waited for the owner's yes. Nothing of it was done."


class AskedCall(Struct, frozen=True):
    """A call that waits for the owner's yes. `id` is the call's, `why` says what about it asks."""

    id: str
    thread: str
    seq: int
    tool: str
    input: Any
    cwd: str | None
    why: str
    time: str


class Machine:
    """The real machine, as the acts of one Space may reach it."""

    def __init__(
        self,
        space: Space,
        log: Log,
        appended: Callable[[], None],
        notes: Callable[[], Subscription],
    ) -> None:
        """`appended` is called after every event; `notes` begins to tell what happens, also in other processes."""
        self._space = space
        self._log = log
        self._appended = appended
        self._notes = notes
        self._owners = 0
        self._models: dict[str, tuple[str, bool | None]] = {}
        self.hooks: Hooks | None = None

    # What can be used, and where --------------------------------------------------------------------------------

    @property
    def _settings(self) -> Settings:
        return self._space.agent_file.state().settings

    def workdir(self) -> Path | None:
        """The directory that threads of the toolbox surface act in; None while the settings name none that acts."""
        workdir = self._settings.workdir
        return None if workdir is None else Path(workdir).expanduser()

    def missing(self) -> str | None:
        """Why the agent cannot act on the real machine now; None where it can."""
        if self._settings.new_surface != "toolbox":
            return NO_TOOLBOX
        workdir = self.workdir()
        return None if workdir is not None and workdir.is_dir() else NOT_THERE.format(workdir=workdir)

    def names(self) -> tuple[str, ...]:
        """The tools that a model is offered: all but those that the owner denies whatever they are to do."""
        if self.missing() is not None:
            return ()
        said = self._settings.approvals
        rules = {tool: rules_of(tool, said.get(tool)) for tool in TOOLBOX}
        return tuple(tool for tool, rule in rules.items() if rule.default != "deny" or rule.allow or rule.ask)

    @staticmethod
    def execution_mode(name: str) -> ExecutionMode:
        """Whether a call may run beside the others of its message."""
        from workbench.harness.tools.toolbox.registry import TOOLS

        tool = TOOLS.get(name)
        return tool.execution_mode if tool is not None else "parallel"

    def asking(self, thread: str, model: str, takes_images: bool | None) -> None:
        """A model is about to be asked in a thread: whatever it calls next is told of it."""
        self._models[thread] = (model, takes_images)

    def asking_is_over(self, thread: str) -> None:
        """No model is asked in a thread any more."""
        self._models.pop(thread, None)

    def side(self, call: ToolCall, *, by_hand: bool) -> HostSide | str:
        """What a call on the real machine is given, or why nothing; `by_hand` is the owner's own use of a tool."""
        missing = None if by_hand else self.missing()
        if missing is not None or call.cwd is None:
            return missing or NO_TOOLBOX
        from workbench.harness.tools.toolbox.hooks import Hooks
        from workbench.harness.tools.toolbox.host_side import HostSide
        from workbench.harness.tools.toolbox.host_tool import HostContext

        model, images = self._models.get(call.thread, (None, None)) if call.actor == "agent" else (None, None)
        ctx = HostContext(
            cwd=Path(call.cwd),
            model=model,
            takes_images=images,
            env_names=self._settings.bash_env,
            guarded=self._space.guarded(),
        )
        return HostSide(
            offered=TOOLBOX if by_hand else self.names(),
            ctx=ctx,
            hooks=self.hooks or Hooks(),
            permit=lambda tool, params: self._permit(call, tool, params),
            keep=lambda data: self._space.store.put_block(data, "raw"),
        )

    # Asking the owner -------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def attended(self) -> Generator[None]:
        """An owner is there to be asked while this lasts. Without one, whatever asks is not done."""
        self._owners += 1
        try:
            yield
        finally:
            self._owners -= 1

    async def _permit(self, call: ToolCall, tool: HostTool, params: Mapping[str, Any]) -> None:
        """Let a call pass, by the settings or by the owner's yes. Raises HarnessError `refused` or `unavailable`."""
        if call.actor == "user":
            return
        self._still_here()
        from workbench.harness.tools.toolbox.approvals import judge
        from workbench.harness.tools.toolbox.in_thread import beside

        rules = rules_of(tool.name, self._settings.approvals.get(tool.name))
        decision = await beside(lambda: judge(tool.name, params, rules, Path(call.cwd or "/")))
        if decision.verdict == "allow":
            return
        if decision.verdict == "deny":
            raise HarnessError("refused", DENIED.format(tool=tool.name, why=decision.why))
        if not self._owners:
            raise HarnessError("refused", NOBODY.format(tool=tool.name))
        if not await self._asked(call, tool, params, decision):
            raise HarnessError("refused", REFUSED)
        self._still_here()

    def _still_here(self) -> None:
        """The owner may have taken the machine back since the call was recorded: it waited for others, or was asked."""
        missing = self.missing()
        if missing is not None:
            raise HarnessError("unavailable", missing)

    async def _asked(self, call: ToolCall, tool: HostTool, params: Mapping[str, Any], decision: Decision) -> bool:
        """Ask, and wait for the answer, from whatever process it comes."""
        notes = self._notes()
        try:
            question: dict[str, Any] = {"tool": tool.name, "why": decision.why}
            if params != call.input:
                # The owner says yes to what will be done, which may not be what was sent.
                question["input"] = dict(params)
            self._log.approval(call.thread, call.id, question, None)
            self._appended()
            while True:
                said = self._log.asked(call)[-1].approved
                if said is not None:
                    return said
                while not _is_answer(await anext(notes), call):
                    pass
        except asyncio.CancelledError as cut:
            cut.args = (HarnessError("cancelled", LEFT_WAITING),)
            raise
        finally:
            notes.close()

    def waiting(self) -> list[AskedCall]:
        """The calls that wait for the owner's yes, in any process that lives, oldest first."""
        found: list[AskedCall] = []
        for call in self._log.live.open_calls():
            if call.cwd is None or self._log.live.state_of(call) != "running":
                continue
            asked = self._log.asked(call)
            if asked and asked[-1].approved is None:
                question = as_object(asked[-1].value) or {}
                found.append(
                    AskedCall(
                        call.id,
                        call.thread,
                        call.seq,
                        call.name,
                        question.get("input", call.input),
                        call.cwd,
                        str(question.get("why", "")),
                        asked[-1].time,
                    )
                )
        return found

    def answer(self, id: str, approved: bool) -> AskedCall:
        """Record the owner's yes or no to a call that waits.

        Raises:
            HarnessError: `not_found` when it does not, or not any more.
        """
        with self._space.store.writing():
            for asked in self.waiting():
                if asked.id == id:
                    self._log.approval(thread_id(asked.thread), id, {"tool": asked.tool}, approved)
                    return asked
        raise HarnessError("not_found", "That call does not wait for an answer any more.")


def _is_answer(note: Note, call: ToolCall) -> bool:
    event = note.event if isinstance(note, Appended) else None
    return isinstance(event, Approval) and event.key == call.id and event.approved is not None

"""Doing an act that may enter: that it begins is recorded, it is done, and how it ended is recorded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Actor, ToolCall
from workbench.harness.log.log import Log
from workbench.harness.machine import Machine
from workbench.harness.names import TOOLBOX_BINDING
from workbench.harness.space.library import StoredTool
from workbench.harness.space.space import Space
from workbench.harness.tools.callables import Callables
from workbench.harness.tools.engine import Sandbox
from workbench.harness.verbs.act import Act
from workbench.harness.verbs.registry import handle

CANCELLED = "Cancelled before it ended; what it did until then stays."

NOT_RUN = "Cancelled before it ran. Nothing of it was done."

SETTLED = (
    "While this ran, another process took it for interrupted and recorded that; what it gave is not in the log. "
    "It may have taken effect: look before you do it again."
)


class Done(Struct, frozen=True):
    """An act that was done: its result as it entered the log, its thread, and the result's sequence number."""

    result: Any
    thread: str
    seq: int


class Doing:
    """What it takes to do the acts of one Space, and what those that run have said so far."""

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
        """`tell` and `appended` are those of `Door`."""
        self._space = space
        self._log = log
        self._callables = callables
        self._verbs = verbs
        self._sandbox = sandbox
        self._tell = tell
        self._appended = appended
        self._machine = machine
        self._tails: dict[str, str] = {}

    def record(self, name: str, input: Any, actor: Actor, thread: str, message: str, cwd: Path | None = None) -> Act:
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

    async def finish(self, act: Act) -> Done:
        """Do an act that has begun, and record how it ended.

        Raises:
            HarnessError: it failed; `thread` and `seq` say where that was recorded.
        """
        call = act.call
        try:
            result = await handle(act)
            strict_json.check(result, what="the result", max_depth=2 * strict_json.MAX_DEPTH)
            event = self._log.result(call, output=result)
        except HarnessError as error:
            raise self.failed(call, error) from error
        except asyncio.CancelledError as cut:
            cut.args = (self._cancelled(call, cut),)
            raise
        except Exception as error:
            wrong = HarnessError("failed", f"The workbench itself failed at this: {type(error).__name__}: {error}")
            raise self.failed(call, wrong) from error
        finally:
            self._tails.pop(call.id, None)
        self._appended()
        return Done(event.output, call.thread, event.seq)

    def not_run(self, acts: Iterable[Act]) -> None:
        """Record of those that have no result that nothing of them was done."""
        for act in acts:
            with contextlib.suppress(HarnessError):
                if self._log.result_of(act.call) is None:
                    self.failed(act.call, HarnessError("cancelled", NOT_RUN))

    def failed(self, call: ToolCall, error: HarnessError) -> HarnessError:
        """Record that a call failed: the error that says so, or what the log has of the call already.

        Raises:
            HarnessError: that cannot be recorded now; the call stands in the log as begun.
        """
        # Whoever wrote these words: half a character in them must not keep them out of the log.
        error.message = error.message.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        try:
            event = self._log.result(call, error=error)
        except HarnessError as refused:
            settled = self._log.result_of(call) if refused.code == "conflict" else None
            if settled is None:
                refused.thread = call.thread
                raise
            error, event = HarnessError("interrupted", SETTLED), settled
        self._appended()
        error.thread, error.seq = call.thread, event.seq
        return error

    def _cancelled(self, call: ToolCall, cut: asyncio.CancelledError) -> HarnessError:
        tail = self._tails.get(call.id, "")
        said = f"\nIts last output:\n{tail}" if tail.strip() else ""
        own = cut.args[0] if cut.args else None
        words = own.message if isinstance(own, HarnessError) else CANCELLED + said
        try:
            return self.failed(call, HarnessError("cancelled", words))
        except HarnessError as refused:
            # Cancelled it is, whether or not that can be recorded.
            words = f"{CANCELLED} That could not be recorded, and the next act settles it. {refused.message}"
            return HarnessError("cancelled", words)

    def _progressed(self, call: ToolCall, stage: str, tail: str) -> None:
        """A running call said how far it is; its last words are kept for when it is cancelled."""
        self._tails[call.id] = tail
        self._tell(call.thread, call.id, stage, tail)

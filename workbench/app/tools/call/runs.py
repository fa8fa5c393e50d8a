"""The calls that are under way, one a tool, and what came of the last one of each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from workbench.app.seams import Change, workbench
from workbench.app.tools.call.given import Refused
from workbench.app.tools.call.given_side import Given
from workbench.app.tools.call.limit import takes_limit
from workbench.app.tools.call.machine_outcome import machine_failed, machine_succeeded
from workbench.app.tools.call.outcome import Outcome, Where, failed, not_begun, refused_here, succeeded
from workbench.app.tools.call.running import RunningCall
from workbench.app.tools.directory import at_home
from workbench.app.tools.shown import Shown
from workbench.harness.door.doing import Done
from workbench.harness.errors import HarnessError
from workbench.harness.identity import new_id
from workbench.harness.space.document import ToolDocument
from workbench.harness.space.schema import Problem
from workbench.harness.verbs.answers import judge
from workbench.harness.verbs.carried import split

WITH_TAIL = frozenset({"cancelled", "timeout", "limit", "failed"})
"""Failures of what had begun to run: what was seen of its output is shown with them."""


class Runs:
    """Begins calls, follows them, keeps what came of them; going to another tool and back loses none."""

    def __init__(self, pane: Widget, ended: Callable[[str], None]) -> None:
        """`pane` is whose app does the acts; `ended` is told the name of a tool that has another outcome."""
        self._pane = pane
        self._ended = ended
        self._preparing: dict[str, Worker[None]] = {}
        self._under_way: dict[str, RunningCall] = {}
        self._outcomes: dict[str, Outcome] = {}

    def __contains__(self, tool: object) -> bool:
        """Whether a call of that tool is under way."""
        return tool in self._under_way

    def busy(self, tool: str) -> bool:
        """Whether a call of that tool is under way, or about to be."""
        return tool in self._under_way or tool in self._preparing

    def running(self, tool: str) -> RunningCall | None:
        """The call of a tool that is under way."""
        return self._under_way.get(tool)

    def outcome(self, tool: str) -> Outcome | None:
        """What came of the last call of a tool."""
        return self._outcomes.get(tool)

    def put(self, tool: str, outcome: Outcome) -> None:
        """This is what came of it."""
        self._outcomes[tool] = outcome
        self._ended(tool)

    def follow(self, change: Change) -> list[RunningCall]:
        """Take what happened; the calls that printed something."""
        return [running for running in self._under_way.values() if running.follow(change)]

    def prepare(self, tool: str, read: Callable[[], Awaitable[Given]], begin: Callable[[Given], None]) -> None:
        """Read what is given and begin the call; why it cannot be sent is what came of it otherwise."""

        async def prepared() -> None:
            try:
                given = await read()
            except HarnessError as error:
                self.put(tool, refused_here(error.message))
            except Refused as refused:
                self.put(tool, refused_here(refused.what, refused.problems))
            else:
                begin(given)
            finally:
                if self._preparing.get(tool) is get_current_worker():
                    del self._preparing[tool]

        self._preparing[tool] = self._pane.run_worker(
            prepared(), name="read the input", group="prepare", exit_on_error=False
        )

    def start_on_machine(self, shown: Shown, value: Any, cwd: Path) -> None:
        """Use a tool of the toolbox as the owner, in a folder of this machine."""
        bench, document = workbench(self._pane), shown.tool.document if shown.tool else None
        running = RunningCall(shown.key, "", value, time.monotonic(), None, cwd=str(cwd), process=bench.harness.process)
        self._under_way[shown.key] = running
        running.ticket = bench.hand(
            shown.name, value, cwd, then=lambda done, error: self._take(running, document, done, error)
        )

    def start(self, shown: Shown, value: Any, seconds: int | None, setting: int) -> None:
        """Call a tool as the owner; `seconds` are what is asked for in place of the setting."""
        name = shown.name
        act: tuple[str, Any] = (name, value)
        if shown.row.group != "verbs":
            options = {"options": {"timeout_secs": seconds}} if seconds is not None else {}
            act = ("call", {"tool": name, "input": value} | options)
        limit = _own_seconds(shown, value) or seconds or setting if takes_limit(shown) else None
        running = RunningCall(name, new_id("message"), value, time.monotonic(), limit)
        self._under_way[name] = running
        running.ticket = workbench(self._pane).act(
            *act,
            message=running.message,
            then=lambda done, error: self._take(running, self._document(name), done, error),
        )

    def cancel(self, tool: str) -> bool:
        """Stop the call of a tool, under way or about to be; whether there was one."""
        preparing = self._preparing.pop(tool, None)
        if preparing is not None:
            preparing.cancel()
            self.put(tool, not_begun())
            return True
        running = self._under_way.get(tool)
        if running is None:
            return False
        running.stopping = workbench(self._pane).cancel_act(running.ticket) or running.stopping
        return True

    def _take(
        self, running: RunningCall, document: ToolDocument | None, done: Done | None, error: HarnessError | None
    ) -> None:
        """A call has ended."""
        name, now = running.tool, time.monotonic()
        took, cwd, tool = running.took(now), running.cwd, name.rpartition(":")[2]
        del self._under_way[name]

        def make() -> Outcome:
            if error is None:
                assert done is not None
                if cwd is None:
                    return succeeded(done.result, running.input, Where(done.thread, done.seq))
                where = Where(done.thread, done.seq, round((now - running.began) * 1000), f"in {at_home(cwd)}")
                return machine_succeeded(tool, done.result, running.input, cwd, where)
            refused = error.code == "bad_input"
            problems = problems_of(document, running.input) if refused and document else ()
            where = Where(error.thread, error.seq, beside="" if refused else f"after {took}")
            tail = running.tail if error.code in WITH_TAIL else ""
            if cwd is None:
                return failed(error.code, error.message, running.input, where, tail=tail, problems=problems)
            said = (error.code, error.message)
            return machine_failed(tool, said, running.input, cwd, where, tail=tail, problems=problems)

        async def lay_out() -> None:
            # A result may be megabytes, and writing it out takes longer than a key may wait.
            self.put(name, await asyncio.to_thread(make))

        self._pane.run_worker(
            lay_out(), name="lay a result out", group=f"result of {name}", exclusive=True, exit_on_error=False
        )

    def _document(self, name: str) -> ToolDocument | None:
        try:
            tool = workbench(self._pane).harness.tool(name)
        except HarnessError:
            return None
        return tool.document if tool else None


def _own_seconds(shown: Shown, value: Any) -> int | None:
    """The limit that `execute` is given in its own input."""
    own = value.get("timeout_secs") if isinstance(value, dict) else None
    executes = shown.tool is not None and shown.tool.document.binding == "execute"
    return own if executes and isinstance(own, int) and not isinstance(own, bool) else None


def problems_of(document: ToolDocument, value: Any) -> tuple[Problem, ...]:
    """What a tool's schema refuses of an input; of a verb's, as the door judges it."""
    verb = document.binding is not None and document.binding.startswith("verb:")
    try:
        return judge(document, split(document.name, value)[0] if verb else value).errors
    except HarnessError as error:
        return (Problem("$", error.message),)

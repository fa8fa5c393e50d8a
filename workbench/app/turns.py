"""The app's own turns of the agent: at most one a thread, each in a worker of its own."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from textual.app import App
from textual.timer import Timer
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from workbench.harness.errors import HarnessError
from workbench.harness.log.events import Event, Message, Run, ToolCall
from workbench.harness.space.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    # What a turn needs is loaded when somebody begins one: the app is there before it.
    from workbench.agent.models.model import Model
    from workbench.agent.notes import Note
    from workbench.app.live import Live
    from workbench.app.seams import Workbench

GROUP = "turns"
"""The group of their workers."""

FRAME_SECS = 1 / 30
"""However fast pieces come, whoever draws them is told this often at most."""

LOOKED_AT = 40
"""Events at the end of a thread among which it is looked whether somebody waits for an answer."""


class Turns:
    """Begins turns, aborts them, and knows what each does now. `model` is who answers in this session."""

    def __init__(self, app: App[None], model: str | None = None) -> None:
        """`model` acts for this session; without it the settings' does."""
        self._app = app
        self._workbench = cast("Workbench", app)
        self.given = model
        """The model that was chosen for this session; None leaves it to the settings."""
        self._live: dict[str, Live] = {}
        self._workers: dict[str, Worker[None]] = {}
        self._faults: dict[str, str] = {}
        self._runs: dict[str, Run | None] = {}
        self._changed: set[str] = set()
        self._listeners: list[Callable[[str], None]] = []
        self._frames: Timer | None = None

    def __len__(self) -> int:
        return len(self._live)

    # Who answers ------------------------------------------------------------------------------------------------

    @property
    def model(self) -> str | None:
        """The name of the model that answers; None where none is set, or where it waits for the owner's yes."""
        return self.given or self._settings().model

    @property
    def models(self) -> Mapping[str, Any]:
        """What the settings say of models, by their names."""
        return self._settings().models

    def _settings(self) -> Settings:
        """The settings that act; where they cannot be read now, which is said elsewhere, those that always do."""
        try:
            return self._workbench.harness.settings().settings
        except HarnessError:
            return DEFAULTS

    def use(self, model: str | None) -> None:
        """Have another model answer in this session, from the next turn on; None goes back to the settings'."""
        self.given = model
        self._tell(self._workbench.thread)

    def names(self) -> list[str]:
        """The models that can be chosen by name: the present one, and those that the settings describe."""
        settings = self._settings()
        named = [self.given, settings.model, *settings.models]
        return list(dict.fromkeys(name for name in named if name))

    @property
    def waits(self) -> str | None:
        """The model that the settings name, while it waits for the owner's yes on this machine."""
        try:
            waiting = self._workbench.harness.waiting()
        except HarnessError:
            return None
        found = (setting for setting in waiting if setting.id == "model" and not setting.denied)
        return next((str(setting.value) for setting in found), None)

    def choose(self, id: str, settings: Settings) -> Model:
        """The model of a name. Called off the event loop, but for one that reads the Space itself."""
        from workbench.agent.models.choose import choose

        return choose(id, settings, harness=self._workbench.harness)

    # What they do -----------------------------------------------------------------------------------------------

    def of(self, thread: str) -> Live | None:
        """The turn of a thread that this app runs, if it does."""
        return self._live.get(thread)

    def fault(self, thread: str) -> str | None:
        """Why the last turn of a thread did not begin, or broke off, where the log does not say it."""
        return self._faults.get(thread)

    def elsewhere(self, thread: str) -> bool:
        """Whether a run of the thread lives that is not this app's. Raises HarnessError where that cannot be read."""
        if thread in self._live:
            return False
        if thread not in self._runs:
            self._runs[thread] = self._workbench.harness.live_run(thread)
        if self._runs[thread] is not None:
            # Whose process is gone says nothing.
            self._runs[thread] = self._workbench.harness.live_run(thread)
        return self._runs[thread] is not None

    def passed(self, events: Iterable[Event], *, lost: bool = False) -> None:
        """Take in what happened in the Space."""
        if lost:
            self._runs.clear()
        for event in events:
            if isinstance(event, Run):
                self._runs[event.thread] = event if event.state == "start" else None

    def listen(self, told: Callable[[str], None]) -> None:
        """Have a part of the app told, by the frame, in which thread something is different."""
        self._listeners.append(told)

    # Beginning and ending ---------------------------------------------------------------------------------------

    async def say(self, text: str, thread: str) -> None:
        """Say something to the agent. A turn that runs takes it up with its next request; else one begins.

        Raises:
            HarnessError: it was not said.
        """
        if self._faults.pop(thread, None) is not None:
            self._tell(thread)
        await self._workbench.harness.say(text, "user", thread)
        live = self._live.get(thread)
        if live is not None:
            live.asked_again = True
            return
        # Said it is, whatever cannot be read now; beginning a turn beside another one is refused in any case.
        try:
            elsewhere = self.elsewhere(thread)
        except HarnessError:
            elsewhere = False
        if self.model is not None and not elsewhere:
            self.go_on(thread)

    def go_on(self, thread: str) -> None:
        """Have the model answer what waits in a thread."""
        id = self.model
        if id is None or thread in self._live:
            return
        from workbench.app.live import Live

        self._faults.pop(thread, None)
        live = self._live[thread] = Live(thread, id)

        async def run() -> None:
            await self._run(live)

        self._workers[thread] = self._app.run_worker(run, name=f"a turn in {thread}", group=GROUP, exit_on_error=False)
        if self._frames is None:
            self._frames = self._app.set_interval(FRAME_SECS, self._frame, name="draw turns", pause=True)
        self._tell(thread)

    def abort(self, thread: str) -> bool:
        """Abort the turn of a thread; whether this app runs one. What was said until then stays."""
        worker = self._workers.get(thread)
        if worker is None:
            return False
        # Cancelled once: a second time would break into the recording of how it ended.
        if not worker.is_cancelled:
            live = self._live[thread]
            live.stop()
            worker.cancel()
            if not live.begun:
                # It never gets to where it would say so itself.
                self._end(thread)
            self._tell(thread)
        return True

    async def stop(self) -> None:
        """Abort all, and wait until each has its end in the log."""
        for thread, worker in list(self._workers.items()):
            self.abort(thread)
            with contextlib.suppress(WorkerFailed, WorkerCancelled):
                await worker.wait()

    async def _run(self, live: Live) -> None:
        live.begun = True
        try:
            model = await self.opened(live.model)
            try:
                await self._answer(live, model)
            finally:
                await model.close()
        except HarnessError as error:
            self._faults[live.thread] = error.message + self._unapproved()
        except Exception as error:  # whatever it is, it is said where somebody waits for the answer
            self._faults[live.thread] = f"The workbench itself failed at this: {type(error).__name__}: {error}"
            raise
        finally:
            self._end(live.thread)

    async def opened(self, id: str) -> Model:
        """The model of a name, made where that takes nobody's time. Close it.

        Raises:
            HarnessError: there is no such model, or what it needs is not there.
        """
        harness = self._workbench.harness
        settings = harness.settings().settings
        table = settings.models.get(id)
        target = table.get("model", id) if isinstance(table, dict) else id
        if str(target).startswith("replay:") and not str(target).endswith(".jsonl"):
            # A recorded thread is read from the Space, which belongs to this thread of the process.
            return self.choose(id, settings)
        return await asyncio.to_thread(self.choose, id, settings)

    async def _answer(self, live: Live, model: Model) -> None:
        from workbench.agent.turn import turn

        def told(note: Note) -> None:
            live.note(note)
            self._tell(live.thread)

        while True:
            live.asked_again = False
            end = await turn(self._workbench.harness, live.thread, model, told=told)
            if end.reason == "failed":
                self._say_elsewhere(live.thread, end.words)
            if end.reason != "done" or not live.asked_again or not self._somebody_waits(live.thread):
                return

    def _somebody_waits(self, thread: str) -> bool:
        """Whether the last thing said in a thread is not the agent's."""
        harness = self._workbench.harness
        last = next((each.events for each in harness.threads() if each.id == thread), 0)
        for event in reversed(harness.events(thread, max(last - LOOKED_AT, 0))):
            if isinstance(event, Message | ToolCall):
                return event.actor != "agent"
        return False

    def _say_elsewhere(self, thread: str, words: str) -> None:
        """Tell whoever looks at something else that a turn failed; the log has it in any case."""
        if self._workbench.place != "transcript" or self._workbench.thread != thread:
            self._workbench.say_error(f"The turn in {thread} failed: {words}")

    def _unapproved(self) -> str:
        try:
            waits = [setting.id for setting in self._workbench.harness.waiting() if setting.id == "models"]
        except HarnessError:
            return ""
        return " The settings under models wait for your yes (2, then s)." if waits else ""

    def _end(self, thread: str) -> None:
        self._live.pop(thread, None)
        self._workers.pop(thread, None)
        self._tell(thread)

    # Frames -----------------------------------------------------------------------------------------------------

    def _tell(self, thread: str) -> None:
        self._changed.add(thread)
        if self._frames is not None:
            self._frames.resume()
        elif self._app.is_running:
            self._frame()

    def _frame(self) -> None:
        changed, self._changed = self._changed, set()
        if not changed and not self._live and self._frames is not None:
            self._frames.pause()
        if self._app.is_running:
            for thread in sorted(changed):
                for told in self._listeners:
                    told(thread)

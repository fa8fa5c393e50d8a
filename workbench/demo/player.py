"""The player: does a scene's steps in a real Space, through the door, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.agent.scene import Say, Scene, Step
from workbench.demo.places import fill
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.harness.door.doing import Done
    from workbench.harness.harness import Harness
    from workbench.harness.log.events import Message
    from workbench.harness.log.promotion import Promotion


@dataclass(frozen=True, slots=True)
class Played:
    """A step that was played: what came of it, and the thread's promotion before and after.

    One of `done` and `error` is set; `done` is a Message where something was said.
    """

    step: Step
    done: Done | Message | None
    error: HarnessError | None
    before: Promotion
    after: Promotion

    @property
    def gained(self) -> tuple[str, ...]:
        """The tools that the provider has since this step."""
        return tuple(name for name in self.after.provider_tools if name not in self.before.provider_tools)

    @property
    def lost(self) -> tuple[str, ...]:
        """The tools that the provider had before this step."""
        return tuple(name for name in self.before.provider_tools if name not in self.after.provider_tools)


class Player:
    """Plays one scene in one open Space. Call `prepare` once, then `step` until `done`."""

    def __init__(self, harness: Harness, scene: Scene, *, ours: bool = False) -> None:
        """`ours` says that the scene came with the workbench; only such a one gets the real machine without a yes."""
        self._harness = harness
        self.scene = scene
        self._ours = ours
        self._position = 0

    @property
    def title(self) -> str:
        """The scene's title."""
        return self.scene.title

    @property
    def thread(self) -> str:
        """The thread in which the scene happens."""
        return self.scene.thread

    @property
    def steps(self) -> Sequence[Step]:
        """All steps, in order."""
        return self.scene.steps

    @property
    def position(self) -> int:
        """How many steps were played; the index of the next one."""
        return self._position

    @property
    def done(self) -> bool:
        """Whether every step was played."""
        return self._position >= len(self.scene.steps)

    @property
    def notice(self) -> str | None:
        """What of the scene cannot be done here now, and why; None where all can. Known after `prepare`."""
        if self.scene.surface == "toolbox" and self._harness.toolbox().missing is not None:
            return (
                f"This scene acts on the real machine, as you, in {self._workdir}, and waits for your yes: workbench "
                "approve surface, workbench approve workdir, or the Space tab. Until then its agent has the verbs only."
            )
        ours = {one.name for one in self.scene.lambdas}
        missing = [state for state in self._harness.tools() if state.name in ours and state.reason == "unavailable"]
        if not missing:
            return None
        names = ", ".join(state.name for state in missing)
        why = " ".join(dict.fromkeys(state.detail or "" for state in missing))
        return (
            f"Lambdas cannot run here, so {names} will be answered as unavailable; the scene goes on. {why} "
            "`workbench doctor` says more."
        )

    async def prepare(self) -> None:
        """Put the scene's files and lambdas in place, as the owner and through the door.

        Raises:
            HarnessError: one of them was refused.
        """
        if self.scene.surface == "toolbox":
            await self._prepare_machine()
        for file in self.scene.files:
            await self._harness.perform("write", {"address": f"~/memory/{file.path}", "content": file.content})
        for one in self.scene.lambdas:
            await self._harness.perform("write", {"address": f"~/tools/{one.name}", "content": dict(one.content)})

    @property
    def _workdir(self) -> Path:
        """The folder beside the Space that a scene on the real machine acts in."""
        return self._harness.root.with_name(f"{self._harness.root.name}-work")

    async def _prepare_machine(self) -> None:
        await asyncio.to_thread(fill, self._workdir, self.scene.work_files)
        settings = {"surface": "toolbox", "workdir": str(self._workdir)}
        await self._harness.perform("write", {"address": "~/self", "content": settings})
        if self._ours:
            for key in settings:
                await self._harness.approve(key)

    async def step(self) -> Played:
        """Play the next step. An act that fails is part of the show: it comes back in `error`.

        Raises:
            HarnessError: `refused` when every step was played.
        """
        if self.done:
            raise HarnessError("refused", f"The scene {self.title} is over; open it anew to see it again.")
        step = self.scene.steps[self._position]
        before = self._harness.promoted(self.thread)
        done: Done | Message | None = None
        failure: HarnessError | None = None
        try:
            done = await self._do(step)
        except HarnessError as error:
            failure = error
        self._position += 1
        return Played(step, done, failure, before, self._harness.promoted(self.thread))

    async def _do(self, step: Step) -> Done | Message:
        act = step.act
        if isinstance(act, Say):
            return await self._harness.say(act.text, act.actor, self.thread, act.message)
        return await self._harness.perform(act.name, act.input, act.actor, self.thread, act.message)

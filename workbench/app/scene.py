"""Showing a demo's scene: put in place when the Space is open, and played a step at a time."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from workbench.app.demo_bar import DemoBar

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp
    from workbench.demo.player import Player


class SceneShow:
    """The player of a scene and whether its next step can be played."""

    def __init__(self, app: WorkbenchApp, player: Player) -> None:
        self._app = app
        self.player = player
        self.ready = False

    def bar(self) -> DemoBar:
        """The bar that says where the scene is."""
        return DemoBar(self.player)

    def begin(self) -> None:
        """Put the scene in place."""
        self._run(self._prepare(), "put the scene in place")

    def step(self) -> None:
        """Play the next step."""
        if not self.ready or self.player.done:
            return
        self.ready = False
        self._app.query_one(DemoBar).playing()
        self._run(self._play(), "play a step of the scene")

    def _run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._app.run_worker(work, name=name, group="acts", exit_on_error=False)

    async def _prepare(self) -> None:
        try:
            await self.player.prepare()
        except Exception as error:  # whatever it is, the bar must not go on saying that something is under way
            self._app.query_one(DemoBar).failed(error)
            raise
        self._app.query_one(DemoBar).ready()
        self.ready = True
        self._app.refresh_bindings()

    async def _play(self) -> None:
        try:
            played = await self.player.step()
            self._app.query_one(DemoBar).played(played)
        except Exception as error:  # as above
            self._app.query_one(DemoBar).failed(error)
            raise
        finally:
            self.ready = True
            if self.player.done:
                # The key plays nothing any more, and what waits now waits for somebody else.
                self._app.refresh_bindings()
                from workbench.app.transcript.tab import TranscriptTab

                for tab in self._app.query(TranscriptTab):
                    tab.guarded(tab.turn.show)

"""The model that was given at the start: whether it can be asked at all is told before anybody speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.app.status.line import StatusLine
from workbench.harness.errors import HarnessError

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp


class GivenModel:
    """Looks whether the model of this session is one. Nothing is asked of it and no key is read."""

    def __init__(self, app: WorkbenchApp) -> None:
        self._app = app
        self._bad: str | None = None

    def look(self) -> None:
        """Look, beside everything else; what is wrong is said, and marked in the status line."""
        self._app.run_worker(self._look(), name="look at the given model", group="given model", exit_on_error=False)

    def look_again(self) -> None:
        """Where it was none, it may be one by now: its file is there, or another one was chosen."""
        if self._bad is not None:
            self.look()

    async def _look(self) -> None:
        app, id = self._app, self._app.turns.given
        bad = None
        if id is not None:
            try:
                model = await app.turns.opened(id)
                await model.close()
            except HarnessError as error:
                bad = id
                if bad != self._bad:
                    app.say_error(f"The model {id} cannot answer. {error.message}")
        self._bad = bad
        for line in app.query(StatusLine):
            line.mark_model(bad)

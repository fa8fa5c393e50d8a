"""An app whose failures are words: in place, in a toast, or after its end; never a traceback on the screen."""

from __future__ import annotations

import io
from pathlib import Path
from typing import cast

from rich.console import Console, RenderableType
from textual.app import App
from textual.css.query import NoMatches
from textual.widget import MountError
from textual.worker import Worker, WorkerFailed, WorkerState

from workbench import crash
from workbench.app.widgets.literal import toast
from workbench.harness.errors import HarnessError


class FailsInWords(App[None]):
    """What goes wrong in a worker is said and the app goes on; what goes wrong in the app ends it with a report."""

    crash_report: Path | None = None
    """The report of what ended the app, for whoever started it to name."""

    def say(self, text: str) -> None:
        """Tell the person something in passing."""
        toast(self, text)

    def say_error(self, text: str) -> None:
        """Tell the person what went wrong."""
        toast(self, text, error=True)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is not WorkerState.ERROR or event.worker.error is None:
            return
        error = event.worker.error
        if isinstance(error, HarnessError):
            self.say_error(error.message)
            return
        report = crash.write_report(error)
        where = f" The report is in {report}." if report else ""
        self.say_error(f"The workbench itself failed ({event.worker.name}): {type(error).__name__}: {error}.{where}")

    def _handle_exception(self, error: Exception) -> None:
        # Whoever leaves while parts are still being put in place takes away what these look for: no failure of ours.
        if not (self._exit and isinstance(error, NoMatches | MountError)):
            super()._handle_exception(error)

    def panic(self, *renderables: RenderableType) -> None:
        """End with exit code 1 and a crash report; nothing of it goes to the terminal."""
        words = Console(file=io.StringIO(), width=120, color_system=None)
        words.print(*renderables, markup=False)
        text = cast("io.StringIO", words.file).getvalue()
        self.crash_report = crash.write_report(self._exception or RuntimeError(text))
        self._return_code = 1
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        # Textual's own report prints every local variable to the terminal; ours goes to a file, and main says where.
        error = self._exception
        if isinstance(error, WorkerFailed):
            error = error.error
        if error is not None:
            self.crash_report = crash.write_report(error)
        self._close_messages_no_wait()

"""Running the app from a command, with a true exit code whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import crash
from workbench.harness.text import printable
from workbench.harness.tools.lambdas import ahead

if TYPE_CHECKING:
    from workbench.app.app import WorkbenchApp
    from workbench.demo.player import Player
    from workbench.harness.harness import Harness


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that end the app in order: the terminal is given back, and the exit code is 128 and the signal's number."""


def run(
    space: Path,
    thread: str | None = None,
    player_factory: Callable[[Harness], Player] | None = None,
    model: str | None = None,
) -> int:
    """Show a Space until the person leaves; with `model`, that one answers instead of the one of the settings.

    The exit code: 0, 1 when the Space was refused or the app failed, 128 and its number when a signal ended it.
    """
    ahead.begin()
    # Until everything stands nothing is garbage, and looking for some takes a tenth of the start.
    gc.disable()
    try:
        # Loaded before the loop has the signals, so that one that comes meanwhile need not wait for it.
        from workbench.app.app import WorkbenchApp

        def make() -> WorkbenchApp:
            return WorkbenchApp(space, thread=thread, model=model, player_factory=player_factory)

        code, report = asyncio.run(_run(make))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except Exception as error:  # the last resort: words and a report, never a traceback on the screen
        print(printable(crash.in_one_line(error, crash.write_report(error))), file=sys.stderr)
        return 1
    if report is not None:
        with contextlib.suppress(OSError):
            print(printable(f"The workbench failed. The report is in {report}"), file=sys.stderr)
    _let_go_of_a_lost_terminal()
    return code


def _let_go_of_a_lost_terminal() -> None:
    """What could not be written to a terminal that is gone would be tried again at the interpreter's end, which then
    exits with a code of its own."""
    for stream in {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__} - {None}:
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


async def _run(make: Callable[[], WorkbenchApp]) -> tuple[int, Path | None]:
    app = make()
    loop = asyncio.get_running_loop()
    for signum in ENDING:
        # A handler of our own also for SIGINT: asyncio's cancels the app, which takes that for a plain end.
        loop.add_signal_handler(signum, app.leaving.signalled, 128 + signum)
    await app.run_async()
    return app.return_code or 0, app.crash_report

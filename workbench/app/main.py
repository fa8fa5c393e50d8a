"""Running the app from a command, with a true exit code whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import crash
from workbench.harness.harness import Harness
from workbench.harness.text import printable

if TYPE_CHECKING:
    from workbench.demo.player import Player


def run(space: Path, thread: str | None = None, player_factory: Callable[[Harness], Player] | None = None) -> int:
    """Show a Space until the person leaves; the exit code: 0, or 1 when the Space was refused or the app failed."""
    try:
        app_code, report = asyncio.run(_run(space, thread, player_factory))
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the last resort: words and a report, never a traceback on the screen
        print(printable(crash.in_one_line(error, crash.write_report(error))), file=sys.stderr)
        return 1
    if report is not None:
        print(printable(f"The workbench failed. The report is in {report}"), file=sys.stderr)
    return app_code


async def _run(
    space: Path, thread: str | None, player_factory: Callable[[Harness], Player] | None
) -> tuple[int, Path | None]:
    from workbench.app.app import WorkbenchApp

    app = WorkbenchApp(space, thread=thread, player_factory=player_factory)
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        with contextlib.suppress(NotImplementedError, AttributeError):
            loop.add_signal_handler(getattr(signal, name), app.exit)
    await app.run_async()
    return app.return_code or 0, app.crash_report

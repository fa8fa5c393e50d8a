"""Where the command begins: a signal that comes while the rest is still being loaded ends it in words too."""

from __future__ import annotations

import os
import signal
import sys

CANCELLED = "Cancelled before it began; nothing was done."


def main() -> int:
    """Run the command line; the process's exit code."""
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        # Whoever started this under nohup wants it to outlive the terminal.
        if signum != signal.SIGHUP or signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, _too_early)
    from workbench.cli.launch import app_alone, has_terminal, open_app, space_folder

    asked = app_alone(sys.argv[1:])
    if asked is not None and has_terminal():
        # The commands, and what reads their options, are not needed then.
        from workbench.cli.output import prepare

        prepare()
        return open_app(space_folder(asked.space), model=asked.model)
    from workbench.cli.main import main as run

    return run()


def _too_early(signum: int, _frame: object) -> None:
    # Only what needs nothing loaded: a module may be half imported at this moment.
    if "--json" in sys.argv:
        text = '{"error": {"code": "cancelled", "message": "' + CANCELLED + '"}, "thread": null, "seq": null}\n'
        os.write(1, text.encode("ascii"))
    else:
        os.write(2, f"workbench: {CANCELLED}\n".encode("ascii"))
    os._exit(128 + signum)

"""The last resort of every face: a defect of ours becomes one line and a report in a file, never a traceback."""

from __future__ import annotations

import os
import traceback
from pathlib import Path


def write_report(error: BaseException) -> Path | None:
    """Keep the traceback, with versions and without values or environment, in the user's own state folder.

    None where even that fails.
    """
    try:
        import platform
        import time
        from importlib.metadata import version

        import platformdirs

        folder = Path(platformdirs.user_state_dir("workbench")) / "crashes"
        head = f"Python {platform.python_version()}, textual {version('textual')}, {platform.platform()}\n\n"
        path = folder / f"{time.strftime('%Y-%m-%dT%H-%M-%S', time.gmtime())}-{os.getpid()}.txt"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.write_text(head + "".join(traceback.format_exception(error)), "utf-8", "backslashreplace")
    except (OSError, RuntimeError, ImportError):
        return None
    return path


def in_one_line(error: BaseException, report: Path | None) -> str:
    """What a user is told of a defect, and where the report is."""
    what = f"{type(error).__name__}: {error}".split("\n")[0][:200]
    kept = f"The report is in {report}." if report else "No report could be written."
    return f"The workbench itself failed at this ({what}). {kept}"

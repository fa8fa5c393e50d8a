"""What is left when the workbench itself fails: a report in the user's own state folder."""

from __future__ import annotations

import os
import platform
import time
import traceback
from pathlib import Path


def report_folder() -> Path:
    """Where reports go."""
    import platformdirs

    return Path(platformdirs.user_state_dir("workbench")) / "crashes"


def write_report(error: BaseException) -> Path | None:
    """Write the traceback, with versions and without values or environment; None where even that fails."""
    import textual

    folder = report_folder()
    name = time.strftime("%Y-%m-%dT%H-%M-%S", time.gmtime()) + f"-{os.getpid()}.txt"
    text = "".join(
        [
            f"workbench, Python {platform.python_version()}, textual {textual.__version__}, {platform.platform()}\n\n",
            *traceback.format_exception(error),
        ]
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8", "backslashreplace")
    except OSError:
        return None
    return folder / name

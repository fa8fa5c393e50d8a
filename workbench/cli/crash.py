"""The last resort: a defect of ours becomes a line for the user and a report in a file, never a traceback."""

from __future__ import annotations

import os
import traceback
from datetime import UTC, datetime
from pathlib import Path


def report(error: BaseException) -> str:
    """Keep what is known of a defect in the user's state folder, and say it in one line."""
    what = f"{type(error).__name__}: {error}".split("\n")[0][:200]
    where = _keep("".join(traceback.format_exception(error)))
    kept = f"The report is in {where}." if where else "No report could be written."
    return f"The workbench itself failed at this ({what}). {kept}"


def _keep(text: str) -> Path | None:
    try:
        import platformdirs

        folder = Path(platformdirs.user_state_dir("workbench")) / "crashes"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.txt"
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except (OSError, RuntimeError):
        return None
    return path

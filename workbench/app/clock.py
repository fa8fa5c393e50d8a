"""How long ago something happened that the log has."""

from __future__ import annotations

from datetime import datetime


def elapsed(time: str, now: datetime) -> int:
    """Whole seconds since a time as the log writes it; 0 for one that is still to come."""
    return max(0, int((now - datetime.fromisoformat(time)).total_seconds()))

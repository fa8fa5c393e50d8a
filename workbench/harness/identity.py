"""Ids and times, as the log stores them."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from workbench.harness.errors import HarnessError

Clock = Callable[[], int]
"""Milliseconds since the epoch, UTC. Handed in when a Space is opened, so that a test can hold time still."""

UNKNOWN_TIME = "unknown time"
"""What stands for a time that no calendar has."""

WORKSHOP = "workshop"
"""The thread of acts that belong to no conversation: saves and calls from the Tools tab, bare commands, hand edits."""

_THREAD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")


def now_ms() -> int:
    """The system's clock, in milliseconds."""
    return time.time_ns() // 1_000_000


def iso(time_ms: int) -> str:
    """`2026-11-30T11:33:05.123Z` for a time in milliseconds; `UNKNOWN_TIME` for one that no calendar has."""
    try:
        moment = datetime.fromtimestamp(time_ms / 1000, tz=UTC)
    except (OverflowError, ValueError, OSError):
        return UNKNOWN_TIME
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time_ms % 1000:03d}Z"


def new_id(prefix: str) -> str:
    """A fresh id such as `call-9f2c…`: 64 random bits behind a word that says what it names."""
    return f"{prefix}-{secrets.token_hex(8)}"


def thread_id(value: object) -> str:
    """Check the name of a thread that came from outside.

    Raises:
        HarnessError: `bad_input`, with the rule, when it cannot name a thread.
    """
    if isinstance(value, str) and _THREAD_ID.match(value):
        return value
    raise HarnessError(
        "bad_input",
        "A thread is named by 1 to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit: "
        "for example demo-1.",
    )

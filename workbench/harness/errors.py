"""The one exception of the core: every failed act, in words a person can act on."""

from __future__ import annotations

from typing import Literal, get_args

Code = Literal[
    "bad_input",
    "not_found",
    "refused",
    "limit",
    "failed",
    "timeout",
    "cancelled",
    "unavailable",
    "conflict",
    "corrupt",
    "interrupted",
]
"""The kinds of failure. Faces may branch on them; the words are for people."""

CODES: tuple[str, ...] = get_args(Code)

NOT_BEGUN = "Cancelled before it began. Nothing ran, and nothing was logged."
"""What is said of something that was cancelled before there was an act."""


class HarnessError(Exception):
    """An act that failed, or a Space that cannot be used.

    `message` says what was wrong, what is allowed and what to do. `thread` and `seq` name the `tool_result` that
    recorded the failure; both stay None when it was refused before an act existed.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message
        self.thread: str | None = None
        self.seq: int | None = None

    @classmethod
    def of_cancellation(cls, cut: BaseException) -> HarnessError:
        """What a cancelled act left in the log, as the door hands it on with the CancelledError itself.

        It hands on nothing where there was no act yet.
        """
        recorded = cut.args[0] if cut.args else None
        return recorded if isinstance(recorded, HarnessError) else cls("cancelled", NOT_BEGUN)

    def __repr__(self) -> str:
        return f"HarnessError({self.code!r}, {self.message!r})"

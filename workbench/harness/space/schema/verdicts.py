"""What is answered about an input: problems, and keys that its schema does not name."""

from __future__ import annotations

from msgspec import Struct


class Problem(Struct, frozen=True):
    """One thing that is wrong with an input. `path` leads to it (`$.a.b[0]`), also when it is a missing property."""

    path: str
    message: str


class Verdict(Struct, frozen=True):
    """What a check found: the problems, and the parts of the schema that could not be checked."""

    errors: tuple[Problem, ...]
    unchecked: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.errors


class UnknownKey(Struct, frozen=True):
    """A key that the schema does not name. `path` leads to its object; `nearest` is the named key it resembles."""

    key: str
    path: str
    nearest: str | None

"""What is answered about an input: problems, and keys that its schema does not name."""

from __future__ import annotations

from msgspec import Struct

MISSING = "required property is missing"
"""What is wrong with a property that is required and not there."""

_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))


def not_of_type(wanted: str, given: str) -> str:
    """What is wrong with a value of another type; `wanted` are names of types, joined by "or"."""
    return f"must be {wanted}, is {given}"


def type_wanted(message: str) -> str | None:
    """The half of such a sentence that says what it must be; None for any other sentence."""
    said, is_there, _ = message.partition(", is ")
    begin, _, names = said.partition("must be ")
    return said if is_there and not begin and _TYPES.issuperset(names.split(" or ")) else None


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

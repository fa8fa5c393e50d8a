"""Patterns in linear time. Python's `re` can be made to run for hours by eleven characters; RE2 can not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol, cast

MAX_PATTERN_CHARACTERS = 8 * 1024
"""A longer pattern is not compiled, and so reported as unchecked."""

_MEMORY = 1 << 20  # bytes a compiled pattern may use; one that needs more is refused at once or runs slower


class _Search(Protocol):
    programsize: int

    def search(self, text: str) -> object: ...


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern."""

    program: _Search

    def cost(self, text: str) -> int:
        """Steps to charge for a search in `text`: RE2's worst case is length times program size, at 3 ns each."""
        return 1 + len(text) * self.program.programsize // 1024

    def found_in(self, text: str) -> bool:
        """Whether it matches anywhere in `text`, as JSON Schema asks."""
        return self.program.search(text) is not None


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A pattern that cannot be checked, and why."""

    reason: str


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> Pattern | Unsupported:
    """Compile a `pattern`. What RE2 has not (look-around, back-references) gives `Unsupported`, never an error."""
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        return Unsupported(f"it is over {MAX_PATTERN_CHARACTERS:,} characters")
    engine: Any = import_module("re2")  # by name: it has no types
    options = engine.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return Pattern(cast("_Search", engine.compile(pattern, options)))
    except engine.error as fault:
        detail: object = fault.args[0] if fault.args else ""
        text = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        return Unsupported(text[:100])

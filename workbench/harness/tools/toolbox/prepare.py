"""What an input needs before it is used: the repair of a habit of models, and numbers that are whole."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from msgspec import UnsetType

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.drawn import text_of

_SHOWN = 200
"""Characters of a value that a refusal repeats."""


def take_file_path(args: Any) -> Any:
    """An input in which `path` says what `file_path` said. It is a new object; the one that was sent stays as it is.

    What is no object is handed on: the schema has words for it.

    Raises:
        HarnessError: `bad_input` where both are there and differ.
    """
    if not isinstance(args, Mapping):
        return args
    taken = dict(cast("Mapping[str, Any]", args))
    if "file_path" not in taken:
        return taken
    other = taken.pop("file_path")
    if "path" not in taken:
        taken["path"] = other
    elif taken["path"] != other:
        raise HarnessError(
            "bad_input",
            f"path is {_named(taken['path'])} and file_path is {_named(other)}, which differ. "
            "Give path alone: file_path is only another name for it.",
        )
    return taken


def whole_number(value: float | UnsetType, name: str) -> int | None:
    """The whole number that a JSON number is; None where there is none.

    Raises:
        HarnessError: `bad_input` for a number with a fraction, naming the parameter.
    """
    if isinstance(value, UnsetType):
        return None
    if not math.isfinite(value) or value != int(value):
        raise HarnessError("bad_input", f"{name} is {value}. It must be a whole number.")
    return int(value)


def number_in(body: Any, key: str) -> int | None:
    """A whole number of an input as it was sent; None where there is none. For drawing, which stands any input."""
    value: Any = cast("Mapping[str, Any]", body).get(key) if isinstance(body, Mapping) else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def path_in(body: Any) -> str:
    """The path of an input as it was sent, under either name; empty where there is none."""
    return text_of(body, "path") or text_of(body, "file_path")


def _named(value: Any) -> str:
    words = repr(value)
    return words if len(words) <= _SHOWN else words[:_SHOWN] + "…"

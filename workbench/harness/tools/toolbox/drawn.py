"""What a tool's renderers give: text with the names of styles, which a face draws as it can. Pure data.

All text in it is foreign: a face makes control characters visible and takes nothing of it for markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from msgspec import Struct

Style = Literal["plain", "name", "path", "number", "command", "dim", "match", "added", "removed", "warning", "error"]


class Span(Struct, frozen=True):
    """A piece of a line."""

    text: str
    style: Style = "plain"


Line = tuple[Span, ...]


class Code(Struct, frozen=True):
    """The text of a file, to be highlighted as its name says; `first` is the number of its first line."""

    text: str
    path: str
    first: int = 1


class DiffRow(Struct, frozen=True):
    """A row of a diff. `number` is the line's: the old one of what stays or goes, the new one of what comes."""

    kind: Literal["context", "added", "removed", "skipped"]
    number: int | None
    text: str


class Diff(Struct, frozen=True):
    """What an edit changed in a file."""

    path: str
    rows: tuple[DiffRow, ...]


class Output(Struct, frozen=True):
    """What a command printed, or the end of it."""

    text: str


class Place(Struct, frozen=True):
    """A row that names a file, and may name a line of it. `path` is absolute; `shown` is what the row calls it."""

    path: str
    shown: str
    line: int | None = None
    text: str = ""
    matched: bool = True


class Places(Struct, frozen=True):
    """Files, or lines of files, that a face can open."""

    rows: tuple[Place, ...]


class Picture(Struct, frozen=True):
    """An image that a model was shown."""

    mime_type: str
    width: int
    height: int
    bytes: int


class Words(Struct, frozen=True):
    """A sentence beside the result: a notice, or why it failed."""

    text: str
    style: Style = "dim"


Drawn = Code | Diff | Output | Places | Picture | Words


def text_of(input: Any, key: str) -> str:
    """A text of an input as it was sent, empty where it has none: a call that was refused is drawn as well."""
    body: Mapping[str, Any] = cast("Mapping[str, Any]", input) if isinstance(input, Mapping) else {}
    value = body.get(key)
    return value if isinstance(value, str) else ""

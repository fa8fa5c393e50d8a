"""What memory answers with."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from workbench.harness.paging import Position

MAX_FILE_BYTES = 4 * 1024 * 1024
"""Bytes that one write stores at most."""

MAX_ENTRIES = 1000
"""Entries of a folder that one read lists at most."""

EntryType = Literal["file", "directory", "link", "special"]
"""What stands under a name: links are never followed, special files (FIFO, socket, device) never opened."""


class Entry(Struct, frozen=True):
    """One name in a folder; `path` counts from memory's root, `size` is bytes and only a file's."""

    path: str
    type: EntryType
    size: int | None


class Folder(Struct, frozen=True):
    """A part of a folder's entries, by name; `more` follow, from entry `next_offset` on."""

    path: str
    entries: tuple[Entry, ...]
    more: int
    next_offset: int | None


class TextFile(Struct, frozen=True):
    """A page of a text file; `size` is the whole file's, in bytes."""

    path: str
    content: str
    size: int
    next_offset: Position | None
    total_lines: int


class BinaryFile(Struct, frozen=True):
    """A file that is not UTF-8 text, or holds NUL; its content is not given."""

    path: str
    size: int
    mime_type: str


class Written(Struct, frozen=True):
    """A stored file; `changed` is False where it already held the same bytes."""

    path: str
    size: int
    changed: bool
    existed: bool


class Deleted(Struct, frozen=True):
    """A removed path; `existed` is False where there was nothing to remove."""

    path: str
    existed: bool


class WalkedFile(Struct, frozen=True):
    """A regular file met on a walk; `path` counts from memory's root, `size` is in bytes."""

    path: str
    size: int

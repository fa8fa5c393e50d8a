"""Walking through memory with bounded work: the files for a search, the counts for the `<space>` block."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from workbench.harness.address import MAX_PATH_PARTS
from workbench.harness.errors import HarnessError
from workbench.harness.space.index import MemoryEntry, MemoryTop
from workbench.harness.space.memory import names
from workbench.harness.space.memory.handles import kind, open_folder, root_folder
from workbench.harness.space.memory.values import EntryType, WalkedFile

COUNTED = 20_000
"""Entries that the counts for the block look at, at most."""

_LOOKED_AT = 200_000
_TOP_ENTRIES = 64


@dataclass(slots=True)
class _Allowance:
    """How many more entries a walk may look at, and whether it had to leave any out."""

    left: int
    short: bool = False


def files(root: Path, limit: int) -> Generator[WalkedFile, None, None]:
    """Give at most `limit` regular files within the depth of an address, folder by folder, by name."""
    with root_folder(root) as folder, closing(_files(folder, "", 1, _Allowance(_LOOKED_AT))) as found:
        yield from islice(found, limit)


def top(root: Path) -> MemoryTop:
    """Count memory's files and name its first entries; what was not counted makes the figures `at_least`."""
    allowance = _Allowance(COUNTED)
    try:
        with root_folder(root) as folder:
            entries = [_top_entry(folder, name, type_, allowance) for name, type_ in _entries(folder, allowance)]
    except (HarnessError, OSError):
        return MemoryTop(readable=False)
    known = [entry for entry in entries if entry is not None]
    return MemoryTop(
        files=sum(entry.files for entry in known),
        entries=tuple(known[:_TOP_ENTRIES]),
        more=max(0, len(known) - _TOP_ENTRIES),
        at_least=allowance.short,
    )


def _top_entry(folder: int, name: bytes, type_: EntryType, allowance: _Allowance) -> MemoryEntry | None:
    shown = names.shown(name)
    if type_ == "file":
        return MemoryEntry(shown, is_dir=False, files=1)
    if type_ != "directory":
        return None
    short_before, allowance.short = allowance.short, False
    entry = MemoryEntry(shown, is_dir=True, files=_count_in(folder, name, 2, allowance))
    entry = replace(entry, at_least=allowance.short)
    allowance.short = allowance.short or short_before
    return entry


def _count_in(folder: int, name: bytes, level: int, allowance: _Allowance) -> int:
    """Count the regular files below a folder, whose own entries stand at `level` of a path."""
    if level > MAX_PATH_PARTS:
        allowance.short = True
        return 0
    try:
        inner = open_folder(folder, name)
    except OSError:
        allowance.short = True
        return 0
    try:
        counted = 0
        for below, type_ in _entries(inner, allowance, ordered=False):
            if type_ == "file":
                counted += 1
            elif type_ == "directory":
                counted += _count_in(inner, below, level + 1, allowance)
        return counted
    finally:
        os.close(inner)


def _files(folder: int, prefix: str, level: int, allowance: _Allowance) -> Generator[WalkedFile, None, None]:
    for name, type_ in _entries(folder, allowance):
        path = prefix + names.shown(name)
        if type_ == "file":
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                continue
            if kind(status.st_mode) == "file":
                yield WalkedFile(path, status.st_size)
        elif type_ == "directory" and level < MAX_PATH_PARTS:
            try:
                inner = open_folder(folder, name)
            except OSError:
                continue
            try:
                yield from _files(inner, f"{path}/", level + 1, allowance)
            finally:
                os.close(inner)


def _entries(folder: int, allowance: _Allowance, *, ordered: bool = True) -> list[tuple[bytes, EntryType]]:
    """Take a folder's entries with their types, by name, as far as the allowance goes."""
    taken: list[tuple[bytes, EntryType]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not allowance.left:
                allowance.short = True
                break
            allowance.left -= 1
            taken.append((os.fsencode(entry.name), _type(entry)))
    return sorted(taken) if ordered else taken


def _type(entry: os.DirEntry[str]) -> EntryType:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "special"

"""A part of a file of this machine around one line, for a person to look at: bounded, whatever the file is."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from workbench.harness.tools.toolbox.drawn import Place
from workbench.harness.tools.toolbox.opening import fail, regular_file
from workbench.harness.tools.toolbox.paths import shown

PART_BYTES = 1024 * 1024
"""How much of a file is shown."""

PART_LINES = 20_000
"""How many lines of it: more take the thread that answers keys too long."""

SEARCHED_BYTES = 256 * 1024 * 1024
"""How far into a file a line is looked for."""

LISTED = 5_000
"""Names of a folder that are shown."""

_CHUNK = 1024 * 1024


class FilePart(Struct, frozen=True):
    """What is shown of a file: its text from line `first` on. `size` is the file's, `whole` says that this is all.

    `names` are there in place of a text where it is a folder.
    """

    path: str
    text: str = ""
    first: int = 1
    size: int = 0
    whole: bool = True
    binary: bool = False
    names: tuple[Place, ...] | None = None


def read_part(path: str, line: int | None) -> FilePart:
    """Read a file around a line, or from its beginning. Not for the thread that answers keys.

    Raises:
        HarnessError: it is not there, is no file, or cannot be read.
    """
    if os.path.isdir(path):
        return _folder(path)
    with regular_file(Path(path)) as descriptor:
        try:
            size = os.fstat(descriptor).st_size
            begin, first = _place(descriptor, size, line)
            data = os.pread(descriptor, PART_BYTES, begin)
        except OSError as error:
            fail(error, "read", Path(path))
    whole = begin == 0 and len(data) >= size
    if begin + len(data) < size and b"\n" in data:
        data = data[: data.rindex(b"\n") + 1]
    rows = data.count(b"\n")
    if rows > PART_LINES:
        over = max(line - first - PART_LINES // 2, 0) if line is not None and line - first <= rows else 0
        data, first, whole = _some(data, over), first + over, False
    return FilePart(path, data.decode("utf-8", "replace"), first, size, whole, binary=b"\0" in data)


def _place(descriptor: int, size: int, line: int | None) -> tuple[int, int]:
    """Where the part begins, at the beginning of a line, and which line that is."""
    if line is None or size <= PART_BYTES:
        return 0, 1
    at, number = 0, 1
    while at < min(size, SEARCHED_BYTES):
        data = os.pread(descriptor, _CHUNK, at)
        if not data:
            break
        here = data.count(b"\n")
        if number + here >= line:
            wanted = at + _nth(data, line - number)
            return _before(descriptor, wanted - PART_BYTES // 2, wanted, line)
        number += here
        at += len(data)
    return 0, 1


def _nth(data: bytes, count: int) -> int:
    """Where the text behind the first `count` line breaks begins."""
    at = 0
    for _ in range(count):
        at = data.index(b"\n", at) + 1
    return at


def _some(data: bytes, over: int) -> bytes:
    """The lines behind the first `over`, as many as are shown."""
    data = data[_nth(data, over) :]
    return data[: _nth(data, PART_LINES)] if data.count(b"\n") > PART_LINES else data


def _before(descriptor: int, least: int, wanted: int, line: int) -> tuple[int, int]:
    """The first beginning of a line from `least` on, up to that of the wanted line."""
    least = max(least, 0)
    data = os.pread(descriptor, wanted - least, least)
    begin = 0 if least == 0 else data.find(b"\n") + 1
    if least and not begin:
        return wanted, line
    return least + begin, line - data.count(b"\n", begin)


def _folder(path: str) -> FilePart:
    try:
        with os.scandir(path) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry, _ in zip(entries, range(LISTED + 1), strict=False))
    except OSError as error:
        fail(error, "scandir", Path(path))
    names = tuple(
        Place(os.path.join(path, name), f"{shown(name)}{'/' if folder else ''}") for name, folder in found[:LISTED]
    )
    return FilePart(path, whole=len(found) <= LISTED, size=len(found), names=names)

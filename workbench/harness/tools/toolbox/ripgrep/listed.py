"""The paths that ripgrep lists, as the first of them in order: those a glob matches, and the folders above them."""

from __future__ import annotations

from collections.abc import Callable

from workbench.harness.tools.toolbox.limits import MAX_BYTES
from workbench.harness.tools.toolbox.ripgrep.names import one_row, swapped

MOST = MAX_BYTES // 2
"""Paths that an answer can hold at most: a character and a newline are the least of a row."""

_BATCH = 256 * 1024


class Listed:
    """Takes a list of files, each ended by NUL, and keeps the first `limit` paths and one more that a glob matches.

    A folder is known by the files below it. With `in_order` the list is sorted already, so its beginning is enough.
    """

    def __init__(
        self, matches: Callable[[str], bool], *, folders_only: bool, limit: int, in_order: bool = False
    ) -> None:
        self._matches = matches
        self._folders_only = folders_only
        self._limit = limit
        self._in_order = in_order
        self._keep = min(limit, MOST) + 1
        self._counting = limit > MOST
        self._count = 0
        self._kept: list[bytes] = []
        self._last: bytes | None = None
        self._seen: set[bytes] = {b""}
        self._waiting: list[bytes] = []
        self._size = 0

    def take(self, data: bytes) -> bool:
        """Take a piece of the list, which may end anywhere; True when nothing of what is still to come is wanted."""
        self._waiting.append(data)
        self._size += len(data)
        if self._size >= _BATCH or self._in_order:
            self._take_waiting()
        return self._in_order and not self._counting and self._last is not None

    def _take_waiting(self) -> None:
        keys = swapped(b"".join(self._waiting)).split(b"/")
        # What comes after the last NUL is the beginning of a path.
        self._waiting = [swapped(keys.pop())]
        self._size = 0
        if not self._counting:
            last = self._last
            if last is not None:
                # A folder that such a file alone tells of would stand next to it, so behind the last one as well.
                keys = [key for key in keys if key < last]
            keys.sort()
        before = self._count
        for key in keys:
            if self._count - before >= self._keep and not self._counting:
                break
            self._consider(key)
        self._trim()

    def rows(self) -> tuple[list[str], bool]:
        """The rows of an answer, and whether there are more than its limit. Folders end in `/`."""
        self._take_waiting()
        more = (self._count if self._counting else len(self._kept)) > self._limit
        return [one_row(swapped(key)) for key in self._kept[: self._limit]], more

    def _consider(self, key: bytes) -> None:
        folder = key.rpartition(b"\0")[0]
        if folder not in self._seen:
            self._enter(folder)
        if not self._folders_only and self._matches(swapped(key).decode("utf-8", "replace")):
            self._add(key)

    def _enter(self, folder: bytes) -> None:
        while folder not in self._seen:
            self._seen.add(folder)
            if self._matches(swapped(folder).decode("utf-8", "replace")):
                self._add(folder + b"\0")
            folder = folder.rpartition(b"\0")[0]

    def _add(self, key: bytes) -> None:
        self._kept.append(key)
        self._count += 1

    def _trim(self) -> None:
        self._kept.sort()
        del self._kept[self._keep :]
        if len(self._kept) == self._keep:
            self._last = self._kept[-1]

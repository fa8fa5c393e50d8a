"""What was worked out from a text, kept as long as there is room: the least recently asked for goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Kept(Generic[_Value]):
    """A cache bounded by the number of its values and by the bytes of text that they stand for; for any thread."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._known: OrderedDict[Hashable, tuple[_Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> _Value | None:
        """The value under `key`, if it is still there."""
        with self._lock:
            known = self._known.get(key)
            if known is None:
                return None
            self._known.move_to_end(key)
            return known[0]

    def put(self, key: Hashable, value: _Value, size: int) -> None:
        """Keep a value that stands for `size` bytes of text; one that is larger than all the room is not kept."""
        with self._lock:
            if key in self._known:
                self._bytes -= self._known.pop(key)[1]
            self._known[key] = (value, size)
            self._bytes += size
            while len(self._known) > self._most or self._bytes > self._most_bytes:
                self._bytes -= self._known.popitem(last=False)[1][1]

"""The items of a long list one below the other: exact where somebody looked, estimated everywhere else. Pure.

Offsets count lines from the top of the list; a view begins at one of them and is so many lines high.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from workbench.app.widgets.lines.heights import Heights

CACHED_ITEMS = 1_000
"""Items whose lines are kept once they were broken."""

T = TypeVar("T")
"""A line, as the list paints it."""


class ItemLines(Generic[T]):
    """Where each item begins, and the lines of those that were looked at."""

    def __init__(self, make: Callable[[int], list[T]]) -> None:
        """`make` breaks an item into its lines."""
        self.heights = Heights()
        self._make = make
        self._broken: OrderedDict[int, list[T]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.heights)

    @property
    def broken(self) -> int:
        """How many items have their lines here."""
        return len(self._broken)

    def of(self, index: int) -> list[T]:
        """The lines of an item; its height is exact afterwards."""
        lines = self._broken.get(index)
        if lines is None:
            lines = self._broken[index] = self._make(index)
            if len(self._broken) > CACHED_ITEMS:
                self._broken.popitem(last=False)
        else:
            self._broken.move_to_end(index)
        self.heights.set(index, len(lines))
        return lines

    # Changing ---------------------------------------------------------------------------------------------------

    def put(self, heights: Iterable[int]) -> None:
        """Begin anew, with items of these heights, known or estimated."""
        self._broken.clear()
        self.heights = Heights(heights)

    def forget(self, index: int | None = None) -> None:
        """Break an item anew when it is looked at again, or every one; heights stay until then."""
        if index is None:
            self._broken.clear()
        else:
            self._broken.pop(index, None)

    def update(
        self, items: int, changed: Iterable[int], estimate: Callable[[int], int], top: int, *, anew: int | None = None
    ) -> int | None:
        """There are so many items now, and those at `changed` are new or different; `estimate` says about how high.

        From `anew` on they are others than before, and there may be fewer of them. Answers where a view is to begin
        that began at `top`, so that what changed above does not move what it shows; None where nothing is left of that.
        """
        anchor = self.anchor(top)
        if anew is not None and anew < len(self):
            if anchor is not None and anchor[0] > anew:
                # What is looked at goes on, as far as one can tell, in what comes in its place.
                anchor = anew, anchor[1] + self.heights.top(anchor[0]) - self.heights.top(anew)
            for index in range(anew, len(self)):
                self.forget(index)
            self.heights.cut(anew)
        for index in range(len(self), items):
            self.heights.append(estimate(index))
        for index in changed:
            self.forget(index)
            self.heights.set(index, estimate(index))
        if anchor is None or anchor[0] >= len(self):
            return None
        index, into = anchor
        begin = self.heights.top(index)
        left = self.heights[index] if anew is None or index < anew else self.heights.total - begin
        return begin + min(into, max(left - 1, 0))

    # Looking ----------------------------------------------------------------------------------------------------

    def anchor(self, top: int) -> tuple[int, int] | None:
        """The item at the top of a view, and how far into it the view begins; None where nothing has a height."""
        if not self.heights.total:
            return None
        index = self.heights.find(top)
        return index, top - self.heights.top(index)

    def settle(self, top: int, height: int) -> None:
        """Make the heights exact of what a view shows."""
        anchor = self.anchor(top)
        if anchor is None:
            return
        index, into = anchor
        left = height + into
        while index < len(self) and left > 0:
            left -= len(self.of(index))
            index += 1

    def settle_end(self, height: int) -> None:
        """Make the heights exact of what a view at the end shows."""
        index = len(self) - 1
        while index >= 0 and height > 0:
            height -= len(self.of(index))
            index -= 1

    def settle_around(self, index: int, height: int) -> None:
        """Make the heights exact of whatever a view can show together with an item."""
        for near in range(max(index - height, 0), min(index + height, len(self))):
            self.of(near)

    def into_view(self, index: int, top: int, height: int) -> int | None:
        """Where a view is to begin that shows an item, from its first line on; None where it shows it already."""
        begin, high = self.heights.top(index), self.heights[index]
        if begin < top or high >= height:
            return begin
        return begin + high - height if begin + high > top + height else None

    def near(self, index: int, step: int) -> int | None:
        """The next item with a height in a direction, `step` by `step`."""
        index += step
        while 0 <= index < len(self):
            if self.heights[index]:
                return index
            index += step
        return None

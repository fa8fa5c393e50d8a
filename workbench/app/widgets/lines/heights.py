"""Where each item of a long list begins, when items have different heights that become known one by one."""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """The heights of a list of items, with their running sum: every question and change takes O(log n).

    A Fenwick tree. Heights may be 0: such an item takes no place and `find` never names it.
    """

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._tree = [0, *self._heights]
        for node in range(1, len(self._tree)):
            parent = node + (node & -node)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[node]
        self.total = sum(self._heights)
        """All heights together."""

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def append(self, height: int) -> None:
        """Add an item at the end."""
        self._heights.append(height)
        node, step, total = len(self._heights), 1, height
        while step < node & -node:
            total += self._tree[node - step]
            step <<= 1
        self._tree.append(total)
        self.total += height

    def cut(self, items: int) -> None:
        """Keep the first so many items."""
        if items < len(self._heights):
            self.total -= sum(self._heights[items:])
            # A node sums up what stands before it and itself, so the nodes that stay know nothing of those that go.
            del self._heights[items:]
            del self._tree[items + 1 :]

    def set(self, index: int, height: int) -> int:
        """Change the height of an item; answers by how much it changed."""
        change = height - self._heights[index]
        if change:
            self._heights[index] = height
            self.total += change
            node = index + 1
            while node < len(self._tree):
                self._tree[node] += change
                node += node & -node
        return change

    def top(self, index: int) -> int:
        """The offset at which an item begins; for the number of items, the total."""
        offset = 0
        while index > 0:
            offset += self._tree[index]
            index -= index & -index
        return offset

    def find(self, offset: int) -> int:
        """The item that covers an offset of 0 to `total - 1`; an offset outside gives the nearest item with a height.

        Raises ValueError when no item has a height.
        """
        if not self.total:
            raise ValueError("nothing here has a height")
        offset = min(max(offset, 0), self.total - 1)
        found, step = 0, 1 << (len(self._heights).bit_length() - 1)
        while step:
            node = found + step
            if node <= len(self._heights) and self._tree[node] <= offset:
                found = node
                offset -= self._tree[node]
            step >>= 1
        return found

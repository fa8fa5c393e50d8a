"""A node of a tree, as whoever shows one describes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from workbench.app.widgets.lines.line import Line


class Twig(Struct, frozen=True):
    """A node of the tree.

    `key` is its path: stable, and unique in the tree. `line` is its head in printable pieces, `rest` are lines under
    the head, such as a description. `children` makes what is below when it is unfolded; None says that it is a leaf.
    It is called on the UI thread, so it must be quick; a HarnessError of it is shown in its place.
    """

    key: str
    line: Line
    children: Callable[[], Sequence[Twig]] | None = None
    rest: tuple[Line, ...] = ()

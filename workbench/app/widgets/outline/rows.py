"""A tree as rows: one for each twig that is not hidden in a folded one, and how they stand to each other. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from workbench.app.widgets.outline.twig import Twig
from workbench.harness.errors import HarnessError
from workbench.harness.text import printable

MAX_UNFOLDED = 2_000
"""How many lines one key, or a rule at the beginning, unfolds; further down it takes another key."""


class Row(Struct, frozen=True):
    """A twig that is not hidden in a folded one."""

    twig: Twig
    depth: int
    open: bool = False


def grown(
    twigs: Sequence[tuple[Twig, int]], rule: Callable[[str, int], bool], folds: Mapping[str, bool]
) -> Iterator[Row]:
    """Rows for twigs and for what is below those that are open: by somebody's choice, or by a rule.

    The rule unfolds only as long as there is room for the lines.
    """
    room = MAX_UNFOLDED
    stack = [iter(twigs)]
    while stack:
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
            continue
        twig, depth = found
        chosen = folds.get(twig.key)
        open = twig.children is not None and (room > 0 and rule(twig.key, depth) if chosen is None else chosen)
        below = _children(twig) if open else ()
        if chosen is None and depth and len(below) > room:
            open, below = False, ()
        room -= len(below)
        yield Row(twig, depth, open)
        if open:
            stack.append(iter([(child, depth + 1) for child in below]))


def _children(twig: Twig) -> Sequence[Twig]:
    """What is below a twig; where that cannot be found out, a leaf that says why."""
    assert twig.children is not None
    try:
        return twig.children()
    except HarnessError as error:
        return (Twig(f"{twig.key}\0fault", (("✗ ", "bad"), (printable(error.message), ""))),)


def place_of(rows: Sequence[Row], key: str) -> int | None:
    """Where the row of a key stands; None where it is hidden, or there is none."""
    return next((index for index, row in enumerate(rows) if row.twig.key == key), None)


def end_of(rows: Sequence[Row], index: int) -> int:
    """Where what is below a row ends."""
    depth = rows[index].depth
    return next((below for below in range(index + 1, len(rows)) if rows[below].depth <= depth), len(rows))


def above(rows: Sequence[Row], index: int) -> int | None:
    """The row that a row is in; None at the top."""
    depth = rows[index].depth
    return next((near for near in range(index - 1, -1, -1) if rows[near].depth < depth), None)

"""A line of parts that fit whatever width there is: each has shorter wordings, and says what each costs. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from workbench.app.widgets.literal import literal

SEPARATOR = " · "
"""Stands between the parts."""


class Part(Struct, frozen=True):
    """One fact: its wordings from the longest to the shortest, and how dear each step to a shorter one is.

    Where room is short the cheapest step of all parts is taken first. An empty last wording lets the part go. Wordings
    without a price are taken only where the part by itself is longer than the line.
    """

    forms: tuple[str, ...]
    costs: tuple[int, ...] = ()
    style: str = ""


def fit(parts: Sequence[Part], width: int) -> Content:
    """Put the parts on one line of at most `width` cells, taking the cheapest steps until it fits."""
    chosen = [0] * len(parts)
    steps = sorted((cost, index) for index, part in enumerate(parts) for cost in part.costs)

    def line() -> Content:
        shown = [
            literal(part.forms[form], part.style) for part, form in zip(parts, chosen, strict=True) if part.forms[form]
        ]
        return literal(SEPARATOR, "$text-disabled").join(shown)

    for _, index in steps:
        if line().cell_length <= width:
            break
        chosen[index] += 1
    for index, part in enumerate(parts):
        while chosen[index] + 1 < len(part.forms) and cell_len(part.forms[chosen[index]]) > width:
            chosen[index] += 1
    return line().truncate(width, ellipsis=True)

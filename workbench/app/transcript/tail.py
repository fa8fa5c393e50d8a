"""The end of what a running call printed, as a terminal would show it. Pure."""

from __future__ import annotations

from workbench.app.widgets.wrapping import TAB, fit, fit_end, overprinted
from workbench.harness.text import printable


def tail_lines(text: str, most: int, width: int) -> list[str]:
    """The last lines, at most so many of so many cells; of the very last one its end, which is what is new."""
    rows = [row for row in map(_seen, text.rstrip("\n").split("\n")) if row.strip()][-most:]
    return [*(fit(row, width) for row in rows[:-1]), *(fit_end(row, width) for row in rows[-1:])]


def _seen(row: str) -> str:
    return printable(overprinted(row)).replace("\t", TAB)

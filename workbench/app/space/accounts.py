"""What the index block costs, in words and figures. Pure: every figure is the index builder's own."""

from __future__ import annotations

from workbench.app.space.row_view import Row
from workbench.harness.space.index import IndexLine, SpaceIndex
from workbench.harness.text import printable

STAGES = {
    "full": "full: every callable tool with its whole summary",
    "shortened": "shortened: every tool is there, summaries are cut to fit",
    "names": "names: every tool is there by its name, no room for summaries",
    "partial": "partial: as many names as fit, the rest is counted and can be found",
}

NEXT = {
    "full": ("more tools of this size fit", "then all summaries are shortened"),
    "shortened": ("more tools fit beside shortened summaries", "then the summaries go and only names stay"),
    "names": ("more names fit", "then the rest is only counted"),
}
"""For each stage but the last: what still fits, and what comes after."""

GUTTER_CELLS = 8
"""What a line's bytes take at the left of the line."""


def gauge(index: SpaceIndex, cells: int) -> str:
    """A bar of so many cells: filled for what is used."""
    filled = min(cells, -(-index.bytes * cells // index.budget)) if index.budget else 0
    return "█" * filled + "░" * (cells - filled)


def figures(index: SpaceIndex) -> str:
    """`1,204 / 2,048 B (58 %)`."""
    return f"{index.bytes:,} / {index.budget:,} B ({index.bytes * 100 // index.budget} %)"


def room_left(index: SpaceIndex) -> str:
    """How many of the tools are listed, how many more would fit, and what gives way then."""
    listed = f"{index.listed:,} of {index.total:,} callable tools listed"
    if index.stage not in NEXT:
        return f"{listed}; no room for another name, and no ground left to give: more are only counted"
    fits, then = NEXT[index.stage]
    if index.headroom == 1:
        fits = fits.replace("tools", "tool").replace("names", "name").replace("fit", "fits")
    more = f"about {index.headroom:,} {fits}, {then}" if index.headroom else f"the next one is too much: {then}"
    return f"{listed}; {more}"


def block_rows(index: SpaceIndex) -> tuple[Row, ...]:
    """The block line by line, each with its bytes before it. A tool's line stands for the tool."""
    return tuple(_row(place, line) for place, line in enumerate(index.lines))


def tool_of(key: str | None) -> str | None:
    """The tool that a row of the block stands for."""
    return key.partition(" ")[2] or None if key is not None else None


def _row(place: int, line: IndexLine) -> Row:
    gutter = f"{line.bytes:>{GUTTER_CELLS - 4},} B │"
    return Row(f"{place} {line.tool or ''}", ((printable(line.text), ""),), gutter=f"{gutter} ", wraps=True)

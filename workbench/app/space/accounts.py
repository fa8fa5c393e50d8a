"""What the index block costs, in words and figures. Pure."""

from __future__ import annotations

from workbench.harness.space.index import SpaceIndex

STAGES = {
    "full": "full: every callable tool with its whole summary",
    "shortened": "shortened: every tool is there, summaries are cut to fit",
    "names": "names: every tool is there by its name, no room for summaries",
    "partial": "partial: as many names as fit, the rest is counted and can be found",
}


def gauge(index: SpaceIndex, cells: int) -> str:
    """A bar of so many cells: filled for what is used."""
    filled = min(cells, -(-index.bytes * cells // index.budget)) if index.budget else 0
    return "█" * filled + "░" * (cells - filled)


def figures(index: SpaceIndex) -> str:
    """`1,204 / 2,048 B (58 %)`."""
    return f"{index.bytes:,} / {index.budget:,} B ({index.bytes * 100 // index.budget} %)"


def room_left(index: SpaceIndex) -> str:
    """How many more tools would fit, in words."""
    listed = f"{index.listed} of {index.total} callable tools listed"
    if index.stage != "full":
        return f"{listed}; no room for more at full length"
    more = index.headroom
    tools = "about 1 more tool of this size fits" if more == 1 else f"about {more} more tools of this size fit"
    return f"{listed}; {tools if more else 'the next tool will shorten the others'}"

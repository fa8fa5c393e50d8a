"""What a change of the grants does to the next request, told from before and after. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.harness.names import VERBS
from workbench.harness.views import View

NAMED = 6
"""How many names are said before the rest is counted."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What of the next request depends on grants: the tools that the block lists, its bytes, the provider's tools."""

    thread: str
    listed: tuple[str, ...]
    total: int
    bytes: int
    stage: str
    given: tuple[str, ...]
    withheld: tuple[tuple[str, str], ...]
    on_machine: bool = False

    @classmethod
    def of(cls, view: View) -> Facts:
        """Those of a moment."""
        index, promotion = view.index, view.promotion
        listed = tuple(line.tool for line in index.lines if line.tool is not None)
        withheld = tuple((tool.name, tool.reason) for tool in promotion.withheld)
        return cls(
            view.thread,
            listed,
            index.total,
            index.bytes,
            index.stage,
            promotion.provider_tools,
            withheld,
            view.surface == "toolbox",
        )


def given_words(facts: Facts) -> str:
    """What the provider gets, in a line."""
    if facts.on_machine:
        given = f"{len(facts.given)} tools of the toolbox: {', '.join(facts.given)}" if facts.given else "no tool now"
        return f"In thread {facts.thread} the provider gets {given}. Grants and the block change nothing there."
    promoted = [name for name in facts.given if name not in VERBS]
    words = f"In thread {facts.thread} the provider gets {len(facts.given) - len(promoted)} verbs"
    words += f" + {len(promoted)} promoted" + (f": {_names(promoted, '▲ ')}" if promoted else "")
    if facts.withheld:
        words += f"; withheld: {_names([f'{name} ({reason})' for name, reason in facts.withheld], '△ ')}"
    return words


def effect_words(what: str, before: Facts, after: Facts) -> tuple[str, ...]:
    """What changed since before something was done: a line about the block, a line about the provider's tools."""
    block = _changes(before.listed, after.listed)
    if before.total != after.total and before.stage != after.stage:
        block += f", stage {before.stage} → {after.stage}"
    size = f"{before.bytes:,} → {after.bytes:,} B" if before.bytes != after.bytes else f"still {after.bytes:,} B"
    provider = _changes(before.given, after.given)
    return (
        f"Since {what}: block {size}{block or ', the same lines'}",
        f"The next request: the provider's tools {provider.removeprefix(', ') or 'stay the same'}",
    )


def _changes(before: Sequence[str], after: Sequence[str]) -> str:
    gone = [name for name in before if name not in set(after)]
    come = [name for name in after if name not in set(before)]
    said = f", lost {_names(gone)}" if gone else ""
    return said + (f", gained {_names(come)}" if come else "")


def _names(names: Sequence[str], mark: str = "") -> str:
    said = ", ".join(f"{mark}{name}" for name in names[:NAMED])
    return said + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")

"""What a thread's promotion looks like beside its events: which event promoted what. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.app.transcript.model import ThreadRows
from workbench.app.transcript.rows import short_cid
from workbench.harness.log.promotion import Promotion
from workbench.harness.tools.callables import ToolState

PROMOTED = "▲"
WITHHELD = "△"


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in the log right under the event that first named a tool."""

    text: str
    promoted: bool


def marks_of(promotion: Promotion) -> Mapping[tuple[int, str], Mark]:
    """The marks by event and tool. Both are needed: a forked thread inherits touches of events that are not its own."""
    marks: dict[tuple[int, str], Mark] = {}
    for tool in promotion.promoted:
        text = f"{PROMOTED} {tool.name} promoted: the provider gets it from the next request on"
        marks[tool.seq, tool.name] = Mark(text, True)
    for tool in promotion.withheld:
        marks[tool.seq, tool.name] = Mark(f"{WITHHELD} {tool.name} withheld: {tool.reason}", False)
    return marks


@dataclass(frozen=True, slots=True)
class Given:
    """A tool in the provider's panel. `seq` is the event of this thread that touched it, None if it was inherited."""

    name: str
    seq: int | None
    says: tuple[str, ...]
    promoted: bool


def given_tools(
    promotion: Promotion, rows: ThreadRows, states: Mapping[str, ToolState], at: int | None
) -> tuple[Given, ...]:
    """What the panel lists behind the verbs: the promoted in order of touch, then the withheld."""
    out: list[Given] = []
    for tool in promotion.promoted:
        seq = _own(rows, tool.seq, tool.name)
        says = [f"{_where(seq)} · {short_cid(tool.cid)}"]
        seen = rows.given(tool.name, at)
        if seen is not None and seen != tool.cid:
            says.append(f"contract out of date: the agent was given {short_cid(seen)}, saved since")
        out.append(Given(tool.name, seq, tuple(says), True))
    for tool in promotion.withheld:
        seq = _own(rows, tool.seq, tool.name)
        state = states.get(tool.name)
        detail = state.detail if state is not None else None
        says = [f"{_where(seq)} · {tool.reason}", detail or "There is no tool of that name."]
        out.append(Given(tool.name, seq, tuple(says), False))
    return tuple(out)


def summary(promotion: Promotion) -> str:
    """The provider's tools in one line."""
    verbs = len(promotion.provider_tools) - len(promotion.promoted)
    said = [f"provider: {verbs} verbs + {len(promotion.promoted)} promoted"]
    if promotion.promoted:
        said.append(" ".join(f"{PROMOTED} {tool.name}" for tool in promotion.promoted))
    if promotion.withheld:
        said.append("withheld " + " ".join(f"{WITHHELD} {tool.name}" for tool in promotion.withheld))
    return " · ".join(said)


def _own(rows: ThreadRows, seq: int, name: str) -> int | None:
    row = rows.row(seq)
    # An event that was not read yet may well be the one; it is taken for it until it is known.
    known = row is None and seq <= rows.last
    return seq if known or (row is not None and row.touches == name) else None


def _where(seq: int | None) -> str:
    return f"event {seq}" if seq is not None else "from the thread it went on from"

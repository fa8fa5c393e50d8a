"""The list of tools as rows: which there are, in which group, and the state of each in words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from workbench.harness.log.promotion import Promotion
from workbench.harness.space.library import StoredTool
from workbench.harness.text import fold
from workbench.harness.tools.callables import ToolState

Group = Literal["verbs", "builtins", "lambdas"]
GROUPS: dict[Group, str] = {"verbs": "verbs", "builtins": "builtins", "lambdas": "lambdas"}
"""The groups in the order in which they are listed, and what they are called."""

GONE = "deleted"
"""The state of a lambda that went away."""

_PLACES = {group: place for place, group in enumerate(GROUPS)}


class ToolRow(Struct, frozen=True):
    """One tool in the list. `glyph` and `state` say the same, so that neither colour nor the glyph is needed."""

    name: str
    group: Group
    summary: str
    glyph: str
    state: str
    tone: Literal["plain", "good", "given", "off", "draft", "changed"]
    detail: str = ""


def rows(
    verbs: Sequence[StoredTool],
    states: Sequence[ToolState],
    promotion: Promotion,
    drafts: Collection[str] = (),
    saved_since: Collection[str] = (),
) -> list[ToolRow]:
    """Every tool as a row: verbs, builtins, lambdas. `drafts` have unsaved edits; they need not be stored yet."""
    promoted = {tool.name: tool.seq for tool in promotion.promoted}
    withheld = {tool.name: tool.seq for tool in promotion.withheld}
    found = [
        ToolRow(verb.name, "verbs", verb.document.summary, "●", "verb", "plain", "Every request carries it.")
        for verb in verbs
    ]
    found += [_row(state, promoted, withheld, drafts, saved_since) for state in states]
    stored = {state.name for state in states}
    found += [
        ToolRow(name, "lambdas", "", "✎", "new, unsaved", "draft", "Not saved yet: ctrl+s in its editor saves it.")
        for name in sorted(drafts)
        if name not in stored
    ]
    return sorted(found, key=lambda row: (_PLACES[row.group], row.name if row.group == "lambdas" else ""))


def _row(
    state: ToolState,
    promoted: Mapping[str, int],
    withheld: Mapping[str, int],
    drafts: Collection[str],
    saved_since: Collection[str],
) -> ToolRow:
    group: Group = "builtins" if state.kind == "builtin" else "lambdas"
    detail = state.detail or ""
    if state.name in drafts:
        return ToolRow(state.name, group, state.summary, "✎", "unsaved", "draft", detail)
    if not state.callable:
        reason = state.reason or "unknown"
        if state.name in withheld:
            words = f"Touched in event {withheld[state.name]} of this thread, and withheld. {detail}"
            return ToolRow(state.name, group, state.summary, "△", f"withheld: {reason}", "off", words)
        return ToolRow(state.name, group, state.summary, "○", reason, "off", detail)
    if state.name in promoted:
        seq = promoted[state.name]
        if state.name in saved_since:
            words = f"Promoted by event {seq}; another version was saved since, and the next request declares that one."
            return ToolRow(state.name, group, state.summary, "≠", f"saved since #{seq}", "changed", words)
        words = f"Promoted by event {seq} of this thread: the provider is given it as a tool of its own."
        return ToolRow(state.name, group, state.summary, "▲", f"promoted #{seq}", "given", words)
    return ToolRow(state.name, group, state.summary, "●", "callable", "good", "Granted, and it works here.")


def gone(name: str) -> ToolRow:
    """The row of a lambda that was deleted while somebody worked with it."""
    return ToolRow(name, "lambdas", "", "✗", GONE, "off", "Deleted meanwhile. Its versions are kept; u brings it back.")


def matching(rows: Sequence[ToolRow], query: str) -> list[ToolRow]:
    """The rows that have every word of the query in their name, summary or state, whatever the case.

    Those that have them all in their name come first; otherwise the order stays.
    """
    words = fold(query).casefold().split()
    if not words:
        return list(rows)
    found = [row for row in rows if all(word in f"{row.name} {row.summary} {row.state}".casefold() for word in words)]
    return sorted(found, key=lambda row: not all(word in row.name.casefold() for word in words))

"""The list of tools as rows: which there are, in which group, and the state of each in words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from workbench.harness.log.promotion import Promotion
from workbench.harness.space.library import StoredTool
from workbench.harness.text import fold
from workbench.harness.tools.callables import ToolState

Group = Literal["verbs", "builtins", "lambdas", "look", "change", "run"]
GROUPS: dict[Group, str] = {
    "verbs": "verbs",
    "builtins": "builtins",
    "lambdas": "lambdas",
    "look": "toolbox: look",
    "change": "toolbox: change",
    "run": "toolbox: run",
}
"""The groups in the order in which they are listed, and what they are called."""

TOOLBOX_GROUPS: frozenset[Group] = frozenset({"look", "change", "run"})
"""The groups of what acts on the real machine."""

GONE = "deleted"
"""The state of a lambda that went away."""

Tone = Literal["plain", "good", "given", "off", "draft", "changed"]
"""How a state is coloured, besides its words."""

NO_VERBS = "This thread is of the toolbox surface: its requests carry no verbs."

NOT_HERE = "It works, but this thread is of the toolbox surface, where the agent is not offered it. You can use it: r."


class ToolRow(Struct, frozen=True):
    """One tool in the list. `glyph` and `state` say the same, so that neither colour nor the glyph is needed."""

    name: str
    group: Group
    summary: str
    glyph: str
    state: str
    tone: Tone
    detail: str = ""
    offered: bool = False
    """Whether the agent can use it in the present thread."""

    @property
    def key(self) -> str:
        """What tells it from every other row: its name, or of the toolbox its binding, since `read` is a verb too."""
        return f"toolbox:{self.name}" if self.group in TOOLBOX_GROUPS else self.name


def rows(
    verbs: Sequence[StoredTool],
    states: Sequence[ToolState],
    promotion: Promotion,
    drafts: Collection[str] = (),
    saved_since: Collection[str] = (),
    *,
    machine: Sequence[ToolRow] = (),
    on_machine: bool = False,
) -> list[ToolRow]:
    """Every tool as a row: verbs, builtins, lambdas, and those of the `machine`, which are rows already.

    What the thread's surface is made of comes first: in one of the toolbox surface that is the machine.
    `drafts` have unsaved edits; they need not be stored yet. `on_machine` says that the thread is of the toolbox
    surface, whose requests carry no verb, so that nothing is called by one.
    """
    promoted = {tool.name: tool.seq for tool in promotion.promoted}
    withheld = {tool.name: tool.seq for tool in promotion.withheld}
    found = [_verb(verb, on_machine) for verb in verbs]
    found += [_row(state, promoted, withheld, drafts, saved_since, on_machine) for state in states]
    stored = {state.name for state in states}
    found += [
        ToolRow(name, "lambdas", "", "✎", "new, unsaved", "draft", "Not saved yet: ctrl+s in its editor saves it.")
        for name in sorted(drafts)
        if name not in stored
    ]
    found += machine
    order = list(GROUPS)
    if on_machine:
        order.sort(key=lambda group: group not in TOOLBOX_GROUPS)
    places = {group: place for place, group in enumerate(order)}
    return sorted(found, key=lambda row: (places[row.group], row.name if row.group == "lambdas" else ""))


def _verb(verb: StoredTool, on_machine: bool) -> ToolRow:
    summary = verb.document.summary
    if on_machine:
        return ToolRow(verb.name, "verbs", summary, "○", "verb, not here", "off", NO_VERBS)
    return ToolRow(verb.name, "verbs", summary, "●", "verb", "plain", "Every request carries it.", True)


def _row(
    state: ToolState,
    promoted: Mapping[str, int],
    withheld: Mapping[str, int],
    drafts: Collection[str],
    saved_since: Collection[str],
    on_machine: bool,
) -> ToolRow:
    group: Group = "builtins" if state.kind == "builtin" else "lambdas"
    detail = state.detail or ""
    if state.name in drafts:
        offered = state.callable and not on_machine
        return ToolRow(state.name, group, state.summary, "✎", "unsaved", "draft", detail, offered)
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
            return ToolRow(state.name, group, state.summary, "≠", f"saved since #{seq}", "changed", words, True)
        words = f"Promoted by event {seq} of this thread: the provider is given it as a tool of its own."
        return ToolRow(state.name, group, state.summary, "▲", f"promoted #{seq}", "given", words, True)
    if on_machine:
        return ToolRow(state.name, group, state.summary, "○", "not here", "off", NOT_HERE)
    return ToolRow(state.name, group, state.summary, "●", "callable", "good", "Granted, and it works here.", True)


def gone(name: str) -> ToolRow:
    """The row of a lambda that was deleted while somebody worked with it."""
    return ToolRow(name, "lambdas", "", "✗", GONE, "off", "Deleted meanwhile. Its versions are kept; u brings it back.")


def matching(rows: Sequence[ToolRow], query: str) -> list[ToolRow]:
    """The rows that have every word of the query in their name, summary or state, whatever the case.

    Of the toolbox the name begins with `toolbox:` here. Those that have them all in their name come first, and of
    these the groups in which something is offered, what is offered before the rest; otherwise the order stays.
    """
    words = fold(query).casefold().split()
    if not words:
        return list(rows)
    found = [row for row in rows if all(word in f"{row.key} {row.summary} {row.state}".casefold() for word in words)]

    def tier(row: ToolRow) -> bool:
        return not all(word in row.key.casefold() for word in words)

    places = {group: place for place, group in enumerate(dict.fromkeys(row.group for row in found))}
    alive = {(tier(row), row.group) for row in found if row.offered}
    return sorted(
        found, key=lambda row: (tier(row), (tier(row), row.group) not in alive, places[row.group], not row.offered)
    )

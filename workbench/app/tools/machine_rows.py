"""The toolbox as rows of the list: whether the agent is offered a tool, where, and whether it asks. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.app.tools.directory import at_home
from workbench.app.tools.rows import Group, ToolRow
from workbench.harness.names import TOOLBOX
from workbench.harness.space.agent_file import SettingsState
from workbench.harness.space.approvals import Rules, Verdict, rules_of
from workbench.harness.views import View

MEMBERS: Mapping[Group, tuple[str, ...]] = {
    "look": ("read", "grep", "find", "ls"),
    "change": ("write", "edit"),
    "run": ("bash",),
}
"""The tools of each group, in their order there."""

_SAYS: Mapping[Verdict, str] = {"ask": "asks", "allow": "allowed", "deny": "denied"}

_DOES: Mapping[Verdict, str] = {
    "ask": "It asks you before each call",
    "allow": "It acts without asking you",
    "deny": "Its calls are denied",
}


def machine_rows(view: View, summaries: Mapping[str, str]) -> tuple[ToolRow, ...]:
    """All seven. `summaries` are what the tools say of themselves, as far as that is loaded."""
    return tuple(_row(view, name, group, summaries.get(name, "")) for group, names in MEMBERS.items() for name in names)


def _row(view: View, name: str, group: Group, summary: str) -> ToolRow:
    settings, toolbox = view.settings.settings, view.toolbox
    rules = rules_of(name, settings.approvals.get(name))
    if toolbox.missing is not None:
        # Its last sentence is for whoever tried to use it.
        why = toolbox.missing.removesuffix(" Nothing was done.")
        return ToolRow(name, group, summary, "○", why_not(view.settings), "off", f"{why} You can use it here: r.")
    if name not in toolbox.tools:
        words = f"approvals.{name} denies it whatever it is to do, so the agent is not offered it. You can use it: r."
        return ToolRow(name, group, summary, "○", "denied", "off", words)
    patterns = bool(rules.allow or rules.ask or rules.deny)
    state = "offered by rules" if patterns else f"offered, {_SAYS[rules.default]}"
    unasked = group != "look" and (rules.default == "allow" or bool(rules.allow))
    words = f"The agent is offered it, in {at_home(toolbox.workdir or '')}. {_asking(name, rules, patterns)}"
    if view.surface != "toolbox":
        words += " That holds for threads of the toolbox surface, which this thread is not of."
    here = view.surface == "toolbox"
    return ToolRow(name, group, summary, "●", state, "changed" if unasked else "good", words, here)


def _asking(name: str, rules: Rules, patterns: bool) -> str:
    but = ", but for what its patterns say" if patterns else ""
    return f"{_DOES[rules.default]}{but} (approvals.{name})."


def why_not(state: SettingsState) -> str:
    """Why the agent is offered none of them, in a few words."""
    waiting = [setting for setting in state.waiting if setting.id in ("surface", "workdir")]
    if any(setting.denied for setting in waiting):
        return "you said no"
    if waiting:
        return "waits for yes"
    return "surface: verbs" if state.settings.surface != "toolbox" else "no workdir"


assert sorted(name for names in MEMBERS.values() for name in names) == sorted(TOOLBOX)

"""What a provider is given in a thread of the toolbox surface: tools by what they do, and which of them ask. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from workbench.app.tools.directory import at_home
from workbench.app.tools.machine_rows import MEMBERS
from workbench.harness.machine import NO_TOOLBOX
from workbench.harness.space.approvals import Rules, Verdict, rules_of
from workbench.harness.views import Toolbox

WORDS: Mapping[Verdict, str] = {"allow": "runs without asking", "ask": "asks you first", "deny": "denied"}
"""What is said of a tool by what is done about it."""

NOT_ALLOWED = "the real machine is not allowed now (2, then p)"


class HostTool(Struct, frozen=True):
    """One of the seven: whether the provider is given it, what is done about a call of it, and where that differs."""

    name: str
    offered: bool
    verdict: Verdict
    says: tuple[str, ...]


class HostGiven(Struct, frozen=True):
    """Everything that the panel says. `missing` is why nothing of it can be used now."""

    workdir: str | None
    missing: str | None
    groups: tuple[tuple[str, tuple[HostTool, ...]], ...]

    @property
    def offered(self) -> tuple[HostTool, ...]:
        """The tools that the provider is given."""
        return tuple(tool for _, tools in self.groups for tool in tools if tool.offered)


def host_given(toolbox: Toolbox, approvals: Mapping[str, Any]) -> HostGiven:
    """The seven, by the settings that act."""
    groups = tuple(
        (group, tuple(_tool(name, toolbox, rules_of(name, approvals.get(name))) for name in names))
        for group, names in MEMBERS.items()
    )
    return HostGiven(at_home(toolbox.workdir) if toolbox.workdir else None, toolbox.missing, groups)


def host_summary(given: HostGiven) -> str:
    """It in one line."""
    if given.missing is not None:
        return f"provider: nothing now · {missing_words(given.missing)}"
    asking = [tool.name for tool in given.offered if tool.verdict == "ask"]
    asks = f" · ask you: {' '.join(asking)}" if asking else " · none asks you"
    # That nothing is promoted comes last, for where it fits: the folder is what one looks for.
    return f"provider: {len(given.offered)} toolbox tools{asks} · in {given.workdir} · nothing is promoted"


def missing_words(missing: str) -> str:
    """Why nothing can be used now, in a few words; the panel has all of them."""
    return NOT_ALLOWED if missing == NO_TOOLBOX else "the working directory is not there"


def _tool(name: str, toolbox: Toolbox, rules: Rules) -> HostTool:
    offered = name in toolbox.tools
    if toolbox.missing is not None:
        return HostTool(name, offered, rules.default, ("not offered now",))
    says = [WORDS[rules.default] + ("" if offered else ": not offered")]
    says += [
        f"{words} {' '.join(patterns)}"
        for words, patterns in (("but allowed:", rules.allow), ("but asks:", rules.ask), ("but denied:", rules.deny))
        if patterns
    ]
    return HostTool(name, offered, rules.default, tuple(says))

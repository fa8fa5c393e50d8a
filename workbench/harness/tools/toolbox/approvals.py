"""What the owner's rules say of one call of the toolbox: it runs, the owner is asked, or it is denied."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from workbench.harness.space.approvals import Rules, Verdict
from workbench.harness.tools.toolbox import command_patterns, path_patterns
from workbench.harness.tools.toolbox.paths import shown

_SEARCHES = ("grep", "find")


class Decision(Struct, frozen=True):
    """What is done about a call, and the rule that says so: a clause, without a full stop."""

    verdict: Verdict
    why: str


def judge(tool: str, params: Mapping[str, Any], rules: Rules, cwd: Path) -> Decision:
    """Hold one call against the rules of its tool: deny before ask, ask before allow, allow before the default.

    `params` is the input as it will be executed, JSON with the names of the wire. A path is looked up on disk, so call
    this off the event loop. What is judged is what the call names: a place that changes between the judgement and the
    act, and what an allowed command then does, are beyond it.

    Commands: an allow pattern means only a plain command (`command_patterns.is_plain` has the rule), the whole of it.
    Ask and deny patterns mean the whole command or any part of it, as far as that can be seen without a shell.

    Paths: an allow pattern must mean the path as it is written and the path with links resolved; for ask and deny one
    of them is enough. A search through a folder in which a denied place may lie asks: it would read that as well.

    Where the owner is asked about a path that leads elsewhere than it reads, the reason says where. A path that the
    system does not follow asks, unless a rule denies it: nobody knows what it means.

    Raises:
        HarnessError: `bad_input` for a path that is none.
    """
    if tool == "bash":
        return _of_command(str(params.get("command", "")), rules)
    if not (rules.allow or rules.ask or rules.deny or rules.default == "ask"):
        return _by_default(tool, rules)
    given = str(params.get("path", ""))
    place = path_patterns.place_of(given, cwd, spelled_on_disk=tool == "read")
    decision = _of_path(tool, place, rules)
    if place.real is None or decision.verdict != "ask":
        return decision
    if place.real != os.path.normpath(os.path.join(place.folders[-1], given)):
        where = json.dumps(shown(place.real), ensure_ascii=False)
        return replace(decision, why=f"{decision.why}; the path leads to {where}")
    return decision


def _of_command(command: str, rules: Rules) -> Decision:
    if rules.ask or rules.deny:
        if len(command) > command_patterns.MAX_CHARS:
            words = f"the command is longer than the {command_patterns.MAX_CHARS:,} characters that are looked through"
            return Decision("deny" if rules.default == "deny" else "ask", words)
        parts = command_patterns.parts_of(command)
        for verdict, patterns in _stricter(rules):
            found = command_patterns.first_like(patterns, parts)
            if found is not None:
                return _by_pattern("bash", verdict, found)
    plain = command_patterns.is_plain(command)
    found = command_patterns.first_like(rules.allow, (command,))
    if found is not None and plain:
        return _by_pattern("bash", "allow", found)
    default = _by_default("bash", rules)
    if plain or len(command) > command_patterns.MAX_CHARS:
        return default
    if command_patterns.first_like(rules.allow, command_patterns.parts_of(command)) is None:
        return default
    return Decision(
        default.verdict,
        f"{default.why}; allow patterns hold only for a plain command: one program and its words, without shell "
        "operators, expansions, line breaks or characters beyond ASCII",
    )


def _of_path(tool: str, place: path_patterns.Place, rules: Rules) -> Decision:
    for verdict, patterns in _stricter(rules):
        found = path_patterns.any_meant(patterns, place)
        if found is not None:
            return _by_pattern(tool, verdict, found)
    below = path_patterns.any_below((*rules.deny, *rules.ask), place) if tool in _SEARCHES else None
    if below is not None:
        return Decision(
            "deny" if rules.default == "deny" else "ask",
            f"{tool} looks at everything below that folder, and {below} in approvals.{tool} may mean something there",
        )
    if place.real is None:
        return Decision(
            "deny" if rules.default == "deny" else "ask",
            "where that path leads cannot be found out: the system does not follow it",
        )
    found = path_patterns.all_meant(rules.allow, place)
    return _by_default(tool, rules) if found is None else _by_pattern(tool, "allow", found)


def _stricter(rules: Rules) -> tuple[tuple[Verdict, tuple[str, ...]], ...]:
    return ("deny", rules.deny), ("ask", rules.ask)


def _by_pattern(tool: str, verdict: Verdict, pattern: str) -> Decision:
    return Decision(verdict, f"it matches {pattern} in approvals.{tool}.{verdict}")


def _by_default(tool: str, rules: Rules) -> Decision:
    if rules.allow or rules.ask or rules.deny:
        return Decision(rules.default, f"no pattern of approvals.{tool} decides it, and its default is {rules.default}")
    if rules.default == "ask":
        return Decision("ask", f"{tool} asks before each call (approvals.{tool})")
    return Decision(rules.default, f"approvals.{tool} says {rules.default}")

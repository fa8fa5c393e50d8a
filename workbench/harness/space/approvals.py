"""The settings `approvals.<tool>`: what a tool of the toolbox may do without asking. Only values; nothing is judged.

A setting is a word, `ask`, `allow` or `deny`, or a table: such a word as its `default`, and lists of patterns under
`allow`, `ask` and `deny`. Patterns of `bash` are held against the command, those of the other tools against the path.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

from msgspec import Struct

from workbench.harness.names import TOOLBOX

Verdict = Literal["ask", "allow", "deny"]
"""What is done about a call: its owner is asked, it runs, it does not."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

DEFAULTS: Mapping[str, Verdict] = MappingProxyType(
    {name: "ask" if name in ("write", "edit", "bash") else "allow" for name in TOOLBOX}
)
"""What holds of each tool where nothing is set: what only looks is allowed, what changes something asks."""

ALLOWED_WORDS = (
    '"ask", "allow" or "deny", or a table: one of these words as default, and lists of patterns under allow, ask and '
    "deny. A pattern is one line of text that does not begin with !; that of a path is written as in a .gitignore "
    "file, without .. in it"
)
"""What a setting may be, for the message of one that is not."""

MAX_PATTERNS = 200
"""How many patterns one list may hold."""

MAX_PATTERN_CHARS = 1000
"""How long one pattern may be."""


class Rules(Struct, frozen=True):
    """What is set for one tool. Of what applies, deny holds before ask, ask before allow, allow before the default."""

    default: Verdict
    allow: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


def fits(tool: str, value: Any) -> bool:
    """Whether a value can be the setting `approvals.<tool>`."""
    if tool not in DEFAULTS:
        return False
    if not isinstance(value, dict):
        return _is_verdict(value)
    table = cast("dict[Any, Any]", value)
    return all(
        _is_verdict(item) if key == "default" else key in VERDICTS and _are_patterns(tool, item)
        for key, item in table.items()
    )


def widens(tool: str, value: Any) -> bool:
    """Whether a fitting value lets something act without asking that by default asks."""
    return narrowed(tool, value) != value


def narrowed(tool: str, value: Any) -> Any:
    """A fitting value without what widens: its denials and questions can act while the rest waits for a yes."""
    if DEFAULTS[tool] == "allow":
        return value
    if not isinstance(value, dict):
        return DEFAULTS[tool] if value == "allow" else value
    table = cast("dict[str, Any]", value)
    return {
        key: item
        for key, item in table.items()
        if not (key == "allow" and item) and not (key == "default" and item == "allow")
    }


def rules_of(tool: str, value: Any = None) -> Rules:
    """The rules of a tool by a fitting value, or by none."""
    if value is None:
        return Rules(DEFAULTS[tool])
    if not isinstance(value, dict):
        return Rules(value)
    table = cast("dict[str, Any]", value)
    return Rules(
        table.get("default", DEFAULTS[tool]),
        allow=tuple(table.get("allow", ())),
        ask=tuple(table.get("ask", ())),
        deny=tuple(table.get("deny", ())),
    )


def _is_verdict(value: Any) -> bool:
    return isinstance(value, str) and value in VERDICTS


def _are_patterns(tool: str, value: Any) -> bool:
    if not isinstance(value, list):
        return False
    patterns = cast("list[Any]", value)
    return len(patterns) <= MAX_PATTERNS and all(_is_pattern(tool, pattern) for pattern in patterns)


def _is_pattern(tool: str, value: Any) -> bool:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_PATTERN_CHARS or value.startswith("!"):
        return False
    if not value.isprintable():
        return False
    return tool == "bash" or (".." not in value.split("/") and _has_meaning(value))


def _has_meaning(path_pattern: str) -> bool:
    """Whether a path can match it at all: git drops a pattern with a range like `[z-a]` without a word."""
    import re

    from pathspec.patterns.gitignore.base import GitIgnorePatternError
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if path_pattern.startswith("#") or path_pattern in ("/", "~", "."):
        return True
    try:
        return GitIgnoreSpecPattern(path_pattern).include is not None
    except (GitIgnorePatternError, re.error):
        return False

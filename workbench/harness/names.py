"""Names of tools: the rule, and the names that are taken before anybody writes a lambda."""

from __future__ import annotations

import re
import unicodedata

NAME_RULE = r"^[a-z][a-z0-9_-]{1,63}\Z"
"""The rule for a tool's name, as the text of a regular expression."""

VERBS = ("read", "write", "call", "delegate", "plan")
"""The five verbs, in the order in which a provider is told of them."""

BUILTINS = ("search", "web_search", "navigate", "execute")
"""The tools that come with the workbench, in the order in which every listing names them."""

TOOLBOX = ("read", "write", "edit", "bash", "grep", "find", "ls")
"""The tools that act on the real machine, in the order in which a provider is told of them."""

TOOLBOX_BINDING = "toolbox:"
"""Begins the binding of every call on the real machine; the name that was called follows."""

MCP_PREFIX = "mcp__"
"""Begins the name of every tool of a connected server, and of no other."""

_TYPED_RESULT = "return_result"
_RULE = re.compile(NAME_RULE)
_LONGEST = 64
_IN_WORDS = (
    "a tool's name is 2 to 64 characters: lower-case letters a-z, digits, _ and -, and it begins with a letter "
    f"(rule {NAME_RULE})"
)


def reserved(name: str) -> str | None:
    """Say why no lambda may have this name, in a sentence; None if it is free."""
    if name in BUILTINS:
        return (
            f"{name} is reserved: it is a builtin, which a write can neither replace nor delete; grants switch it off"
        )
    if name in VERBS:
        return f"{name} is reserved: it is a verb"
    if name == _TYPED_RESULT:
        return f"{name} is reserved: a delegated run hands in its typed result with it"
    if name in TOOLBOX:
        return f"{name} is reserved: a tool of that name acts on the real machine, and no lambda may pose as it"
    if name.startswith(MCP_PREFIX):
        return f"names that begin with {MCP_PREFIX} are reserved for the tools of connected servers"
    return None


def lambda_name_fault(name: str) -> str | None:
    """Say what is wrong with a name for a lambda: the rule, and a legal form close to it if there is one.

    None if the name is legal and free. The sentence never repeats an illegal name, so it is safe to show as it is.
    """
    if _RULE.match(name):
        taken = reserved(name)
        return None if taken is None else f"{taken}; choose another name"
    near = _near_form(name)
    return _IN_WORDS if near is None else f"{_IN_WORDS}; did you mean {near}?"


def _near_form(name: str) -> str | None:
    """Spell an illegal name legally: accents dropped, words joined by _, at most 64 characters."""
    plain = unicodedata.normalize("NFKD", name[: 4 * _LONGEST]).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain).lower()
    joined = re.sub(r"[^a-z0-9_-]+", "_", words).lstrip("_-0123456789")[:_LONGEST].rstrip("_-")
    return joined if _RULE.match(joined) and reserved(joined) is None else None

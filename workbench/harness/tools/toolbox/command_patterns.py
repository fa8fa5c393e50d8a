"""Patterns for commands of `bash`: which plain command an allow pattern means, and what a denial finds in any. Pure.

In a pattern `*` stands for any run of characters, blanks and further options among them, and nothing else is special.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_CHARS = 50_000
"""How long a command may be to be looked through for its parts."""

# What is left of ASCII without the characters that join, substitute, redirect, group, quote by backslash or comment.
# Globs and `~` stay: what they become is words, and a pattern that lets them through has a `*` in their place.
_UNSPECIAL = re.compile(r"""[A-Za-z0-9 _./,:=+@%^~*?\[\]"'-]*\Z""")
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")

_CONTINUED = re.compile(r"\\\r?\n")
_SEPARATOR = re.compile(r"[;&|()`\r\n]+|(?<!\S)[{}](?!\S)")
# Looked for from the first of its digits only: a long number would be tried again from each of them.
_REDIRECTION = re.compile(r"(?<!\d)\d*[<>]+\s*\S+")
_LEADING = re.compile(
    r"(?:(?:"
    r"(?:if|then|else|elif|while|until|do|coproc|time|exec|eval|command|builtin|nohup|setsid|nice|sudo|env|!)(?:\s+-\S*)*"
    r"|[A-Za-z_][A-Za-z0-9_]*(?:\[[^]\s]*\])?\+?=(?:\"[^\"]*\"|'[^']*'|[^\s\"'])*"
    r")\s+)+"
)
_QUOTING = re.compile(r"""["'\\]""")


def is_plain(command: str) -> bool:
    """Whether a command is one program with its words and nothing that a shell would act on.

    The rule: only letters and digits of ASCII, plain blanks, balanced quotes and `_ . / , : = + @ % ^ ~ * ? [ ] -`,
    between outer blanks. So there is no operator (`;`, `&`, `|`, `<`, `>`), no group, no `$`, backtick, brace, `!` or
    `#`, no backslash, no second line, no other white space or control character, and no character beyond ASCII.
    """
    text = command.strip(" \t")
    if not text or not _UNSPECIAL.match(text):
        return False
    unquoted = _QUOTED.sub("", text)
    return '"' not in unquoted and "'" not in unquoted


def is_like(pattern: str, command: str) -> bool:
    """Whether a pattern means the whole of a command; outer blanks do not count, in either."""
    text = command.strip()
    first, *others = pattern.strip().split("*")
    if not others:
        return text == first
    last = others.pop()
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in others:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def parts_of(command: str) -> frozenset[str]:
    """A command, and what it is made of, each in several spellings: what a denial is held against.

    It is cut wherever a shell may begin another command; words that stand before one (`then`, `sudo -n`, `X=1`),
    redirections, repeated blanks, quotes and backslashes are also left out. This finds what is written plainly. It
    does not find what only a shell works out: a variable's value, a script, a program by another path.
    """
    joined = _CONTINUED.sub("", command)
    parts: set[str] = {command}
    # A redirection may hold what else would part two commands: `2>&1`, `>|file`.
    for part in (joined, *_SEPARATOR.split(joined), *_SEPARATOR.split(_REDIRECTION.sub(" ", joined))):
        for text in (part, _REDIRECTION.sub(" ", part)):
            bare = " ".join(text.split())
            for spelling in (text.strip(), bare, _QUOTING.sub("", bare)):
                parts.update((spelling, _LEADING.sub("", spelling, count=1) if _LEADING.match(spelling) else spelling))
    return frozenset(parts - {""})


def first_like(patterns: Iterable[str], parts: Iterable[str]) -> str | None:
    """The first pattern that means one of these texts."""
    return next((pattern for pattern in patterns if any(is_like(pattern, part) for part in parts)), None)

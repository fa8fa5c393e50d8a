"""Globs: what they match, and the rules by which ripgrep leaves out early what they do not.

`*` and `?` stay inside one name, `**` crosses folders, `[a-z]`, `[!a-z]` and `{one,two}` are as in a shell, and a
backslash takes the next character as it stands. Names that begin with a dot are matched like others.

A glob handed to ripgrep itself would win over `.gitignore`. So it gets rules that count less than any ignore file: they
let pass at least what the glob matches, and what passes is held against the glob here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.limits import MAX_GLOB
from workbench.harness.tools.toolbox.paths import shown
from workbench.harness.tools.toolbox.ripgrep.glob_syntax import parsed

_MOST_CHOICES = 32
_FEW = 2
_EVERYTHING = (("/**/*",), ("/**/**",), ("/**",))


class Glob(Struct, frozen=True):
    """A glob, matched against paths relative to the searched folder.

    `rules` are globs for ripgrep that match at least what it matches, None where they would be too many. `exact` says
    that they match nothing else. `folders` says that it is meant for folders alone. `wide` counts what it may match in
    many ways. `before` is what a path is completed with to be matched: an absolute glob is held against absolute paths.
    """

    expression: str
    rules: tuple[str, ...] | None
    exact: bool
    wide: int
    folders: bool = False
    any_case: bool = False
    before: str = ""

    @property
    def everything(self) -> bool:
        """Whether it matches every file there is."""
        return self.exact and not self.folders and self.rules in _EVERYTHING

    def matcher(self) -> Callable[[str], bool]:
        """Whether a path is matched. The time it takes grows with the length of the path, whatever the glob is."""
        fullmatch = _compiled(self.expression, self.any_case, self.wide).fullmatch
        before = self.before
        if before:
            return lambda path: fullmatch(before + path) is not None
        return lambda path: fullmatch(path) is not None


def for_names(pattern: str, root: Path) -> Glob:
    """The glob of `find`: for names at any depth, with `./` for paths from the searched folder on, or absolute.

    A pattern without capitals matches either case. One that ends in `/` is for folders.

    Raises:
        HarnessError: `bad_input` for one that is no glob or leads out of the folder.
    """
    _check(pattern, root)
    body, anchored = _from_root(pattern, root)
    folders = body.endswith("/")
    body = body.rstrip("/")
    any_case = not any(character.isupper() for character in body)
    if not anchored and body.startswith("/"):
        found = parsed(body, any_case)
        return Glob(found.regex, None, False, found.wide, folders, any_case, shown(root).rstrip("/") + "/")
    return _placed(body, anchored, folders, any_case)


def for_files(pattern: str, root: Path) -> Glob:
    """The filter of `grep`: with a `/` in it anchored at the searched folder, else for names at any depth.

    One that ends in `/` takes in all that is in such folders.

    Raises:
        HarnessError: `bad_input` for one that is no glob or leads out of the folder.
    """
    _check(pattern, root)
    body, anchored = _from_root(pattern, root)
    below = body.endswith("/")
    body = body.strip("/")
    anchored = anchored or pattern.startswith("/") or "/" in body
    return _placed(f"{body}/**" if below else body, anchored, False, False)


def _check(pattern: str, root: Path) -> None:
    if not pattern.strip("/"):
        raise HarnessError("bad_input", "The glob names nothing. Give one such as *.ts, or * for everything.")
    if len(pattern) > MAX_GLOB:
        raise HarnessError("bad_input", f"The glob has {len(pattern)} characters; at most {MAX_GLOB} are taken.")
    if not pattern.isascii() and any("\ud800" <= character <= "\udfff" for character in pattern):
        raise HarnessError("bad_input", "The glob holds half of a surrogate pair. Leave it out.")
    if pattern.count("{") > _MOST_CHOICES:
        raise HarnessError("bad_input", f"The glob has more than {_MOST_CHOICES} braces. Use a plainer one.")
    if ".." in pattern.split("/"):
        raise HarnessError(
            "bad_input", f"The glob leads out of {shown(root)} with `..`. Set path to the folder instead."
        )


def _from_root(pattern: str, root: Path) -> tuple[str, bool]:
    """A pattern without what names the searched folder, and whether it named it."""
    if pattern.startswith("./"):
        body = pattern
        while body.startswith("./"):
            body = body[2:].lstrip("/")
        return body, True
    folder = str(root).rstrip("/") + "/"
    if pattern.startswith(folder) and len(pattern) > len(folder):
        return pattern[len(folder) :], True
    return pattern, False


def _placed(body: str, anchored: bool, folders: bool, any_case: bool) -> Glob:
    if not body:
        raise HarnessError("bad_input", "The glob names nothing. Give one such as *.ts, or * for everything.")
    deep = not anchored or body.startswith("**/")
    found = parsed(body.removeprefix("**/"), any_case)
    start = "/**/" if deep else "/"
    rules = None if found.rules is None else tuple(dict.fromkeys(start + rule for rule in found.rules))
    return Glob(f"(?:.*/)?{found.regex}" if deep else found.regex, rules, found.exact, found.wide, folders, any_case)


@lru_cache(maxsize=64)
def _compiled(expression: str, any_case: bool, wide: int) -> Any:
    if wide <= _FEW:
        return re.compile(expression, re.S | re.I if any_case else re.S)
    # Backtracking over many stars would take for ever on a long name. The other engine never does, but is slower.
    engine: Any = import_module("re2")  # by name: it has no types
    options = engine.Options()
    options.dot_nl = True
    options.log_errors = False
    options.case_sensitive = not any_case
    try:
        return engine.compile(expression, options)
    except engine.error as error:
        raise HarnessError("bad_input", "The glob is too large. Use a shorter one.") from error


def filter_rules(glob: Glob | None, pattern: str, *, excluded: bool = False, below: bool = False) -> str:
    """The rules for a search: they leave out `.git`, unless the pattern names it, and what the glob does not match.

    With `excluded`, it is what the glob matches that is left out. With `below`, what lies in a matched folder passes
    as well: it tells that the folder is there.
    """
    lines: list[str] = []
    if glob is not None and glob.rules is not None and (excluded or not glob.everything):
        if excluded:
            lines += glob.rules if glob.exact else ()
        else:
            lines += ["*", "!*/"]
            lines += () if glob.folders else (f"!{rule}" for rule in glob.rules)
            lines += (f"!{rule}/**" for rule in glob.rules) if below else ()
    if ".git" not in re.split(r"[/{},]", pattern.lstrip("!")):
        lines.append(".git/")
    return "".join(f"{line}\n" for line in lines)

"""Patterns for paths, written as in a .gitignore file: which places on this machine they mean.

A relative pattern means places in the working directory and below, as if it stood in a .gitignore file there; so a name
alone means everything of that name at any depth, and `./…` what lies right there. `/…` and `~/…` mean places anywhere;
`.` is the working directory with all that is in it.
"""

from __future__ import annotations

import functools
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from workbench.harness.space.schema.patterns import Pattern, compile_pattern
from workbench.harness.tools.toolbox.links import real_or_none
from workbench.harness.tools.toolbox.paths import existing, resolve, shown

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_GLOB = re.compile(r"[*?\[\]\\]")
_THE_WHOLE = frozenset((".", "*", "**", "**/*"))


class Place(Struct, frozen=True):
    """A path that a call names: every form in which it may be met, and whether it is a folder.

    The forms are the path as the tool resolves it, as it is spelled on disk, and with links resolved: the last is
    `real`, None where the system does not follow the path. `folders` are the working directory, as it is called and
    with links resolved.
    """

    forms: tuple[str, ...]
    real: str | None
    is_folder: bool
    folders: tuple[str, ...]


def place_of(given: str, cwd: Path, *, spelled_on_disk: bool = False) -> Place:
    """The place that a path means. With `spelled_on_disk` it may be written there in a slightly different way.

    Asks the file system.

    Raises:
        HarnessError: `bad_input` for what is no path.
    """
    path = resolve(given, cwd)
    found = existing(path) if spelled_on_disk else path
    real = real_or_none(found)
    forms = dict.fromkeys(form for form in (str(path), str(found), real_or_none(path), real) if form is not None)
    folders = dict.fromkeys((str(cwd), real_or_none(cwd) or str(cwd)))
    return Place(tuple(forms), real, os.path.isdir(found), tuple(folders))


def all_meant(patterns: tuple[str, ...], place: Place) -> str | None:
    """The pattern that means a place, links resolved, where every other form of it is meant as well; None otherwise.

    A place that nobody knows is not meant.

    Where several are needed for that, it is the one for the path with links resolved.
    """
    if place.real is None or any(_CONTROL.search(form) for form in place.forms):
        return None
    meaning: str | None = None
    for form in place.forms:
        meaning = next((pattern for pattern in patterns if _means(pattern, form, place, unreadable=False)), None)
        if meaning is None:
            return None
    return meaning


def any_meant(patterns: tuple[str, ...], place: Place) -> str | None:
    """The first pattern that means a place in any of its forms, accents composed or not."""
    forms = dict.fromkeys(spelling for form in place.forms for spelling in (form, unicodedata.normalize("NFC", form)))
    for pattern in patterns:
        spellings = dict.fromkeys((pattern, unicodedata.normalize("NFC", pattern), _links_resolved(pattern)))
        if any(_means(spelling, form, place, unreadable=True) for spelling in spellings for form in forms):
            return pattern
    return None


def any_below(patterns: tuple[str, ...], place: Place) -> str | None:
    """The first pattern that may mean something inside a folder; None where the place is none."""
    if not place.is_folder:
        return None
    for pattern in patterns:
        beginning = real_or_none(_beginning(pattern, place))
        if place.real is None or beginning is None:
            return pattern
        if _within(beginning, place.real) is not None or _within(place.real, beginning) is not None:
            return pattern
    return None


def _means(pattern: str, path: str, place: Place, *, unreadable: bool) -> bool:
    """Whether one pattern means one form of a path; `unreadable` is the answer where the pattern cannot be read."""
    for absolute, lines in _readings(pattern):
        if absolute:
            texts = [path.lstrip("/")]
        else:
            texts = [text for folder in place.folders if (text := _within(path, folder)) is not None]
        for text in texts:
            if text == "" and not absolute:
                if lines in _THE_WHOLE:
                    return True
                continue
            regex = _regex("**" if lines == "." else lines)
            if regex is None:
                return unreadable
            # A name may hold a line break, which no pattern can write and `.` does not match.
            if regex.found_in(_CONTROL.sub("\ufffd", shown(text)) + ("/" if place.is_folder else "")):
                return True
    return False


def _readings(pattern: str) -> Iterator[tuple[bool, str]]:
    """A pattern as git reads it, and whether it is held against the absolute path."""
    if pattern == "~" or pattern.startswith("~/"):
        home = os.path.expanduser("~")
        for folder in dict.fromkeys((home, real_or_none(home) or home)):
            yield True, _rooted(_GLOB.sub(r"\\\g<0>", folder) + pattern[1:])
    elif pattern.startswith("/"):
        yield True, _rooted(pattern)
    else:
        relative = pattern
        while relative.startswith("./"):
            relative = relative[2:].lstrip("/")
        if relative != pattern:
            yield False, f"/{relative}" if relative not in ("", ".") else "."
        else:
            yield False, f"\\{pattern}" if pattern.startswith("#") else pattern


def _rooted(pattern: str) -> str:
    inner = pattern.lstrip("/")
    return f"/{inner}" if inner else "**"


@functools.lru_cache(maxsize=1024)
def _regex(line: str) -> Pattern | None:
    """A pattern as a regular expression in linear time, so that none can hang a call; None if it cannot be read."""
    from pathspec.patterns.gitignore.base import GitIgnorePatternError
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    try:
        text, include = GitIgnoreSpecPattern.pattern_to_regex(line)
    except (GitIgnorePatternError, re.error):
        return None
    compiled = compile_pattern(text) if text is not None and include else None
    return compiled if isinstance(compiled, Pattern) else None


def _within(path: str, folder: str) -> str | None:
    """A path relative to a folder that it lies in, empty for the folder itself; None where it does not."""
    if path == folder:
        return ""
    inside = folder if folder.endswith("/") else f"{folder}/"
    return path[len(inside) :] if path.startswith(inside) else None


def _beginning(pattern: str, place: Place) -> str:
    """The deepest place above, or at, everything that a pattern can mean."""
    if pattern == "~" or pattern.startswith("~/"):
        base, rest = os.path.expanduser("~"), pattern[1:]
    elif pattern.startswith("/"):
        base, rest = "/", pattern
    elif "/" not in pattern.rstrip("/"):
        return place.folders[0]
    else:
        base, rest = place.folders[0], pattern
    return os.path.join(base, *_plain_steps(rest))


def _plain_steps(pattern: str) -> list[str]:
    steps: list[str] = []
    for step in pattern.split("/"):
        if _GLOB.search(step):
            break
        if step not in ("", "."):
            steps.append(step)
    return steps


def _links_resolved(pattern: str) -> str:
    """An absolute pattern for the place that its beginning leads to, so that a denial follows a link."""
    home = os.path.expanduser("~")
    if (pattern == "~" or pattern.startswith("~/")) and not _GLOB.search(home):
        pattern = home + pattern[1:]
    if not pattern.startswith("/"):
        return pattern
    steps = _plain_steps(pattern)
    beginning = "/" + "/".join(steps)
    real = real_or_none(beginning)
    if real is None or real == beginning or not pattern.startswith(beginning):
        return pattern
    return _GLOB.sub(r"\\\g<0>", real) + pattern[len(beginning) :]

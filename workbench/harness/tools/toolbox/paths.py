"""From the path that a model gives to a place on this machine. Nothing is opened here, and only `existing` looks."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from workbench.harness.errors import HarnessError
from workbench.harness.tools.toolbox.limits import MAX_PATH_BYTES

_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_BEFORE_HALF_OF_DAY = re.compile(r" ([AaPp][Mm]\.)")


def resolve(given: str, cwd: Path) -> Path:
    """The absolute path that is meant, with `..` collapsed; links stay as they are.

    Unusual spaces become plain ones, one leading `@` is dropped (models write it before a file's name), `~` is the home
    folder, a `file://` address its path. Absolute paths and `..` may lead anywhere: this is the real machine.

    Raises:
        HarnessError: `bad_input` for a NUL, a `file://` address of another machine, or more than any path has.
    """
    path = _SPACES.sub(" ", given)
    path = path.removeprefix("@")
    if path == "~" or path.startswith("~/"):
        path = os.path.expanduser("~") + path[1:]
    if path.startswith("file://"):
        path = _of_address(path)
    if "\0" in path:
        raise HarnessError("bad_input", "A path holds no NUL character.")
    path = os.path.normpath(os.path.join(cwd, path))
    # Comparing forms of a path takes the square of its length where accents pile up on one letter.
    size = len(path.encode("utf-8", "surrogatepass"))
    if size > MAX_PATH_BYTES:
        raise HarnessError(
            "bad_input",
            f"ENAMETOOLONG: name too long. The path has {size:,} bytes, and the system takes at most "
            f"{MAX_PATH_BYTES:,}. Give a shorter path.",
        )
    return Path(path)


def existing(path: Path) -> Path:
    """A path as it stands on disk, where that writes its name otherwise than a model does.

    Screenshots of one system have a narrow space before AM and PM, some systems store accents decomposed, and an
    apostrophe may be a curly one. The path itself where it is there, and where none of these is.
    """
    text = str(path)
    tried = {text}
    decomposed = unicodedata.normalize("NFD", text)
    for form in (
        _BEFORE_HALF_OF_DAY.sub("\u202f\\1", text),
        decomposed,
        text.replace("'", "\u2019"),
        decomposed.replace("'", "\u2019"),
    ):
        if os.path.lexists(path):
            return path
        if form not in tried and os.path.lexists(form):
            return Path(form)
        tried.add(form)
    return path


def shown(path: str | os.PathLike[str]) -> str:
    """A path as text that the log and a model can hold: bytes that are no UTF-8 become U+FFFD."""
    return os.fsencode(path).decode("utf-8", "replace")


def _of_address(address: str) -> str:
    parts = urlsplit(address)
    if parts.netloc not in ("", "localhost"):
        raise HarnessError("bad_input", "A file:// address names a file of this machine, as in file:///tmp/x.txt.")
    return unquote(parts.path)

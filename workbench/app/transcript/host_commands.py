"""A line of the composer as an act on the real machine. Pure.

The short forms are for hands; whatever they cannot say, `NAME {json}` can.
"""

from __future__ import annotations

import re
from typing import Any

from workbench.app.transcript.commands import SPEAK, Command
from workbench.harness import strict_json
from workbench.harness.errors import HarnessError
from workbench.harness.names import TOOLBOX

FORMS = {
    "read": "read PATH",
    "write": "write PATH TEXT",
    "edit": 'edit {"path": "a.txt", "edits": [{"oldText": "…", "newText": "…"}]}',
    "bash": "bash COMMAND",
    "grep": "grep PATTERN",
    "find": "find PATTERN",
    "ls": "ls PATH",
}
"""How each is written by hand."""

MORE = {
    "read": 'from a line on: read {"path": "…", "offset": 100}',
    "bash": 'with a limit: bash {"command": "…", "timeout": 60}',
    "grep": 'in one file: grep {"pattern": "…", "path": "…"}',
    "find": 'in a folder: find {"pattern": "…", "path": "…"}',
    "ls": 'at most so many: ls {"path": "…", "limit": 20}',
}
"""What else they take, as it is written: for those of which the short form says one thing only."""

_MAIN = {"read": "path", "bash": "command", "grep": "pattern", "find": "pattern", "ls": "path"}
_NAME = re.compile(r"\S+")


def parse(line: str, speak: str = SPEAK) -> Command:
    """Read a line as an act. `speak` is what a line that is no act is told of how to say it.

    Raises:
        HarnessError: `bad_input`, saying what was not understood and how it is written.
    """
    text = line.strip()
    found = _NAME.match(text)
    if found is None:
        raise _fault(f"Write an act, for example: {FORMS['read']}")
    name, rest = found[0], text[found.end() :].strip()
    if name not in TOOLBOX:
        raise _fault(f"{name} is none of the tools here ({', '.join(TOOLBOX)}). {speak}")
    return Command(name, _input(name, rest))


def more_of(line: str) -> str:
    """What else the tool of a line in its short form takes; empty where the line is JSON or all is said."""
    name, _, rest = line.strip().partition(" ")
    return "" if rest.lstrip().startswith("{") else MORE.get(name, "")


def _input(name: str, rest: str) -> Any:
    # A command may begin with a brace too, but then a space or a line break follows.
    if rest.startswith("{") and not (name == "bash" and rest[1:2].isspace()):
        return strict_json.parse(rest, what=f"the input of {name}")
    if name == "ls" and not rest:
        return {}
    if name == "write":
        path, _, content = rest.partition(" ")
        if path and content:
            return {"path": path, "content": content}
    elif name in _MAIN and rest:
        return {_MAIN[name]: rest}
    if name == "edit":
        raise _fault(f"edit takes JSON: {FORMS[name]}")
    more = f"; {MORE[name]}" if name in MORE else ""
    raise _fault(f"{name} needs more: {FORMS[name]}{more}")


def _fault(message: str) -> HarnessError:
    return HarnessError("bad_input", message)

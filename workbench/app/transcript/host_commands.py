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
    raise _fault(f"{name} needs more: {FORMS[name]}, or its input as JSON: {name} {{…}}")


def _fault(message: str) -> HarnessError:
    return HarnessError("bad_input", message)

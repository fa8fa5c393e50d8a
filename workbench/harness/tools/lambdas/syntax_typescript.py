"""What Deno's parser says of a TypeScript source: `deno lint` with next to no rules, which reads and runs nothing."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from workbench.harness.tools.lambdas import interpreters
from workbench.harness.tools.lambdas.syntax import gave_up
from workbench.harness.tools.lambdas.syntax_process import answer_of

Found = tuple[int, int, str]
"""Line, column, message."""

_ENVIRONMENT = {
    # A folder that cannot be made, so that nothing is kept; and a home without anybody's configuration.
    "DENO_DIR": "/dev/null/none",
    "HOME": "/nonexistent",
    "DENO_NO_PACKAGE_JSON": "1",
    "DENO_NO_UPDATE_CHECK": "1",
    "NO_COLOR": "1",
}
_ARGUMENTS = ("lint", "--json", "--no-config", "--ext=ts", "--rules-tags=", "--rules-include=no-empty-pattern", "-")
_TAB_COLUMNS = 2
_PLACE = re.compile(r"\n    at file:///\S*:([0-9]{1,9}):([0-9]{1,9})\Z")
_DEFAULT = re.compile(
    r"\bexport\s+default\b|\bexport\s*\*\s*as\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b|\bexport\s*\{\s*default\b"
)
_AT_MARGIN = re.compile(r"^export\s+default\b", re.MULTILINE)
_NO_CODE = re.compile(
    r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`"
)


async def typescript_problems(source: str) -> list[Found]:
    """What is wrong with a source. Raises HarnessError `unavailable`, `timeout` or `failed`."""
    command = (interpreters.deno().path, *_ARGUMENTS)
    code, output = await answer_of(command, _ENVIRONMENT, source.encode())
    try:
        answer: Any = json.loads(output)
        errors = [str(error["message"]) for error in cast("dict[str, Any]", answer)["errors"]]
    except (ValueError, KeyError, TypeError):
        raise gave_up("TypeScript", code) from None
    found = [_found(message, source) for message in errors]
    return found or _without_default(source)


def _found(message: str, source: str) -> Found:
    """One error: its first line are the words, its last line is the place."""
    words = message.partition("\n")[0].removeprefix("SyntaxError: ")
    place = _PLACE.search(message)
    if place is None:
        return 1, 1, words
    line = int(place[1])
    return line, _column(source, line, int(place[2])), words


def _column(source: str, line: int, shown: int) -> int:
    """The column in characters; Deno counts the columns of a terminal, in which a tab is two wide."""
    lines = source.split("\n", line)
    text = lines[line - 1] if line <= len(lines) else ""
    width = column = 1
    for char in text:
        if width >= shown:
            break
        width += _TAB_COLUMNS if char == "\t" else 1
        column += 1
    return column


def _without_default(source: str) -> list[Found]:
    # Comments and texts are cut away without parsing, so a strange regular expression may hide what follows it: what
    # stands at the margin counts in any case.
    if _DEFAULT.search(_NO_CODE.sub(" ", source)) or _AT_MARGIN.search(source):
        return []
    return [(1, 1, "it has no default export, which is what a call runs: export default function (input) { … }")]

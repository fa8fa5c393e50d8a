"""What Python says of a source: the interpreter that will run it compiles it, in a process of its own."""

from __future__ import annotations

import json
from typing import Any, cast

from workbench.harness.tools.lambdas import bootstrap, interpreters
from workbench.harness.tools.lambdas.syntax import gave_up
from workbench.harness.tools.lambdas.syntax_process import answer_of

Found = tuple[int, int, str]
"""Line, column, message."""


async def python_problems(source: str) -> list[Found]:
    """What is wrong with a source. Raises HarnessError `unavailable`, `timeout` or `failed`."""
    program = bootstrap.program("syntax_child.py").decode()
    # Isolated, without `site`, and silent: warnings are nothing that is wrong.
    command = (interpreters.python().path, "-I", "-S", "-B", "-W", "ignore", "-c", program)
    code, output = await answer_of(command, {"MALLOC_ARENA_MAX": "1"}, source.encode())
    try:
        found: Any = json.loads(output)
    except ValueError:
        raise gave_up("Python", code) from None
    return [(int(line), int(column), str(message)) for line, column, message in cast("list[list[Any]]", found)]

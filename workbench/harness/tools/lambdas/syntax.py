"""Is the source of a lambda a program: what its compiler says of it, with line and column. Nothing of it ever runs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import Runtime

MAX_PROBLEMS = 50
"""Problems beyond this number are not told."""

MAX_MESSAGE = 300
"""Characters of a message at most: compilers repeat what they were given."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a source, and where: `line` and `column` count from 1, the column in characters."""

    line: int
    column: int
    message: str


async def problems(runtime: Runtime, source: str) -> tuple[Problem, ...]:
    """What the compiler of the runtime says of a source, in the order of the lines; empty for a sound one.

    Compiling takes place in a process of its own, bounded in time, memory and output, with no network and no file of
    anybody's. That there is an entry point (`main`, a default export) is asked too.

    Raises:
        HarnessError: `unavailable` where there is no such compiler, `timeout`, or `failed` when it gave up.
    """
    surrogate = _SURROGATE.search(source)
    if surrogate is not None:
        line = source.count("\n", 0, surrogate.start()) + 1
        column = surrogate.start() - source.rfind("\n", 0, surrogate.start())
        return (Problem(line, column, "half a character (a lone surrogate) stands here; take it out"),)
    if runtime == "python":
        from workbench.harness.tools.lambdas.syntax_python import python_problems as found
    else:
        from workbench.harness.tools.lambdas.syntax_typescript import typescript_problems as found
    listed = sorted(await found(source), key=lambda place: (place[0], place[1]))[:MAX_PROBLEMS]
    return tuple(Problem(max(line, 1), max(column, 1), message[:MAX_MESSAGE]) for line, column, message in listed)


def gave_up(language: str, code: int) -> HarnessError:
    """The error for a compiler that ended in a way of its own, such as with its stack full."""
    return HarnessError(
        "failed",
        f"The syntax of this {language} source could not be checked: its compiler gave up (exit code {code}). Sources "
        "that are nested very deeply do that; a call of it would fail too.",
    )

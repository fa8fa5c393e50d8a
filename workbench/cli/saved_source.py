"""What the compiler says of a lambda that was just saved: it is stored in any case, and not silently."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.harness.errors import HarnessError
from workbench.harness.text import fold

if TYPE_CHECKING:
    from workbench.harness.harness import Harness
    from workbench.harness.tools.lambdas.syntax import Problem


@dataclass(frozen=True, slots=True)
class SavedSource:
    """What the compiler says of a saved source; `unchecked` says in words why nothing could be found out."""

    address: str
    problems: tuple[Problem, ...] = ()
    unchecked: str = ""

    def fields(self) -> dict[str, Any]:
        """What `--json` says of it beside the result; nothing where all is well."""
        if self.unchecked:
            return {"unchecked": self.unchecked}
        listed = [{"line": at.line, "column": at.column, "message": at.message} for at in self.problems]
        return {"problems": listed} if listed else {}

    def lines(self) -> list[str]:
        """What is said of it to people, a line each; nothing where all is well."""
        if self.unchecked:
            return [f"note: whether calls of {self.address} can run is not known. {self.unchecked}"]
        if not self.problems:
            return []
        places = [f"  line {at.line}, column {at.column}: {fold(at.message)}" for at in self.problems]
        return [f"warning: {self.address} is stored, but calls of it will fail. In its source:", *places]


async def look_at(harness: Harness, result: Any) -> SavedSource | None:
    """Have the compiler look at what an act stored; None where that was no lambda.

    Being cancelled meanwhile takes back nothing of the answer: then it is not known.
    """
    if not isinstance(result, Mapping) or result.get("status") != "saved" or not isinstance(result.get("cid"), str):
        return None
    address = str(result["address"])
    try:
        document = harness.version(result["cid"]).document
        if document.source is None or document.runtime is None:
            return None

        from workbench.harness.tools.lambdas.syntax import problems

        return SavedSource(address, await problems(document.runtime, document.source))
    except HarnessError as error:
        return SavedSource(address, unchecked=error.message)
    except asyncio.CancelledError:
        return SavedSource(address, unchecked="Looking at its source was stopped.")

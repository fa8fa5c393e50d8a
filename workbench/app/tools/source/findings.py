"""Everything that can be said of a draft: what is wrong where, and what would come of saving it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from workbench.app.tools.source.drafts import PART_NAMES, REST, Draft, Part
from workbench.app.tools.source.judgement import Judgement, Surroundings, judge
from workbench.app.tools.source.locate import Path, locate, place_in, split_path, without_place
from workbench.harness.errors import HarnessError
from workbench.harness.space.schema.compiled import compile_schema
from workbench.harness.space.schema.lint import provider_lint
from workbench.harness.space.schema.values import shorten
from workbench.harness.strict_json import parse
from workbench.harness.tools.lambdas.syntax import problems as syntax_problems

MAX_FAULTS = 50
"""Faults beyond this number are not listed."""

Weight = Literal["refused", "wrong", "note"]
"""`refused`: it cannot be saved so. `wrong`: it can, and a call would fail. `note`: worth knowing."""

MARKS: dict[Weight, str] = {"refused": "✗", "wrong": "✗", "note": "△"}
"""What stands before a fault."""


class Said(NamedTuple):
    """A path in a schema, the words, and how much they weigh."""

    path: Path
    words: str
    weight: Weight


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing to say of a place in a draft; `line` and `column` count from 1."""

    part: Part
    line: int
    column: int
    message: str
    weight: Weight = "refused"

    @property
    def place(self) -> str:
        """Where it is, as people write it."""
        return f"{PART_NAMES[self.part]} {self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in a draft. `unchecked` says in words what could not be looked at."""

    draft: Draft
    judgement: Judgement
    faults: tuple[Fault, ...] = ()
    unchecked: str = ""


async def look_over(draft: Draft, around: Surroundings | None = None) -> Findings:
    """Look a draft over, in other threads and processes than the one that asks."""
    judgement, faults = await asyncio.to_thread(_of_document, draft, around)
    unchecked = ""
    try:
        for problem in await syntax_problems(draft.runtime, draft.texts.source):
            faults.append(Fault("source", problem.line, problem.column, problem.message, "wrong"))
    except HarnessError as error:
        unchecked = error.message
    faults.sort(key=lambda fault: (fault.weight == "note", fault.weight == "wrong"))
    return Findings(draft, judgement, tuple(faults[:MAX_FAULTS]), unchecked)


def _of_document(draft: Draft, around: Surroundings | None) -> tuple[Judgement, list[Fault]]:
    judgement = judge(draft, around)
    try:
        rest: Any = parse(draft.texts.rest, what="the contract")
    except HarnessError as error:
        line, column = place_in(error.message) or (1, 1)
        words = without_place(error.message).removeprefix("the contract is ")
        return judgement, [Fault("rest", line, column, words)]
    if not isinstance(rest, dict):
        return judgement, [Fault("rest", 1, 1, judgement.problem or "The contract is no JSON object.")]
    faults = _of_schemas(draft.texts.rest, rest)
    if judgement.problem is not None and not any(fault.weight == "refused" for fault in faults):
        faults.append(_of_problem(draft, rest, judgement.problem))
    return judgement, faults


def _of_schemas(text: str, rest: dict[str, Any]) -> list[Fault]:
    said: list[Said] = []
    for key in ("input", "output"):
        if key in rest:
            found = _of_schema(rest[key])
            if key == "input" and not any(each.weight == "refused" for each in found):
                # Only the input is ever given to a provider.
                found += _said(provider_lint(rest[key]), "note")
            said += [each._replace(path=(key, *each.path)) for each in found]
    places = locate(text, [each.path for each in said])
    return [
        Fault("rest", line, column, f"{each.path[0]}: {each.words}", each.weight)
        for each, (line, column) in zip(said, places, strict=True)
    ]


def _of_schema(schema: Any) -> list[Said]:
    try:
        compiled = compile_schema(schema)
    except HarnessError as error:
        return [Said((), error.message, "refused")]
    return _said(compiled.faults, "refused") if compiled.faults else _said(compiled.unchecked, "note")


def _said(messages: Iterable[str], weight: Weight) -> list[Said]:
    return [Said(*split_path(message), weight) for message in messages]


def _of_problem(draft: Draft, rest: dict[str, Any], problem: str) -> Fault:
    """The fault for why a document is refused, at the field that its message begins with."""
    words = shorten(problem, 400)
    field = problem.partition(" in the content of ")[0].rpartition(" has a blank ")[2].partition(":")[0]
    blank = problem.partition(" has a blank ")[2].partition(":")[0]
    for name in (field, blank):
        if name in ("source", "description"):
            return Fault(name, 1, 1, words)
        if name in rest:
            ((line, column),) = locate(draft.texts.rest, [(name,)])
            return Fault("rest", line, column, words)
    strange = next((key for key in rest if key not in REST), None)
    ((line, column),) = locate(draft.texts.rest, [(strange,) if strange is not None else ()])
    return Fault("rest", line, column, words)

"""Is a schema sound, and does an input match it: the answers, in words, in bounded time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import cast

from workbench.harness.errors import HarnessError
from workbench.harness.space.schema.compiled import compile_schema
from workbench.harness.space.schema.soundness import Step
from workbench.harness.space.schema.values import ROOT, path_text, shorten, size
from workbench.harness.space.schema.verdicts import Problem, Verdict
from workbench.harness.space.schema.walker import BASE_STEPS, MAX_STEPS, STEPS_PER_VALUE, Fault, Walker
from workbench.harness.strict_json import Json, check

MAX_PROBLEMS = 50
"""Problems that are listed; after them stands how many more there are."""

_COUNTED = 1000
_MESSAGE = 600


def check_schema(schema: object, what: str, *, object_root: bool = False) -> tuple[str, ...]:
    """See that a schema is sound under draft 2020-12 and refers to nothing outside; `what` names it in messages.

    Answers what of it cannot be checked, such as a pattern with a look-ahead. With `object_root` its root `type` must
    be absent or "object", as for a tool's input. Raises HarnessError `bad_input` with the faults, or `limit`.
    """
    compiled = compile_schema(schema)
    if compiled.faults:
        faults = "; ".join(compiled.faults)
        raise HarnessError("bad_input", f"{what} is unsound as a JSON Schema (draft 2020-12): {faults}.")
    root = compiled.schema
    if object_root and not (isinstance(root, dict) and root.get("type", "object") == "object"):
        raise HarnessError(
            "bad_input",
            f'{what} must have an object root: a schema object whose "type" is "object" or absent, such as '
            '{"type": "object", "properties": {"text": {"type": "string"}}}.',
        )
    return tuple(compiled.unchecked)


def validate(schema: object, instance: object) -> Verdict:
    """Hold an input against a schema. Nothing is coerced, nothing is fetched, `format` is an annotation.

    An unsound schema is an error of every input. Raises HarnessError `limit` when the check would take too many steps
    or schema or input are nested over 128 levels, `bad_input` when one of them is not JSON.
    """
    from workbench.harness.space.schema.keywords import is_type, vocabulary

    compiled = compile_schema(schema)
    check(instance, what="the input")
    value = cast("Json", instance)
    if compiled.faults:
        message = f"nothing can match, the schema itself is unsound: {'; '.join(compiled.faults)}"
        return Verdict((Problem(ROOT, shorten(message, _MESSAGE)),), tuple(compiled.unchecked))
    steps = min(BASE_STEPS + STEPS_PER_VALUE * size(value), MAX_STEPS)
    walker = Walker(compiled, vocabulary(), is_type, steps)
    try:
        errors = _problems(walker.descend(value, compiled.schema))
    except RecursionError:
        raise HarnessError("limit", "this input leads too deep into its schema. Make it flatter.") from None
    return Verdict(errors, tuple(compiled.unchecked))


def _problems(faults: Iterable[Fault]) -> tuple[Problem, ...]:
    found: dict[Problem, list[tuple[bool, Step]]] = {}
    more = 0
    for fault in islice(faults, _COUNTED):
        problem = Problem(path_text(fault.path), shorten(fault.message, _MESSAGE))
        if problem in found:
            continue
        if len(found) < MAX_PROBLEMS:
            # by place, item 2 before item 10; a schema's own order of keys must not show
            found[problem] = [(isinstance(step, int), step) for step in fault.path]
        else:
            more += 1
    ordered = sorted(found, key=lambda problem: (found[problem], problem.message))
    if more:
        at_least = "at least " if more + MAX_PROBLEMS >= _COUNTED else ""
        ordered.append(Problem(ROOT, f"and {at_least}{more} more errors"))
    return tuple(ordered)

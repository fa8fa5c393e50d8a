"""What changed between two schemas, and for whom it breaks something."""

from __future__ import annotations

from workbench.harness.space.schema.compare.changes import KINDS, Change, Fact, Kind, Use, listed
from workbench.harness.space.schema.compare.engine import Comparison
from workbench.harness.space.schema.compare.steps import MAX_STEPS, Steps, TooMuch
from workbench.harness.space.schema.compiled import compile_schema
from workbench.harness.strict_json import Json

__all__ = ["KINDS", "Change", "Kind", "Use", "compare_schemas"]


def compare_schemas(old: Json, new: Json, use: Use = "input", steps: int = MAX_STEPS) -> tuple[Change, ...]:
    """The changes from one schema to another, the breaking ones first; none for schemas that say the same.

    Where no change is breaking, every value that the old input schema accepts the new one accepts too, and every value
    that the new output schema accepts the old one accepted. What cannot be found out, also because it would take more
    than `steps`, is breaking and says so. An output schema that is absent is `true`. Raises HarnessError as `validate`
    does, for what is no JSON or is nested too deeply.
    """
    one, other = compile_schema(old), compile_schema(new)
    if one.faults or other.faults:
        which = "old" if one.faults else "new"
        doubt = f"the {which} schema is unsound: {(one.faults or other.faults)[0]}"
        return listed([Fact("$", "cannot be compared", doubt=doubt, narrows=True, widens=True)], use)
    comparison = Comparison(one, other, Steps(steps))
    try:
        facts = comparison.facts(one.schema, other.schema, "$", 0)
    except (TooMuch, RecursionError):
        doubt = f"comparing the two takes over {steps:,} steps"
        facts = [Fact("$", "too large to compare", doubt=doubt, narrows=True, widens=True)]
    return listed(facts, use)

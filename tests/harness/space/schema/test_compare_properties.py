"""What holds for every two schemas: where nothing is called breaking, nothing breaks."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.harness.space.schema.test_properties import ARBITRARY, INSTANCES, LINKED, SCHEMAS
from workbench.harness.errors import HarnessError
from workbench.harness.space.schema import validate
from workbench.harness.space.schema.compare import compare_schemas


def places(schema: Any) -> list[dict[str, Any]]:
    """Every object in a schema, wherever it stands."""
    found: list[dict[str, Any]] = []
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found.append(each)
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
    return found


@st.composite
def edits(draw: st.DrawFn) -> tuple[Any, Any]:
    """A schema and what somebody made of it: some keywords are gone, others come from another schema."""
    old = draw(SCHEMAS | LINKED)
    new = copy.deepcopy(old)
    for _ in range(draw(st.integers(1, 3))):
        here = places(new)
        if not here:
            break
        place = draw(st.sampled_from(here))
        if place and draw(st.booleans()):
            del place[draw(st.sampled_from(sorted(place)))]
        else:
            other = draw(SCHEMAS)
            place.update(other if isinstance(other, dict) else {})
    return (new, old) if draw(st.booleans()) else (old, new)


def fits(schema: Any, instance: Any) -> bool | None:
    """Whether it does; None where the check has no answer."""
    try:
        return validate(schema, instance).ok
    except HarnessError:
        return None


def sound(schema: Any) -> bool:
    """Whether it can be compared at all."""
    return fits(schema, None) is not None and not any(
        "itself is unsound" in problem.message for problem in validate(schema, None).errors
    )


def fault_of(old: Any, new: Any) -> str | None:
    """How comparing them fails."""
    try:
        compare_schemas(old, new)
    except HarnessError as fault:
        return fault.code
    return None


PAIRS = st.tuples(SCHEMAS, SCHEMAS) | edits()


@settings(max_examples=500, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(PAIRS, st.lists(INSTANCES, min_size=1, max_size=12))
@example(({"type": "number"}, {"type": "integer"}), [0.5])
@example(({"additionalProperties": True}, {"properties": {"a": {"type": "string"}}}), [{"a": 1}])
@example(({"oneOf": [{"type": "integer"}]}, {"oneOf": [{"type": "integer"}, {"type": "number"}]}), [1])
def test_what_is_refused_now_and_was_not_is_called_breaking(pair: tuple[Any, Any], instances: list[Any]) -> None:
    old, new = pair
    if fits(old, None) is None or not sound(old) or not sound(new):
        return
    callers = any(change.kind == "breaking" for change in compare_schemas(old, new, "input"))
    readers = any(change.kind == "breaking" for change in compare_schemas(old, new, "output"))
    for instance in instances:
        before, now = fits(old, instance), fits(new, instance)
        if before is True and now is False:
            assert callers, instance
        if before is False and now is True:
            assert readers, instance


@given(SCHEMAS | LINKED)
def test_a_schema_has_not_changed_from_itself(schema: Any) -> None:
    if sound(schema):
        assert compare_schemas(schema, copy.deepcopy(schema)) == ()


@given(PAIRS)
def test_every_difference_is_said(pair: tuple[Any, Any]) -> None:
    old, new = pair
    if sound(old) and sound(new):
        for use in ("input", "output"):
            changes = compare_schemas(old, new, use)
            assert all(change.what and change.why for change in changes)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(ARBITRARY | LINKED, ARBITRARY | LINKED)
def test_nothing_but_limit_is_raised_whatever_comes(old: Any, new: Any) -> None:
    assert fault_of(old, new) in (None, "limit")

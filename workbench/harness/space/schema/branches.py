"""What to say when none of several forms (`anyOf`, `oneOf`) fits: the form that comes closest, not all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.harness.space.schema.values import shorten, show
from workbench.harness.space.schema.walker import Fault
from workbench.harness.strict_json import Json

FAULTS_PER_FORM = 10
"""Faults that are looked at in each form; a form with more is not close."""

_SHOWN = 3
_SCALAR = frozenset({"const", "enum", "type"})


def closest(keyword: str, forms: Sequence[Sequence[Fault]], instance: Json) -> Iterator[Fault]:
    """The faults to report, given those of every form; each form has at least one."""
    own = [faults[0] for faults in forms if len(faults) == 1 and _is_own(faults[0])]
    if len(own) == len(forms):
        wanted = " or ".join(dict.fromkeys(fault.validator_value for fault in own))
        merged = own[0]
        merged.validator = "type"
        merged.validator_value = shorten(wanted)
        merged.message = f"must be {shorten(wanted)}, is {show(instance)}"
        yield merged
        return
    number, faults = min(enumerate(forms), key=lambda entry: _distance(entry[1]))
    for fault in faults[:_SHOWN]:
        if fault.validator not in {"anyOf", "oneOf"}:
            fault.message = f"{fault.message} (in form {number + 1} of {len(forms)} of {keyword}, the closest)"
            fault.validator = keyword
        yield fault


def _is_own(fault: Fault) -> bool:
    return fault.validator in _SCALAR and not len(fault.path)


def _distance(faults: Sequence[Fault]) -> tuple[bool, int, int]:
    """A form of another type is farthest; then one whose constants (a tag, a discriminator) differ; then by count."""
    differs = any(_is_own(fault) for fault in faults)
    constants = sum(fault.validator in {"const", "enum"} for fault in faults)
    return differs, constants, len(faults)

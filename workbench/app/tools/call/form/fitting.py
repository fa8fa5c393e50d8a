"""How well a value fits a shape: which of several forms it was written for, and whether a default can be filled in."""

from __future__ import annotations

from workbench.app.tools.call.form.shape import Shape, Spot
from workbench.app.tools.call.form.words import compact
from workbench.harness.strict_json import Json

OTHER_TYPE = 1000
"""The distance of a value that is of another type altogether."""

_OTHER_CONSTANT = 300
_MISSING = 10
_FORBIDDEN = 20
_SLIP = 5
_SAMPLES = 8
_DEPTH = 3
_PLACES = 500


class _Effort:
    """What may still be looked at."""

    def __init__(self) -> None:
        self.left = _PLACES


def distance(spot: Spot, value: Json) -> int:
    """0 for a value that seems to fit, more the less it does. It looks a few levels deep, and never raises."""
    return _distance(spot, value, _DEPTH, _Effort())


def best_branch(shape: Shape, value: Json) -> int | None:
    """The form of a choice that a value fits best; None where it is of another type than all of them."""
    effort = _Effort()
    distances = [
        (_distance(branch.spot, value, _DEPTH, effort), number) for number, branch in enumerate(shape.branches)
    ]
    best, number = min(distances)
    return number if best < OTHER_TYPE else None


def _distance(spot: Spot, value: Json, depth: int, effort: _Effort) -> int:
    effort.left -= 1
    if effort.left < 0:
        return 1
    shape = spot.shape
    effort.left -= len(shape.branches)
    if value is None and shape.nullable:
        return 0
    match shape.kind:
        case "json":
            return OTHER_TYPE if shape.reason else 1
        case "string":
            return 0 if isinstance(value, str) else OTHER_TYPE
        case "boolean":
            return 0 if isinstance(value, bool) else OTHER_TYPE
        case "integer":
            return 0 if is_whole(value) else OTHER_TYPE
        case "number":
            return 0 if is_number(value) else OTHER_TYPE
        case "enum" | "const":
            same_type = any(type(option.value) is type(value) for option in shape.options)
            return 0 if compact(value) in shape.by_text else _OTHER_CONSTANT if same_type else OTHER_TYPE
        case "choice":
            far = (_distance(branch.spot, value, depth - 1, effort) for branch in shape.branches)
            return min(far) if depth > 0 else 0
        case "array":
            return _of_array(shape, value, depth, effort) if isinstance(value, list) else OTHER_TYPE
        case _:
            return _of_object(shape, value, depth, effort) if isinstance(value, dict) else OTHER_TYPE


def is_number(value: Json) -> bool:
    """Whether it is a number; true is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_whole(value: Json) -> bool:
    """Whether it is a whole number, as JSON Schema has them: 1.0 is one."""
    return is_number(value) and isinstance(value, (int, float)) and (isinstance(value, int) or value.is_integer())


def _of_object(shape: Shape, value: dict[str, Json], depth: int, effort: _Effort) -> int:
    missing = sum(name not in value for name in shape.required)
    foreign = sum(name not in shape.properties for name in value)
    far = missing * _MISSING + foreign * (_FORBIDDEN if shape.closed else 1)
    if depth > 0:
        for name, item in value.items():
            if name in shape.properties:
                spot = shape.properties[name]
                apart = _distance(spot, item, depth - 1, effort)
                # a constant tells forms apart; a value of a wrong type may be a slip
                far += _OTHER_CONSTANT if apart and spot.shape.kind in {"enum", "const"} else min(apart, _SLIP)
    return min(far, OTHER_TYPE - 1)


def _of_array(shape: Shape, value: list[Json], depth: int, effort: _Effort) -> int:
    if depth <= 0 or shape.items is None:
        return 0
    far = 0
    for index, item in enumerate(value[:_SAMPLES]):
        spot = shape.prefix[index] if index < len(shape.prefix) else shape.items
        far += min(_distance(spot, item, depth - 1, effort), _OTHER_CONSTANT // _SAMPLES)
    return far

"""JSON Schema, safe against schemas and inputs from outside: is it sound, does an input match, what does it invent.

What answers is loaded with the first question: a command or an app that asks none starts without it.
"""

from __future__ import annotations

from workbench.harness.space.schema.verdicts import Problem, UnknownKey, Verdict

__all__ = ["Problem", "UnknownKey", "Verdict", "check_schema", "unknown_keys", "validate"]


def check_schema(schema: object, what: str, *, object_root: bool = False) -> tuple[str, ...]:
    """See that a schema is sound. See `validator.check_schema`."""
    from workbench.harness.space.schema import validator

    return validator.check_schema(schema, what, object_root=object_root)


def validate(schema: object, instance: object) -> Verdict:
    """Hold an input against a schema. See `validator.validate`."""
    from workbench.harness.space.schema import validator

    return validator.validate(schema, instance)


def unknown_keys(schema: object, instance: object) -> tuple[UnknownKey, ...]:
    """The keys of an input that its schema does not name. See `unknown.unknown_keys`."""
    from workbench.harness.space.schema import unknown

    return unknown.unknown_keys(schema, instance)

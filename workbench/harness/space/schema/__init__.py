"""JSON Schema, safe against schemas and inputs from outside: is it sound, does an input match, what does it invent."""

from __future__ import annotations

from workbench.harness.space.schema.unknown import UnknownKey, unknown_keys
from workbench.harness.space.schema.validator import Problem, Verdict, check_schema, validate

__all__ = ["Problem", "UnknownKey", "Verdict", "check_schema", "unknown_keys", "validate"]

"""What an act carries: a call's own input, a write's content. The verb's schema is about the frame around it."""

from __future__ import annotations

from typing import Any

from workbench.harness.strict_json import as_object

CARRIED = {"call": "input", "write": "content"}
"""The field of a verb that it passes on. Its limits are its own, and whom it is for judges it."""


def split(name: str, input: Any) -> tuple[Any, Any]:
    """An act's input without what it carries, and what it carries; None where it carries nothing."""
    key = CARRIED.get(name)
    body = as_object(input)
    if key is None or body is None or key not in body:
        return input, None
    return {other: value for other, value in body.items() if other != key} | {key: None}, body[key]

"""What a tool of ours is: a declaration that the model reads, and the executor that keeps its word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from workbench.harness.errors import HarnessError
from workbench.harness.space.document import ToolDocument
from workbench.harness.strict_json import as_object

ExecutionMode = Literal["parallel", "sequential"]


class ToolDefinition(Struct, frozen=True):
    """A builtin or a verb. `parameters` is the one typed model: its schema is declared, its value is executed.

    `execution_mode` says whether a call may run beside the others that were made in the same message, or whether all of
    these run one after the other, because their order matters.
    """

    name: str
    summary: str
    description: str
    parameters: type[msgspec.Struct]
    binding: str
    output: Mapping[str, Any] | None = None
    execution_mode: ExecutionMode = "parallel"

    def document(self) -> ToolDocument:
        """The declaration as a tool document.

        It is not held against the rules for documents here: every declaration of ours is, once and for all, in a test.
        """
        return ToolDocument(
            name=self.name,
            kind="builtin",
            summary=self.summary,
            description=self.description,
            input=schema_of(self.parameters),
            output=dict(self.output) if self.output is not None else None,
            binding=self.binding,
        )


T = TypeVar("T", bound=msgspec.Struct)

Progress = Callable[[str, str], None]
"""Tells how far a call is: its stage, and the last characters of its output."""


def schema_of(model: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a typed model, with the model itself at the root."""
    (root,), components = msgspec.json.schema_components([model], ref_template="#/$defs/{name}")
    definitions = dict(components)
    schema: dict[str, Any] = dict(definitions.pop(root["$ref"].rsplit("/", 1)[1])) if "$ref" in root else dict(root)
    schema.pop("title", None)
    if definitions:
        schema["$defs"] = {
            name: {key: value for key, value in body.items() if key != "title"} for name, body in definitions.items()
        }
    return schema


def typed(model: type[T], value: Any) -> T:
    """The typed value of an input that its schema has accepted.

    Raises:
        HarnessError: `bad_input` when schema and model disagree about a value.
    """
    try:
        return msgspec.convert(_whole(value), model, strict=True)
    except msgspec.ValidationError as error:
        raise HarnessError("bad_input", f"The input does not fit: {error}.") from error


def _whole(value: Any) -> Any:
    """Write 5.0 as 5 where a model has its numbers: to a schema both are the same integer, to Python they are not."""
    body = as_object(value)
    if body is None:
        return value
    return {
        key: int(item)
        if isinstance(item, float) and item.is_integer()
        else (_whole(item) if key == "options" else item)
        for key, item in body.items()
    }

"""The contract for a person, as a tree: the description, then what goes in and what comes out. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.app.tools.contract.schema_tree import schema_twigs, type_words
from workbench.app.widgets.lines.line import Line
from workbench.app.widgets.outline.twig import Twig
from workbench.harness.space.document import Schema, ToolDocument
from workbench.harness.text import printable

OPEN_DEPTH = 3
"""How deep schemas are unfolded at first; 0 is the heading."""


def contract_twigs(document: ToolDocument) -> list[Twig]:
    """The contract. Headings and whatever has parts can be folded; a description is as long as it is."""
    lines = document.description.strip("\n").split("\n")
    twigs = [Twig(f"description/{number}", [(printable(line), "")]) for number, line in enumerate(lines)]
    twigs.append(Twig("gap/input", []))
    twigs += _schema("input", "what goes in", document.input)
    if document.output is not None:
        twigs.append(Twig("gap/output", []))
        twigs += _schema("output", "what comes out", document.output)
    return twigs


def opens(key: str, depth: int) -> bool:
    """Which parts are unfolded at first."""
    return depth < OPEN_DEPTH


def _schema(key: str, name: str, schema: Schema) -> list[Twig]:
    parts = schema_twigs(key, schema)
    if not parts:
        said: Line = [(name, "heading"), (f"  {printable(type_words(schema))}", "text")]
        return [Twig(key, [*said, ("  no parameters are declared" if key == "input" else "", "quiet")])]
    required = any(("*", "bad") in part.line for part in parts)
    hint = "  * is required" if required else ""
    return [Twig(key, [(name, "heading"), (hint, "quiet")], _always(parts))]


def _always(parts: Sequence[Twig]) -> Callable[[], Sequence[Twig]]:
    return lambda: parts

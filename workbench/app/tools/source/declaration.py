"""A declaration as text: everything of a tool that a model reads. Pure."""

from __future__ import annotations

from workbench.harness.space.document import ToolDocument
from workbench.harness.strict_json import pretty


def declaration_text(document: ToolDocument) -> str:
    """Name, summary, description, parameters and output, exact, under headings."""
    pieces = [
        f"name\n{document.name}",
        f"summary\n{document.summary}",
        f"description\n{document.description}",
        f"parameters\n{pretty(document.input)}",
    ]
    if document.output is not None:
        pieces.append(f"output\n{pretty(document.output)}")
    return "\n\n".join(pieces) + "\n"

"""A verb's own document: for the provider, for the faces to show, and for answers about a refused input."""

from __future__ import annotations

from functools import cache

from workbench.harness.cid import cid_of
from workbench.harness.space.document import encode
from workbench.harness.space.library import StoredTool
from workbench.harness.tools.definition import ToolDefinition


@cache
def tool_of(definition: ToolDefinition) -> StoredTool:
    """A verb's declaration as a tool: not stored, and versioned by its CID like every other."""
    document = definition.document()
    block = encode(document)
    return StoredTool(definition.name, cid_of(block), document, len(block), 0, "", "system")

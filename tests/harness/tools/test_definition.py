"""Every declaration of ours is a document that holds against the rules for documents."""

from __future__ import annotations

import pytest

from workbench.harness.space.document import builtin_document, decode, encode
from workbench.harness.tools.builtins.registry import DEFINITIONS
from workbench.harness.tools.definition import ToolDefinition
from workbench.harness.verbs.registry import VERB_DEFINITIONS


@pytest.mark.parametrize("definition", [*DEFINITIONS.values(), *VERB_DEFINITIONS.values()], ids=lambda each: each.name)
def test_a_declaration_is_a_sound_document(definition: ToolDefinition) -> None:
    document = definition.document()
    judged = builtin_document(
        name=document.name,
        description=document.description,
        input=document.input,
        binding=document.binding or "",
        summary=document.summary,
        output=document.output,
    )
    assert judged == document
    assert decode(encode(document)) == document

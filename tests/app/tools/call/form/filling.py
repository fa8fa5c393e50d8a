"""Filling in forms in tests, by path."""

from __future__ import annotations

from typing import Any

from workbench.app.tools.call.form.assembling import assemble, verify
from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.loading import members_of
from workbench.app.tools.call.form.node import Node


def form(properties: Any, *required: str, **more: Any) -> FormDraft:
    """A form for an object with these properties."""
    return FormDraft({"type": "object", "properties": properties, "required": list(required), **more})


def at(draft: FormDraft, *path: str | int) -> Node:
    """The field at a path."""
    node = draft.root
    for step in path:
        members = members_of(node.content)
        node = members[step] if isinstance(step, int) else next(each for each in members if each.key == step)
    return node


def sent(draft: FormDraft) -> Any:
    """The JSON that would be sent."""
    return assemble(draft).value


def refused(draft: FormDraft) -> dict[str, str]:
    """What cannot be sent, by path: the schema's own words included."""
    return {problem.path: problem.message for problem in verify(draft.schema, assemble(draft))}

"""The fields of a form as rows: those that are not folded away. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from workbench.app.tools.call.form.draft import FormDraft
from workbench.app.tools.call.form.loading import members_of
from workbench.app.tools.call.form.node import Node, State

OPEN_LEVELS = 5
"""Objects that are sent are unfolded by themselves down to here."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A field, or the place below the fields of an object or array where one is added."""

    node: Node
    depth: int
    what: Literal["field", "add"] = "field"


def rows_of(draft: FormDraft) -> list[Row]:
    """All rows that are not folded away."""
    root = draft.root
    if root.kind == "object":
        return list(_below(root, 0, draft))
    return [Row(root, 0), *(_below(root.content, 1, draft) if is_open(root, 0) else ())]


def is_open(node: Node, depth: int) -> bool:
    """Whether what is inside of a field is shown."""
    if node.blank or node.content.kind not in {"object", "array"} or node.state is State.NULL:
        return False
    if node.open is not None:
        return node.open
    if node.state is State.VALUE:
        return depth < OPEN_LEVELS
    return node.kind == "choice" and node.required and depth < 2


def _below(node: Node, depth: int, draft: FormDraft) -> Iterator[Row]:
    for member in members_of(node):
        yield Row(member, depth)
        if is_open(member, depth):
            yield from _below(member.content, depth + 1, draft)
    if node.shape.takes_keys or draft.can_add(node):
        yield Row(node, depth, "add")

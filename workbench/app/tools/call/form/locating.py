"""Which field a problem belongs to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from workbench.app.tools.call.form.gathering import FieldProblem, Steps
from workbench.app.tools.call.form.node import Node
from workbench.harness.space.schema.values import path_text


@dataclass(slots=True)
class Located:
    """Problems by the identity of their field; those of the whole, or of what is no field, are in `rest`."""

    at: dict[int, list[FieldProblem]] = field(default_factory=dict)
    inside: dict[int, int] = field(default_factory=dict)
    rest: list[FieldProblem] = field(default_factory=list)


def locate(root: Node, problems: Iterable[FieldProblem]) -> Located:
    """Put each problem to the field at its path, or to the nearest one around it that there is."""
    located = Located()
    problems = list(problems)
    if not problems:
        return located
    by_path = {path_text(steps): node for node, steps in every_field(root)}
    for problem in problems:
        node = _nearest(by_path, problem.path)
        if node is None or (node is root and root.kind == "object"):
            located.rest.append(problem)
            continue
        located.at.setdefault(id(node), []).append(problem)
        around = node.around
        while around is not None:
            held = around.field
            located.inside[id(held)] = located.inside.get(id(held), 0) + 1
            around = held.parent
    return located


def every_field(root: Node) -> Iterator[tuple[Node, Steps]]:
    """All fields that were made so far, each with the way to it."""
    waiting: list[tuple[Node, Steps]] = [(root, ())]
    while waiting:
        node, steps = waiting.pop()
        yield node, steps
        content = node.content if node.forms or node.kind != "choice" else node
        if content.kind in {"object", "array"} and content.members:
            numbered = content.kind == "array"
            waiting.extend(
                (member, (*steps, index if numbered else member.key)) for index, member in enumerate(content.members)
            )


def _nearest(by_path: dict[str, Node], path: str) -> Node | None:
    while path:
        if path in by_path:
            return by_path[path]
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return None

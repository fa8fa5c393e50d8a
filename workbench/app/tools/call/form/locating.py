"""Which field a problem belongs to. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from workbench.app.tools.call.form.gathering import FieldProblem
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
    by_path = _on_the_way(root, {path for problem in problems for path in _outwards(problem.path)})
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


def every_field(root: Node) -> Iterator[Node]:
    """All fields that were made so far."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(_inside(node))


def _on_the_way(root: Node, wanted: Container[str]) -> dict[str, Node]:
    """The fields at these paths, which hold the paths of whatever such a field is in."""
    found: dict[str, Node] = {}
    waiting = [("$", root)]
    while waiting:
        path, node = waiting.pop()
        if path in wanted:
            found[path] = node
            numbered = node.content.kind == "array"
            waiting.extend(
                (path + path_text((index if numbered else member.key,))[1:], member)
                for index, member in enumerate(_inside(node))
            )
    return found


def _inside(node: Node) -> Sequence[Node]:
    # Of a field that nobody was at nothing is asked, so that its schema need not be read.
    if node.members is None and not node.forms:
        return ()
    content = node.content
    return content.members or () if content.kind in {"object", "array"} else ()


def _outwards(path: str) -> Iterator[str]:
    """A path, and what may be the paths of all that is around it."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]


def _nearest(by_path: dict[str, Node], path: str) -> Node | None:
    return next((by_path[around] for around in _outwards(path) if around in by_path), None)

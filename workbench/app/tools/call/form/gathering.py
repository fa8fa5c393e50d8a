"""Putting together what fields send, and which of them cannot be sent."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.app.tools.call.form.loading import members_of
from workbench.app.tools.call.form.node import Node, State
from workbench.app.tools.call.form.shape import TEXT_KINDS
from workbench.app.tools.call.form.texts import Refused
from workbench.harness.space.schema.values import path_text
from workbench.harness.strict_json import Json

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """Why an input cannot be sent: where (`$.a.b[0]`), and what is wrong there. `missing`: nothing stands there yet."""

    path: str
    message: str
    missing: bool = False


def value_of(node: Node, *, raw: bool = False) -> tuple[Json, bool]:
    """What one field would send, and whether it would send nothing. `raw` gives a text that means nothing as text."""
    value = Gather(raw=raw).value(node, ())
    return (None, True) if isinstance(value, Nothing) else (value, False)


class Nothing:
    """Where nothing will be sent."""


NOTHING = Nothing()


class Gather:
    """One walk over fields. `raw` gives a text that means nothing as text, instead of leaving it out."""

    def __init__(self, *, raw: bool) -> None:
        self.problems: list[FieldProblem] = []
        self.raw = raw

    def problem(self, steps: Steps, message: str, *, missing: bool = False) -> None:
        """Note what is wrong at a field."""
        self.problems.append(FieldProblem(path_text(steps), message, missing))

    def value(self, node: Node, steps: Steps) -> Json | Nothing:
        """What a field sends."""
        if node.state is State.NULL:
            return None
        if node.state is State.ABSENT:
            return NOTHING
        node = node.content
        if node.state is State.NULL:
            return None
        if node.kind in TEXT_KINDS or node.kind == "json":
            try:
                return node.read()
            except Refused as refused:
                self.problem(steps, str(refused))
                return node.text if self.raw else NOTHING
        if node.kind == "object":
            return self._object(node, steps)
        if node.kind == "array":
            return self._array(node, steps)
        return bool(node.chosen) if node.kind == "boolean" else node.shape.options[node.chosen].value

    def _object(self, node: Node, steps: Steps) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for member in members_of(node):
            inside = (*steps, member.key)
            value = self.value(member, inside)
            if isinstance(value, Nothing):
                if member.required and member.state is State.ABSENT:
                    self.problem(inside, "required property is missing", missing=True)
                elif not member.known and member.state is State.ABSENT:
                    self.problem(inside, "has no value yet: fill it in, or remove the key", missing=True)
                continue
            found[member.key] = value
        if not node.order:
            return found
        rank = {key: number for number, key in enumerate(node.order)}
        return dict(sorted(found.items(), key=lambda entry: rank.get(entry[0], len(rank))))

    def _array(self, node: Node, steps: Steps) -> list[Json]:
        found: list[Json] = []
        for index, member in enumerate(members_of(node)):
            value = self.value(member, (*steps, index))
            if isinstance(value, Nothing):
                if member.state is State.ABSENT:
                    self.problem((*steps, index), "has no value yet: fill it in, or remove the item", missing=True)
                # a place holder, so that the items behind it keep their numbers
                value = None
            found.append(value)
        return found

"""Putting values into fields: what the schema says to begin with, or JSON from elsewhere, without losing any of it."""

from __future__ import annotations

from workbench.app.tools.call.form.fitting import OTHER_TYPE, best_branch, distance, is_number, is_whole
from workbench.app.tools.call.form.node import Node, Origin, State
from workbench.app.tools.call.form.shape import Spot
from workbench.app.tools.call.form.texts import json_text
from workbench.app.tools.call.form.words import compact
from workbench.harness.space.schema.patterns import Unsupported, compile_pattern
from workbench.harness.strict_json import Json

MAX_ITEMS = 500
"""An array or an object with more is edited as JSON."""

MAX_FIELDS = 20_000
"""So many fields are made of one value at most; what comes after them is edited as JSON."""

MAX_ALONE_DEPTH = 8
"""Required objects inside each other that are there from the beginning."""

MAX_ALONE = 1_000
"""Required objects that are there from the beginning, in one form."""


class _Room:
    def __init__(self) -> None:
        self.left = MAX_FIELDS


def begin(node: Node) -> None:
    """Let an empty field hold what it holds at first: its default, or what there is no choice about."""
    if node.spot.plain and not node.required:
        return
    shape = node.shape
    if shape.has_default and (shape.default is not None or node.required):
        if distance(node.spot, shape.default) < OTHER_TYPE:
            load(node, shape.default, Origin.DEFAULT)
            if node.json:
                node.empty()
        return
    if not node.required:
        return
    if shape.kind == "const" or (shape.kind == "object" and not _recurs(node)):
        node.state = State.VALUE
        node.origin = Origin.ALONE
        node.spot.book.alone += shape.kind == "object"


def members_of(node: Node) -> list[Node]:
    """The fields of an object or the items of an array, made when they are first asked for."""
    if node.members is None:
        node.members = []
        if node.kind == "object":
            shape = node.shape
            for name, spot in shape.properties.items():
                member = Node(spot, name, parent=node, required=name in shape.required)
                node.members.append(member)
                begin(member)
    return node.members


def spot_for_key(node: Node, key: str) -> Spot | None:
    """What a key that the schema does not name holds; None where it may not be."""
    shape = node.shape
    for pattern, spot in shape.patterns:
        program = compile_pattern(pattern)
        if not isinstance(program, Unsupported) and program.found_in(key):
            return spot
    if shape.closed:
        return None
    return shape.others or anything(node)


def spot_at(array: Node, index: int) -> Spot:
    """What an item of an array holds."""
    shape = array.shape
    if index < len(shape.prefix):
        return shape.prefix[index]
    return shape.items or anything(array)


def anything(node: Node) -> Spot:
    """A place inside of a field of which the schema says nothing."""
    return Spot(node.spot.book, (), node.spot.level + 1)


def load(node: Node, value: Json, origin: Origin) -> None:
    """Put a value into a field, whatever the field is. What cannot be drawn as it is becomes JSON text."""
    _load(node, value, origin, _Room())


def _load(node: Node, value: Json, origin: Origin, room: _Room) -> None:
    room.left -= 1
    node.empty()
    node.origin = origin
    node.state = State.VALUE
    shape = node.shape
    if value is None and shape.nullable:
        node.state = State.NULL
        return
    match shape.kind:
        case "string" if isinstance(value, str):
            node.text = value
        case "number" if is_number(value):
            node.text = compact(value)
        case "integer" if is_whole(value):
            node.text = compact(value)
        case "boolean" if isinstance(value, bool):
            node.chosen = int(value)
        case "enum" | "const" if compact(value) in shape.by_text:
            node.chosen = shape.by_text[compact(value)]
        case "object" if isinstance(value, dict) and len(value) <= max(MAX_ITEMS, len(shape.properties)):
            _load_object(node, value, origin, room)
        case "array" if isinstance(value, list) and len(value) <= min(MAX_ITEMS, room.left):
            node.members = []
            for index, item in enumerate(value):
                member = Node(spot_at(node, index), parent=node, required=True)
                node.members.append(member)
                _load(member, item, origin, room)
        case "choice" if (branch := best_branch(shape, value)) is not None and room.left > 0:
            node.branch = branch
            _load(node.form, value, origin, room)
        case _:
            node.json = shape.kind != "json"
            node.text = json_text(value)


def _load_object(node: Node, value: dict[str, Json], origin: Origin, room: _Room) -> None:
    shape = node.shape
    if room.left < len(value):
        node.json = True
        node.text = json_text(value)
        return
    node.order = tuple(value)
    node.members = []
    for name, spot in shape.properties.items():
        member = Node(spot, name, parent=node, required=name in shape.required)
        node.members.append(member)
        if name in value:
            _load(member, value[name], origin, room)
        else:
            member.origin = Origin.PERSON if origin is Origin.PERSON else Origin.NOBODY
    for name, item in value.items():
        if name not in shape.properties:
            member = Node(spot_for_key(node, name) or anything(node), name, parent=node, known=False)
            node.members.append(member)
            _load(member, item, origin, room)


def _recurs(node: Node) -> bool:
    """Whether a required object is in one like itself, very deep, or one of very many: then it waits to be wanted."""
    if node.spot.book.alone >= MAX_ALONE:
        return True
    own = node.shape.targets
    around, depth = node.parent, 0
    while around is not None:
        depth += around.kind == "object"
        if depth > MAX_ALONE_DEPTH or not own.isdisjoint(around.shape.targets):
            return True
        around = around.parent
    return False

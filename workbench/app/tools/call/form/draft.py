"""The state of a form that is being filled in, and everything that can be done to it. No widget knows more.

Absent, null and a value are three different things; an empty text is a value. A default is filled in and marked, and is
sent as long as it stays. An object that nobody touched is left out whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.app.tools.call.form.loading import begin, load, members_of, spot_at, spot_for_key
from workbench.app.tools.call.form.moving import carry
from workbench.app.tools.call.form.node import Node, Origin, State
from workbench.app.tools.call.form.places import Book
from workbench.app.tools.call.form.shape import TEXT_KINDS, Spot
from workbench.app.tools.call.form.texts import Refused
from workbench.app.tools.call.form.touching import touch, untouch
from workbench.harness.strict_json import Json, check


@dataclass(frozen=True, slots=True)
class Before:
    """How one field was, for somebody who wants it back."""

    content: Node
    state: State
    origin: Origin
    text: str
    chosen: int
    json: bool


class FormDraft:
    """One form. `cursor` and what is folded are kept in it, so that somebody who comes back finds it as it was."""

    def __init__(self, schema: Json) -> None:
        """A form for a schema, with its defaults. Any JSON may be given as the schema; none raises."""
        self.schema = schema
        self.book = Book(schema)
        self.root = Node(Spot(self.book, (self.book.root,)), required=True)
        self.cursor: Node | None = None
        """The field that somebody is at."""
        begin(self.root)
        if self.root.kind == "json" and self.root.state is State.ABSENT:
            self._write_root()

    # The whole ------------------------------------------------------------------------------------------------

    def take(self, value: Json) -> None:
        """Be this value, whatever the schema says: what fits no field stays, as a field of its own or as JSON.

        Raises HarnessError when it is not JSON.
        """
        check(value, what="the input")
        load(self.root, value, Origin.PERSON)

    def rebase(self, schema: Json) -> FormDraft:
        """A form for another schema with everything that was filled in here. What no longer fits stays, marked."""
        fresh = FormDraft(schema)
        carry(self.root, fresh.root)
        if fresh.root.kind == "json" and fresh.root.state is State.ABSENT:
            fresh._write_root()
        return fresh

    @property
    def touched(self) -> bool:
        """Whether anybody filled in anything."""
        return self.root.touched

    # One field ------------------------------------------------------------------------------------------------

    def write(self, node: Node, text: str) -> None:
        """Let a text stand in a field that is typed into. A number or JSON of no text is absent again."""
        node = node.content
        if node.kind not in TEXT_KINDS and node.kind != "json":
            return
        if not text and node.kind != "string":
            self.leave_out(node)
            return
        node.text = text
        node.state = State.VALUE
        touch(node)

    def remember(self, node: Node) -> Before:
        """How a field is that holds no others."""
        content = node if node.state is State.NULL else node.content
        return Before(content, content.state, content.origin, content.text, content.chosen, content.json)

    def restore(self, before: Before) -> None:
        """Let a field be as it was."""
        node = before.content
        node.origin, node.text, node.chosen, node.json = before.origin, before.text, before.chosen, before.json
        node.state = before.state
        if node.touched:
            touch(node)
        else:
            untouch(node)

    def pick(self, node: Node, option: int) -> None:
        """Choose one of the values of a field that has a few; for a boolean 1 is true."""
        node = node.content
        node.chosen = option
        node.state = State.VALUE
        touch(node)

    def set_null(self, node: Node) -> bool:
        """Send null; whether the schema admits it here."""
        for holder in (node.field, node.content):
            if holder.shape.nullable:
                holder.empty()
                holder.state = State.NULL
                touch(holder)
                return True
        if node.content.shape.kind != "json":
            return False
        self.write(node, "null")
        return True

    def include(self, node: Node) -> None:
        """Send an object or an array, also when nothing is in it."""
        node = node.content
        if node.kind in {"object", "array"}:
            members_of(node)
            node.state = State.VALUE
            touch(node)

    def clear(self, node: Node) -> None:
        """Go back to how it was at first; a field that is so already is left out."""
        node = node.field
        if node.parent is None:
            branch = node.branch
            node.empty()
            node.branch = branch
            begin(node)
            if node.kind == "json" and node.state is State.ABSENT:
                self._write_root()
            return
        if not node.touched and node.state is not State.ABSENT:
            self.leave_out(node)
            return
        node.empty()
        begin(node)
        untouch(node)

    def leave_out(self, node: Node) -> None:
        """Do not send it."""
        node = node.field
        branch = node.branch
        node.empty()
        node.branch = branch
        if node.parent is None:
            self._write_root()
            return
        node.origin = Origin.PERSON
        untouch(node)

    def choose(self, node: Node, branch: int) -> None:
        """Go to another form of a choice. What fits there comes along; what does not is kept in the form it was in."""
        if node.kind != "choice" or not 0 <= branch < len(node.shape.branches):
            return
        before = node.form
        node.state = State.VALUE
        node.branch = branch
        after = node.form
        if after is not before:
            if not after.touched:
                after.empty()
                begin(after)
            if before.touched:
                carry(before, after, keep=False)
        content = after.content
        if content.kind in {"object", "array", "const"} and content.state is State.ABSENT:
            content.state = State.VALUE
        if content.state is not State.ABSENT:
            touch(content)

    def write_json(self, node: Node, text: str) -> None:
        """Let a JSON text be a field's value. It is drawn where it can be; else the text stands there as it is."""
        node = node.field
        branch = node.branch
        if not text.strip():
            self.leave_out(node)
            return
        node.empty()
        node.branch = branch
        node.json = node.shape.kind != "json"
        node.text = text
        node.state = State.VALUE
        try:
            value = node.read()
        except Refused:
            touch(node)
            return
        load(node, value, Origin.PERSON)
        if node.kind == "json" and node.state is State.VALUE:
            node.text = text
        touch(node)

    # Items and keys -------------------------------------------------------------------------------------------

    def can_add(self, node: Node) -> bool:
        """Whether an array takes one more item."""
        node = node.content
        if node.kind != "array":
            return False
        count = len(members_of(node))
        shape = node.shape
        return count < len(shape.prefix) or not (shape.items is not None and _forbids(shape.items))

    def add_item(self, node: Node, at: int | None = None) -> Node | None:
        """A new item of an array, at the end or at a place; None where it takes no more."""
        node = node.content
        if not self.can_add(node):
            return None
        members = members_of(node)
        at = len(members) if at is None else at
        item = Node(spot_at(node, at), parent=node, required=True)
        members.insert(at, item)
        begin(item)
        node.state = State.VALUE
        touch(node)
        self._settle(node)
        return members[at]

    def add_key(self, node: Node, key: str) -> Node | str:
        """A new field of an object under a name of one's own, or in words why there can be none."""
        node = node.content
        members = members_of(node)
        if any(member.key == key for member in members):
            return "there is a key of this name already"
        shape = node.shape
        spot = spot_for_key(node, key)
        if spot is None:
            patterns = " or ".join(pattern for pattern, _ in shape.patterns)
            return f"no key of this name is allowed here: it must match {patterns}" if patterns else "no keys are added"
        field = Node(spot, key, parent=node, known=False)
        members.append(field)
        begin(field)
        node.state = State.VALUE
        touch(node)
        return field

    def remove(self, node: Node) -> bool:
        """Take an item or an added key away; whether it is one."""
        node = node.field
        around = node.around
        if around is None or not node.removable or around.members is None:
            return False
        around.members = [member for member in around.members if member is not node]
        touch(around)
        self._settle(around)
        return True

    def move(self, node: Node, step: int) -> Node | None:
        """Move an item of an array up or down; the item, or None where it cannot go."""
        node = node.field
        around = node.around
        if around is None or around.kind != "array" or around.members is None:
            return None
        members = around.members
        at = next(index for index, member in enumerate(members) if member is node)
        to = at + step
        if not 0 <= to < len(members):
            return None
        members[at], members[to] = members[to], members[at]
        touch(around)
        self._settle(around)
        return around.members[to]

    # Inside ---------------------------------------------------------------------------------------------------

    def _write_root(self) -> None:
        self.root.json = self.root.kind != "json" and self.root.kind != "object"
        self.root.text = "{}"
        self.root.state = State.VALUE
        self.root.origin = Origin.ALONE

    def _settle(self, array: Node) -> None:
        """Where places differ, let each item be what its place asks for."""
        if not array.shape.prefix or array.members is None:
            return
        for index, item in enumerate(array.members):
            spot = spot_at(array, index)
            if item.spot is not spot:
                array.members[index] = Node(spot, parent=array, required=True)
                begin(array.members[index])
                carry(item, array.members[index])


def _forbids(spot: Spot) -> bool:
    return any(part.schema is False for part in spot.parts)
